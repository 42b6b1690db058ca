//! Addresses of objects as keys. The owner of a table of addresses keeps the objects alive.

use object_core::ObjectHandle;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The address of an object.
pub(crate) fn address(handle: &impl ObjectHandle) -> usize {
    handle.as_object().view().address()
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
