//! [`Assembly`]: a table of values for building a graph bottom-up, where each value may contain earlier ones.

use std::ptr::NonNull;

use crate::container::array::{bounded_sequence, sequence_of};
use crate::container::elements::ElementBound;
use crate::container::map::entries_of_file;
use crate::object::{
    Any, AnyView, Buildable, Header, ObjectBuilder, ObjectRef, ObjectView, Storage, TypeInfo, VacantField,
};
use crate::value::Str;

/// An entry of the table.
enum Slot {
    /// A value that is not an object, or an object that no other object of the table contains yet.
    Own(Any),
    /// An object whose handle has moved into another object of the table, which keeps it alive as long as the table.
    Lent(NonNull<Header>),
}

const _: () = assert!(size_of::<Slot>() == 16);

impl Slot {
    #[inline(always)]
    fn view(&self) -> AnyView<'_> {
        match self {
            Slot::Own(value) => value.view(),
            // SAFETY: an object of the table keeps this one alive as long as the table, from which the slot is
            // borrowed.
            Slot::Lent(object) => AnyView::Object(unsafe { ObjectView::from_raw(*object) }),
        }
    }

    /// A handle of the object, if the value is an object. The first call moves the handle out of the slot; later calls
    /// clone it.
    ///
    /// # Safety
    /// The caller moves the handle into an object that it adds to the table or puts it back into the slot, or nothing
    /// reads the table afterwards.
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

/// A table of values in which each value may contain earlier ones.
///
/// The first object that contains another object takes the handle of that object out of the table, so the reference
/// count of an object with one parent never changes. Changes of reference counts would take a large part of the time to
/// build a graph.
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

    /// Adds an object. `Vec::push` would copy the slot as a whole directly after the stores of its parts, and such a
    /// load has to wait for these stores.
    #[inline(always)]
    fn push_object(&mut self, object: ObjectRef) {
        if self.slots.len() == self.slots.capacity() {
            self.slots.reserve(1);
        }
        let len = self.slots.len();
        if let Some(place) = self.slots.spare_capacity_mut().first_mut() {
            place.write(Slot::Own(Any::Object(object)));
            // SAFETY: the vector has the capacity for one more slot, which is initialized.
            unsafe { self.slots.set_len(len + 1) };
        }
    }

    /// Adds a sequence of the type `info` with the values that have the given indices. `None` if an index is out of
    /// bounds.
    #[inline]
    pub(crate) fn push_sequence(&mut self, info: &'static TypeInfo, indices: &[u32]) -> Option<()> {
        let mut elements = ElementBound::default();
        for index in indices {
            elements = elements.with(self.slots.get(*index as usize)?.view());
        }
        let array = if elements.are_objects() {
            // SAFETY: the handles move into a sequence, which is added to the table below.
            let objects = indices.iter().map(|index| match unsafe { self.slots[*index as usize].lend() } {
                Some(object) => object,
                None => unreachable!("the bound says that all values are objects"),
            });
            bounded_sequence(info, elements, objects)
        } else {
            sequence_of(info, indices.iter().map(|index| self.slots[*index as usize].view().to_any()).collect())
        };
        self.push_object(array);
        Some(())
    }

    /// Adds a map of the type `info` with the keys and values that have the given indices, in turn. `None` if an index
    /// is out of bounds, or if the last key has no value.
    pub(crate) fn push_entries(&mut self, info: &'static TypeInfo, indices: &[u32]) -> Option<()> {
        let (pairs, []) = indices.as_chunks::<2>() else { return None };
        if indices.iter().any(|index| *index as usize >= self.slots.len()) {
            return None;
        }
        let value = |index: u32| self.slots[index as usize].view().to_any();
        let map = entries_of_file(info, pairs.iter().map(|[key, of]| (value(*key), value(*of))));
        self.push_object(map);
        Some(())
    }

    /// Begins an object with fields. If the result is dropped without [`finish`](PartialObject::finish), the table
    /// becomes empty, because values of the table may have been dropped with the object.
    #[inline(always)]
    pub(crate) fn object(&mut self, info: Buildable) -> PartialObject<'_> {
        PartialObject { values: Values(self), builder: info.builder() }
    }

    /// The value with index `root`; `None` if the index is out of bounds.
    pub(crate) fn finish(self, root: u32) -> Option<Any> {
        self.slots.get(root as usize).map(|slot| slot.view().to_any())
    }
}

/// Empties the table when it is dropped.
struct Values<'a>(&'a mut Assembly);

impl Drop for Values<'_> {
    fn drop(&mut self) {
        self.0.slots.clear();
    }
}

/// An object under construction, with the table of the values for its fields.
pub(crate) struct PartialObject<'a> {
    // Dropped before the builder: the table may refer to objects that only the builder keeps alive.
    values: Values<'a>,
    builder: ObjectBuilder,
}

/// A field without a value in an object under construction.
pub(crate) struct PartialField<'a> {
    /// The field.
    pub(crate) vacant: VacantField<'a>,
    slots: &'a mut [Slot],
}

impl PartialObject<'_> {
    /// The field with index `index`, if the index is in bounds and the field has no value.
    #[inline(always)]
    pub(crate) fn field(&mut self, index: usize) -> Option<PartialField<'_>> {
        Some(PartialField { vacant: self.builder.vacant(index)?, slots: &mut self.values.0.slots })
    }

    /// Adds the object to the table. `None` if a field has neither a value nor a default; then the table becomes empty.
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
    /// Sets the field to the value with index `node`. `None` if the index is out of bounds, or if the field does not
    /// accept the value.
    #[inline(always)]
    pub(crate) fn set_node(self, node: u32) -> Option<()> {
        let slot = self.slots.get_mut(node as usize)?;
        match (self.vacant.info().storage(), &mut *slot) {
            (Storage::OptionalObject, Slot::Own(Any::None)) => self.vacant.set_none().then_some(()),
            (Storage::Object | Storage::OptionalObject, slot) => {
                // SAFETY: the handle moves into the object under construction, or back into the slot. The object is
                // added to the table later, or its drop empties the table.
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
