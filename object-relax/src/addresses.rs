//! Addresses of objects as keys. The owner of a table of addresses keeps the objects alive; a [`ById`] does it itself.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

use object_core::{ObjectHandle, ObjectRef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The address of an object.
pub(crate) fn address(handle: &impl ObjectHandle) -> usize {
    handle.as_object().view().address()
}

/// A handle as a key, by identity.
#[derive(Clone, Debug)]
pub(crate) struct ById<H>(pub(crate) H);

impl<H: ObjectHandle> PartialEq for ById<H> {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_object() == other.0.as_object()
    }
}

impl<H: ObjectHandle> Eq for ById<H> {}

impl<H: ObjectHandle> Hash for ById<H> {
    fn hash<S: Hasher>(&self, state: &mut S) {
        self.0.as_object().hash(state);
    }
}

/// A look-up by a borrowed object. Objects are compared and hashed by identity.
impl<H: ObjectHandle> Borrow<ObjectRef> for ById<H> {
    fn borrow(&self) -> &ObjectRef {
        self.0.as_object()
    }
}

/// Different addresses, numbered in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct NumberedAddresses {
    order: SmallVec<[usize; FEW]>,
    /// The numbers of the same addresses, if the list has more than [`FEW`]: a search in a short list takes less time than
    /// a look-up.
    numbers: FxHashMap<usize, usize>,
}

/// The length of a list in which each element is compared.
pub(crate) const FEW: usize = 8;

impl NumberedAddresses {
    /// The number of addresses.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The number of an address.
    pub(crate) fn get(&self, address: usize) -> Option<usize> {
        if self.order.len() > FEW {
            self.numbers.get(&address).copied()
        } else {
            self.order.iter().position(|known| *known == address)
        }
    }

    /// Adds an address. Returns whether it is new; then its number is the greatest one.
    pub(crate) fn insert(&mut self, address: usize) -> bool {
        if self.get(address).is_some() {
            return false;
        }
        let number = self.order.len();
        self.order.push(address);
        match number {
            0..FEW => {}
            FEW => self.numbers.extend(self.order.iter().enumerate().map(|(number, address)| (*address, number))),
            _ => {
                self.numbers.insert(address, number);
            }
        }
        true
    }

    /// Removes the addresses from the number `len` on.
    pub(crate) fn truncate(&mut self, len: usize) {
        if len <= FEW {
            self.numbers.clear();
        } else {
            self.order[len..].iter().for_each(|address| {
                self.numbers.remove(address);
            });
        }
        self.order.truncate(len);
    }
}
