//! [`MarkedSlots`]: a slot for each object that an operation has met.
//!
//! An operation numbers these objects, and writes the number of an object into its mark. The object has a slot if the slot of
//! this number has its address, so marks of earlier operations need no removal. Only one operation of the process may write
//! marks at a time. Any other operation, in another thread or in a callback, uses a table.

use crate::object::{MarkClaim, ObjectView};
use crate::table::{Slot, Slots};

/// The number of objects for which an operation has room at first.
const FIRST_OBJECTS: usize = 64;

/// The slots of the objects that an operation has met. The objects exist until the operation ends.
pub(crate) struct MarkedSlots<S> {
    claim: Option<MarkClaim>,
    has_asked: bool,
    /// The slots of the objects with a number.
    numbered: Vec<S>,
    /// The slots of the objects without a number.
    others: Slots<S>,
}

impl<S> Default for MarkedSlots<S> {
    fn default() -> Self {
        MarkedSlots { claim: None, has_asked: false, numbered: Vec::new(), others: Slots::default() }
    }
}

impl<S: Slot> MarkedSlots<S> {
    /// The slot of `object`, if the object has a number.
    #[inline(always)]
    pub(crate) fn numbered(&self, object: ObjectView<'_>) -> Option<&S> {
        self.numbered.get(object.mark().get() as usize).filter(|slot| slot.address() == object.address())
    }

    /// The slot of `object`.
    #[inline(always)]
    pub(crate) fn get(&self, object: ObjectView<'_>) -> Option<&S> {
        self.numbered(object).or_else(|| self.others.get(object.address()))
    }

    /// The slot of an object without a number, and whether the call added it.
    #[inline(never)]
    pub(crate) fn add(&mut self, object: ObjectView<'_>) -> (bool, &mut S) {
        if !self.has_asked {
            self.has_asked = true;
            self.claim = MarkClaim::take();
            if self.claim.is_some() {
                self.numbered.reserve(FIRST_OBJECTS);
            }
        }
        if let Some(claim) = &self.claim
            && let Ok(number) = u32::try_from(self.numbered.len())
        {
            object.mark().set(number, claim);
            return (true, self.numbered.push_mut(S::of(object.address())));
        }
        self.others.slot(object.address())
    }

    /// The slot of the object with this address and this mark. The call adds it if the object has neither a slot nor a number.
    #[inline(always)]
    pub(crate) fn at(&mut self, address: usize, mark: u32) -> &mut S {
        match self.numbered.get_mut(mark as usize) {
            Some(slot) if slot.address() == address => slot,
            _ => self.others.slot(address).1,
        }
    }
}

/// A map from objects to values. The slot of a removed value stays with its object.
pub(crate) struct ObjectMap<V> {
    slots: MarkedSlots<(usize, Option<V>)>,
}

impl<V> Default for ObjectMap<V> {
    fn default() -> Self {
        ObjectMap { slots: MarkedSlots::default() }
    }
}

impl<V: Copy> ObjectMap<V> {
    /// The value of `object`.
    #[inline(always)]
    pub(crate) fn get(&self, object: ObjectView<'_>) -> Option<V> {
        self.slots.get(object)?.1
    }

    /// Makes a slot for `object` if it has none, and returns the mark of the object.
    #[inline]
    pub(crate) fn enter(&mut self, object: ObjectView<'_>) -> u32 {
        if self.slots.numbered(object).is_none() {
            self.slots.add(object);
        }
        object.mark().get()
    }

    /// The value of the object with this address and mark, which has a slot. The caller may set or remove the value.
    #[inline]
    pub(crate) fn at(&mut self, address: usize, mark: u32) -> &mut Option<V> {
        &mut self.slots.at(address, mark).1
    }

    /// The value of `object`, which the caller may set or remove.
    #[inline]
    pub(crate) fn slot(&mut self, object: ObjectView<'_>) -> &mut Option<V> {
        let mark = self.enter(object);
        self.at(object.address(), mark)
    }
}
