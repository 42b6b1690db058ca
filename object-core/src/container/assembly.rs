//! [`Assembly`]: a table of values for building a graph whose values refer to each other by index.

use std::ptr::NonNull;

use crate::container::array::{bounded_sequence, sequence_of};
use crate::container::elements::ElementBound;
use crate::container::map::entries_of_file;
use crate::error::Result;
use crate::object::{
    Any, AnyView, Buildable, Header, ObjectBuilder, ObjectRef, ObjectView, Storage, TypeInfo, VacantField,
};
use crate::value::Str;

/// An entry of the table.
enum Slot {
    /// The place has no value yet.
    Empty,
    /// A value that is not an object, or an object that no other object of the table contains yet.
    Own(Any),
    /// An object whose handle has moved into another object of the table, which keeps it alive as long as the table.
    Lent(NonNull<Header>),
}

const _: () = assert!(size_of::<Slot>() == 16);

impl Slot {
    /// The value; `None` for an empty place.
    #[inline(always)]
    fn view(&self) -> Option<AnyView<'_>> {
        match self {
            Slot::Empty => None,
            Slot::Own(value) => Some(value.view()),
            // SAFETY: an object of the table, or one under construction for it, keeps this one alive as long as the table,
            // from which the slot is borrowed.
            Slot::Lent(object) => Some(AnyView::Object(unsafe { ObjectView::from_raw(*object) })),
        }
    }

    /// A handle of the object, if the value is an object. The first call moves the handle out of the slot; later calls
    /// clone it.
    ///
    /// # Safety
    /// The caller moves the handle into an object of the table or one under construction for it, or puts it back into the
    /// slot, or nothing reads the table afterwards.
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
            Slot::Empty | Slot::Own(_) => None,
            Slot::Lent(_) => self.view()?.as_object().map(ObjectView::to_object),
        }
    }
}

/// A table of values that refer to each other by index. A value is added after the values that it contains, but the memory of
/// an object with fields is allocated when the object [begins](Self::object), so a caller that then makes the objects of its
/// fields gets them in the order of a traversal: a walk through such a graph reads memory in nearly ascending order.
///
/// The first object that contains another object takes the handle of that object out of the table, so the reference
/// count of an object with one parent never changes. Changes of reference counts would take a large part of the time to
/// build a graph.
pub(crate) struct Assembly<'t>(&'t mut Vec<Slot>);

/// The memory of an [`Assembly`].
pub(crate) struct AssemblySlots(Vec<Slot>);

impl AssemblySlots {
    /// The bytes of the place of a value.
    pub(crate) const BYTES: usize = size_of::<Slot>();

    /// Memory for `count` values.
    pub(crate) fn with_capacity(count: usize) -> Self {
        AssemblySlots(Vec::with_capacity(count))
    }

    /// The table.
    pub(crate) fn table(&mut self) -> Assembly<'_> {
        Assembly(&mut self.0)
    }
}

impl Assembly<'_> {
    /// The number of values and of places for values.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds places for values, up to `count` places.
    pub(crate) fn extend_to(&mut self, count: usize) {
        // Without the last slots, the slots of the parts of their values would have no owner.
        self.0.resize_with(count.max(self.0.len()), || Slot::Empty);
    }

    /// Whether the table has a place with this index, and the place has no value.
    #[inline(always)]
    pub(crate) fn is_empty_at(&self, index: u32) -> bool {
        is_empty_at(self.0, index)
    }

    /// Adds a value at the place with this index, or at the end of the table. Returns `None` if the table has no place with
    /// this index, or if the place has a value.
    #[inline(always)]
    pub(crate) fn set(&mut self, index: u32, value: Any) -> Option<()> {
        if index as usize == self.0.len() {
            self.0.push(Slot::Own(value));
            return Some(());
        }
        match self.0.get_mut(index as usize) {
            Some(slot @ Slot::Empty) => {
                *slot = Slot::Own(value);
                Some(())
            }
            // The drop of the value there would leave the slots of its parts without an owner.
            _ => None,
        }
    }

    /// Adds a text: see [`set`](Self::set).
    #[inline]
    pub(crate) fn set_text(&mut self, index: u32, text: &str) -> Option<()> {
        self.set(index, Any::Object(Str::new(text).into()))
    }

    /// Adds a sequence of the type `info` with the values that have the given indices. Returns `None` if one of these places
    /// has no value, or as [`set`](Self::set) does.
    #[inline]
    pub(crate) fn set_sequence(&mut self, index: u32, info: &'static TypeInfo, indices: &[u32]) -> Option<()> {
        let mut elements = ElementBound::default();
        for index in indices {
            elements = elements.with(self.0.get(*index as usize)?.view()?);
        }
        if !elements.are_objects() {
            let values = indices.iter().filter_map(|index| Some(self.0[*index as usize].view()?.to_any()));
            return self.set(index, Any::Object(sequence_of(info, values.collect())));
        }
        // The sequence below takes handles out of the table, so its place has to exist before.
        if index as usize != self.0.len() && !self.is_empty_at(index) {
            return None;
        }
        // SAFETY: the handles move into a sequence, which is added to the table below.
        let objects = indices.iter().map(|index| match unsafe { self.0[*index as usize].lend() } {
            Some(object) => object,
            None => unreachable!("the bound says that all values are objects"),
        });
        let sequence = bounded_sequence(info, elements, objects);
        self.set(index, Any::Object(sequence))
    }

    /// Adds a map of the type `info` with the keys and values that have the given indices, in turn. Returns `None` if one of
    /// these places has no value, if the last key comes without a value, or as [`set`](Self::set) does.
    pub(crate) fn set_entries(&mut self, index: u32, info: &'static TypeInfo, indices: &[u32]) -> Option<()> {
        let (pairs, []) = indices.as_chunks::<2>() else { return None };
        let value = |index: u32| self.0.get(index as usize).and_then(Slot::view);
        if indices.iter().any(|index| value(*index).is_none()) {
            return None;
        }
        let value = |index: u32| value(index).map(AnyView::to_any).unwrap_or_default();
        let map = entries_of_file(info, pairs.iter().map(|[key, of]| (value(*key), value(*of))));
        self.set(index, Any::Object(map))
    }

    /// Begins an object with fields. If the result is dropped without [`finish`](PartialObject::finish), the table
    /// becomes empty, because values of the table may have been dropped with the object.
    #[inline(always)]
    pub(crate) fn object(&mut self, info: Buildable) -> PartialObject<'_> {
        PartialObject { values: Values(self.0), builder: info.builder() }
    }

    /// The value at a place; `None` if the table has no value there.
    pub(crate) fn get(&self, index: u32) -> Option<Any> {
        self.0.get(index as usize)?.view().map(AnyView::to_any)
    }
}

/// Whether a table with these slots has a place with this index, and the place has no value.
#[inline(always)]
fn is_empty_at(slots: &[Slot], index: u32) -> bool {
    matches!(slots.get(index as usize), Some(Slot::Empty))
}

/// Empties the table when it is dropped.
struct Values<'a>(&'a mut Vec<Slot>);

impl Drop for Values<'_> {
    fn drop(&mut self) {
        self.0.clear();
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
    /// The table, to add values for the fields.
    #[inline(always)]
    pub(crate) fn table(&mut self) -> Assembly<'_> {
        Assembly(self.values.0)
    }

    /// The field with index `index`, if the index is in bounds and the field has no value.
    #[inline(always)]
    pub(crate) fn field(&mut self, index: usize) -> Option<PartialField<'_>> {
        Some(PartialField { vacant: self.builder.vacant(index)?, slots: self.values.0 })
    }

    /// Adds the object to the table: see [`Assembly::set`]. After an error or `None`, the table is empty.
    ///
    /// # Errors
    /// As [`ObjectBuilder::build`].
    #[inline(always)]
    pub(crate) fn finish(self, index: u32) -> Result<Option<()>> {
        let PartialObject { values, builder } = self;
        let object = builder.build()?;
        let added = Assembly(values.0).set(index, Any::Object(object));
        if added.is_some() {
            std::mem::forget(values);
        }
        Ok(added)
    }
}

impl PartialField<'_> {
    /// Whether the table has a place for the value with index `node`, and the place has no value.
    #[inline(always)]
    pub(crate) fn waits_for(&self, node: u32) -> bool {
        is_empty_at(self.slots, node)
    }

    /// Sets the field to the value with index `node`. Returns `None` if the table has no value with this index, or if the field
    /// does not accept the value.
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
            (_, slot) => self.vacant.set_any(slot.view()?.to_any()).ok(),
        }
    }
}
