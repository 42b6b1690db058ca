//! [`ComputedValues`]: keeps the values that hooks compute until the operation that lists them ends.

use std::cell::OnceCell;

use crate::object::model::any::{Any, AnyView};

/// The values that hooks computed during one operation, as a list to which several walks append.
///
/// An operation remembers objects by address, so it keeps each computed object alive until its end: otherwise a later
/// object could get the same address.
#[derive(Default)]
pub(crate) struct ComputedValues {
    first: ComputedSlot,
}

/// The place of a value and of all values after it.
type ComputedSlot = OnceCell<Box<ComputedValue>>;

struct ComputedValue {
    value: Any,
    next: ComputedSlot,
}

/// Appends to a [`ComputedValues`].
#[derive(Clone, Copy)]
pub(crate) struct ComputedEnd<'a> {
    slot: &'a ComputedSlot,
}

impl ComputedValues {
    /// The end of the list.
    pub(crate) fn end(&self) -> ComputedEnd<'_> {
        ComputedEnd { slot: &self.first }
    }
}

impl<'a> ComputedEnd<'a> {
    /// Whether nothing was appended between this end and `other`.
    pub(crate) fn is(self, other: ComputedEnd<'_>) -> bool {
        std::ptr::eq(self.slot, other.slot)
    }

    /// Keeps `value`, and gives a view of it that lasts as long as the list.
    pub(crate) fn keep(&mut self, value: Any) -> AnyView<'a> {
        if let Some(plain) = value.view().as_plain() {
            return plain;
        }
        let mut new = Box::new(ComputedValue { value, next: ComputedSlot::new() });
        loop {
            // Another walk may have appended a value here.
            let appended = self.slot.set(new);
            let Some(last) = self.slot.get() else { return AnyView::None };
            self.slot = &last.next;
            match appended {
                Ok(()) => return last.value.view(),
                Err(other) => new = other,
            }
        }
    }
}

impl Drop for ComputedValues {
    /// Takes the list apart from the front: the derived drop would recurse over its length.
    fn drop(&mut self) {
        let mut next = self.first.take();
        while let Some(mut value) = next {
            next = value.next.take();
        }
    }
}
