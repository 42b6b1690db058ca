//! [`Assembly`]: a table of values of which larger values are made, each owned by whoever refers to it first.

use std::ptr::NonNull;

use crate::container::array::{bounded_sequence, sequence_of};
use crate::container::elements::ElementBound;
use crate::container::map::entries_of;
use crate::object::{
    Any, AnyView, Buildable, Header, ObjectBuilder, ObjectRef, ObjectView, Storage, TypeInfo, VacantField,
};
use crate::value::Str;

/// A value in the table.
enum Slot {
    /// Nothing refers to it yet, or it is no object.
    Own(Any),
    /// An object whose handle went into another object of the table. That object is in the table as well, or in one
    /// that is, so this one lives as long as the table.
    Lent(NonNull<Header>),
}

const _: () = assert!(size_of::<Slot>() == 16);

impl Slot {
    #[inline(always)]
    fn view(&self) -> AnyView<'_> {
        match self {
            Slot::Own(value) => value.view(),
            // SAFETY: the object lives as long as the table, from which the slot is borrowed.
            Slot::Lent(object) => AnyView::Object(unsafe { ObjectView::from_raw(*object) }),
        }
    }

    /// The object, if the value is one: the handle itself if nothing refers to it yet.
    ///
    /// # Safety
    /// The handle goes into an object that is added to the table, or the table is used no more.
    #[inline(always)]
    unsafe fn lend(&mut self) -> Option<ObjectRef> {
        match self {
            Slot::Own(Any::Object(object)) => {
                let ptr = object.as_ptr();
                match std::mem::replace(self, Slot::Lent(ptr)) {
                    Slot::Own(Any::Object(object)) => Some(object),
                    _ => None,
                }
            }
            Slot::Own(_) => None,
            Slot::Lent(_) => self.view().as_object().map(ObjectView::to_object),
        }
    }
}

/// Values in a row, of which each may be made of earlier ones.
///
/// The first reference to an object takes the handle from the table, so an object that is referred to once is counted
/// once and never again: counting is a good part of the time that it takes to put a graph together.
pub(crate) struct Assembly {
    slots: Vec<Slot>,
}

impl Assembly {
    /// A table with room for `count` values.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Assembly { slots: Vec::with_capacity(count) }
    }

    /// Adds a value.
    #[inline]
    pub(crate) fn push(&mut self, value: Any) {
        self.slots.push(Slot::Own(value));
    }

    /// Adds a text.
    #[inline]
    pub(crate) fn push_text(&mut self, text: &str) {
        self.push_object(Str::new(text).into());
    }

    /// Adds an object. A push would copy the slot as a whole right behind the stores of its parts, and wait for them.
    #[inline(always)]
    fn push_object(&mut self, object: ObjectRef) {
        if self.slots.len() == self.slots.capacity() {
            self.slots.reserve(1);
        }
        let len = self.slots.len();
        if let Some(place) = self.slots.spare_capacity_mut().first_mut() {
            place.write(Slot::Own(Any::Object(object)));
            // SAFETY: one slot more is within the capacity and written.
            unsafe { self.slots.set_len(len + 1) };
        }
    }

    /// Adds an array or list of the values with the given indices; `info` says which. `None`: there is no such value.
    #[inline]
    pub(crate) fn push_sequence(&mut self, info: &'static TypeInfo, indices: &[u32]) -> Option<()> {
        let mut elements = ElementBound::default();
        for index in indices {
            elements = elements.with(self.slots.get(*index as usize)?.view());
        }
        let array = if elements.are_objects() {
            // SAFETY: the handles go into an array that is added right below.
            let objects = indices.iter().map(|index| match unsafe { self.slots[*index as usize].lend() } {
                Some(object) => object,
                None => unreachable!("all values were seen to be objects"),
            });
            bounded_sequence(info, elements, objects)
        } else {
            sequence_of(info, indices.iter().map(|index| self.slots[*index as usize].view().to_any()).collect())
        };
        self.push_object(array);
        Some(())
    }

    /// Adds a map or dict of the values with the given indices, keys and values in turn; `info` says which. `None`:
    /// there is no such value, or a key without a value.
    pub(crate) fn push_entries(&mut self, info: &'static TypeInfo, indices: &[u32]) -> Option<()> {
        let (pairs, []) = indices.as_chunks::<2>() else { return None };
        let value = |index: &u32| self.slots.get(*index as usize).map(|slot| slot.view().to_any());
        let entries = pairs.iter().map(|[k, v]| Some((value(k)?, value(v)?))).collect::<Option<Vec<_>>>()?;
        self.push_object(entries_of(info, entries));
        Some(())
    }

    /// Begins an object. If it is given up, the table is empty afterwards: its values may be gone with the object.
    #[inline(always)]
    pub(crate) fn object(&mut self, info: Buildable) -> PartialObject<'_> {
        PartialObject { values: Values(self), builder: info.builder() }
    }

    /// The value with index `root`; `None`: there is none.
    pub(crate) fn finish(self, root: u32) -> Option<Any> {
        self.slots.get(root as usize).map(|slot| slot.view().to_any())
    }
}

/// A table that is emptied when this is dropped.
struct Values<'a>(&'a mut Assembly);

impl Drop for Values<'_> {
    fn drop(&mut self) {
        self.0.slots.clear();
    }
}

/// An object in the making, with the values of which it is made.
pub(crate) struct PartialObject<'a> {
    // Dropped first: objects that only the builder keeps alive may be lent.
    values: Values<'a>,
    builder: ObjectBuilder,
}

/// A field of an object in the making that has no value yet.
pub(crate) struct PartialField<'a> {
    /// The field itself.
    pub(crate) vacant: VacantField<'a>,
    slots: &'a mut [Slot],
}

impl PartialObject<'_> {
    /// The field with index `index`, if there is one and it has no value.
    #[inline(always)]
    pub(crate) fn field(&mut self, index: usize) -> Option<PartialField<'_>> {
        Some(PartialField { vacant: self.builder.vacant(index)?, slots: &mut self.values.0.slots })
    }

    /// Adds the object to the table. `None`: a field has neither a value nor a default.
    #[inline(always)]
    pub(crate) fn finish(self) -> Option<()> {
        let PartialObject { values, builder } = self;
        let object = builder.build().ok()?;
        values.0.push_object(object);
        std::mem::forget(values);
        Some(())
    }
}

impl PartialField<'_> {
    /// Sets the field to the value with index `node`. `None`: there is no such value, or the field does not take it.
    #[inline(always)]
    pub(crate) fn set_node(self, node: u32) -> Option<()> {
        let slot = self.slots.get_mut(node as usize)?;
        match (self.vacant.info().storage(), &mut *slot) {
            (Storage::OptionalObject, Slot::Own(Any::None)) => self.vacant.set_none().then_some(()),
            (Storage::Object | Storage::OptionalObject, slot) => {
                // SAFETY: the handle goes into the object in the making, or back into the slot. The former is added to
                // the table, or goes and the values of the table with it.
                let object = unsafe { slot.lend() }?;
                match self.vacant.set_object(object) {
                    Ok(()) => Some(()),
                    Err(object) => {
                        *slot = Slot::Own(Any::Object(object));
                        None
                    }
                }
            }
            (_, slot) => self.vacant.set_any(slot.view().to_any()).ok(),
        }
    }
}
