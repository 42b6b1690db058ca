//! [`Children`]: an iteration over the values in an object: the fields of a node, the elements of an array, or the keys
//! and values of a map.

use std::ops::Range;

use crate::container::ArrayView;
use crate::object::access::region::DefRegionKind;
use crate::object::model::any::AnyView;
use crate::object::model::field_info::{FieldInfo, Storage};
use crate::object::model::keywords::FieldRole;
use crate::object::model::object_ref::ObjectView;
use crate::object::model::plan::{ChildField, ChildLayout};

/// The slot of a child in its parent.
#[derive(Clone, Copy)]
pub(crate) enum ChildSlot<'a> {
    /// The value of a field.
    Field(&'static FieldInfo),
    /// The element with this index.
    Item(usize),
    /// This key of a map.
    Key(AnyView<'a>),
    /// The value for this key.
    Value(AnyView<'a>),
}

/// The child of `object` with number `index`: the field of a node or the element of an array with this index; in a map,
/// the key of entry `index / 2` if `index` is even, and the value of this entry if `index` is odd.
#[inline]
pub(crate) fn child<'a>(
    object: ObjectView<'a>,
    child_layout: ChildLayout,
    index: usize,
) -> Option<(AnyView<'a>, FieldRole)> {
    match child_layout {
        ChildLayout::None => None,
        ChildLayout::Fields => {
            let field = object.type_info().fields.get(index)?;
            // SAFETY: it is a field of the object's own type.
            Some((unsafe { field.get_unchecked(object) }, field.meta.role))
        }
        ChildLayout::Items => Some((object.as_array()?.get(index)?, FieldRole::Content)),
        ChildLayout::Entries => {
            let (key, value) = object.as_map()?.entry(index / 2)?;
            Some((if index.is_multiple_of(2) { key } else { value }, FieldRole::Content))
        }
    }
}

/// The first child that is an object, from number `from` on, and its number.
#[inline(always)]
pub(crate) fn object_child<'a>(
    object: ObjectView<'a>,
    child_layout: ChildLayout,
    from: usize,
) -> Option<(usize, ObjectView<'a>, FieldRole)> {
    if child_layout != ChildLayout::Fields {
        return object_in_container(object, child_layout, from);
    }
    // SAFETY: a plan has bits for the fields of its type only.
    unsafe { object_in_fields(object, &mut object.type_info().plan.object_fields_from(from)) }
}

/// The first of the fields in `rest` whose value is an object, with its number. The call removes the fields that it has read
/// from `rest`, which has a bit for each field.
///
/// # Safety
/// All fields in `rest` are fields of the object's type.
#[inline(always)]
unsafe fn object_in_fields<'a>(object: ObjectView<'a>, rest: &mut u64) -> Option<(usize, ObjectView<'a>, FieldRole)> {
    let info = object.type_info();
    debug_assert!(*rest & !info.plan.object_fields == 0, "they are fields that can hold objects");
    while *rest != 0 {
        let index = rest.trailing_zeros() as usize;
        *rest &= *rest - 1;
        // SAFETY: by the contract.
        let field = unsafe { info.fields.get_unchecked(index) };
        let value = match field.storage {
            // SAFETY: it is a field of the object's own type, so a value of its storage lies at the offset: a pointer,
            // which is null only for `None`.
            Storage::Object | Storage::OptionalObject => unsafe {
                object.at(field.offset).cast::<Option<ObjectView<'a>>>().read()
            },
            // SAFETY: as above.
            _ => unsafe { field.get_unchecked(object) }.as_object(),
        };
        if let Some(value) = value {
            return Some((index, value, field.meta.role));
        }
    }
    None
}

/// As [`object_child`], for arrays and maps.
fn object_in_container<'a>(
    object: ObjectView<'a>,
    child_layout: ChildLayout,
    from: usize,
) -> Option<(usize, ObjectView<'a>, FieldRole)> {
    if let Some(ArrayView::Objects(items)) = object.as_array() {
        return items.get(from).map(|item| (from, item.view(), FieldRole::Content));
    }
    let mut index = from;
    while let Some((value, role)) = child(object, child_layout, index) {
        if let AnyView::Object(value) = value {
            return Some((index, value, role));
        }
        index += 1;
    }
    None
}

/// The objects in the fields of an object, for types whose plan lists these fields.
#[derive(Clone)]
pub(crate) struct FieldObjects<'a> {
    object: ObjectView<'a>,
    fields: std::slice::Iter<'static, ChildField>,
}

impl<'a> FieldObjects<'a> {
    /// The objects in the fields of `object`. `None` if the plan has no list.
    #[inline(always)]
    pub(crate) fn of(object: ObjectView<'a>) -> Option<Self> {
        Some(FieldObjects { object, fields: object.type_info().plan.child_fields.get()?.iter() })
    }

    /// Whether `object` has no children. The answer can be `false` for an object of which several fields can hold objects
    /// and none does: most such types have a field that always does. `None` if the plan has no list.
    #[inline(always)]
    pub(crate) fn are_none(object: ObjectView<'_>) -> Option<bool> {
        Some(match object.type_info().plan.child_fields.get()? {
            [] => true,
            // SAFETY: the list is of the object's type.
            [field] => unsafe { field.object(object) }.is_none(),
            _ => false,
        })
    }
}

/// The number of the child, and the child.
impl<'a> Iterator for FieldObjects<'a> {
    type Item = (usize, ObjectView<'a>);

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        for field in self.fields.by_ref() {
            // SAFETY: the list is of the object's type.
            if let Some(child) = unsafe { field.object(self.object) } {
                if let Some(next) = self.fields.as_slice().first() {
                    // SAFETY: as above.
                    prefetch(unsafe { next.object(self.object) });
                }
                return Some((usize::from(field.index), child));
            }
        }
        None
    }
}

/// Asks the processor to read the start of an object that an operation visits soon. In a graph that the caches of the
/// processor do not have, the wait for the memory takes most of the time of a walk.
#[inline(always)]
fn prefetch(object: Option<ObjectView<'_>>) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = object.map_or(std::ptr::null_mut(), |object| object.as_ptr().as_ptr());
        // SAFETY: a prefetch accesses no memory: any address is allowed.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(start.cast_const().cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = object;
}

/// The slot in `object` of the child with number `index`.
pub(crate) fn slot<'a>(object: ObjectView<'a>, child_layout: ChildLayout, index: usize) -> Option<ChildSlot<'a>> {
    match child_layout {
        ChildLayout::None => None,
        ChildLayout::Fields => object.type_info().fields.get(index).map(ChildSlot::Field),
        ChildLayout::Items => Some(ChildSlot::Item(index)),
        ChildLayout::Entries => {
            let (key, _) = object.as_map()?.entry(index / 2)?;
            Some(if index.is_multiple_of(2) { ChildSlot::Key(key) } else { ChildSlot::Value(key) })
        }
    }
}

/// Whether the child with number `index` is in no region if `object` is in none. The answer `false` can also mean that this
/// is not known without the child.
#[inline]
pub(crate) fn stays_in_no_region(object: ObjectView<'_>, index: usize) -> bool {
    let info = object.type_info();
    let binds = |field: &FieldInfo| matches!(field.meta.role, FieldRole::Def | FieldRole::DefSimple);
    info.hooks.is_none() && !info.fields.get(index).is_some_and(binds)
}

/// The region of the child with number `index`, if the region of `object` is `own`.
pub(crate) fn region_of_child(
    object: ObjectView<'_>,
    child_layout: ChildLayout,
    index: usize,
    own: DefRegionKind,
) -> DefRegionKind {
    let inner = own.below(object.type_info().kind);
    match child(object, child_layout, index) {
        Some((AnyView::Object(value), role)) => inner.child(object, value, role),
        _ => inner,
    }
}

/// The remaining children of one object.
#[derive(Clone)]
pub(crate) struct Children<'a> {
    object: ObjectView<'a>,
    child_layout: ChildLayout,
    /// The number after the last returned child.
    next: usize,
    /// The fields that [`next_object`](Self::next_object) has not read: bit `i` for the field with index `i`.
    rest: u64,
}

impl<'a> Children<'a> {
    /// All children of `object`.
    #[inline]
    pub(crate) fn of(object: ObjectView<'a>) -> Self {
        let plan = &object.type_info().plan;
        Children { object, child_layout: plan.child_layout, next: 0, rest: plan.object_fields }
    }

    /// Whether objects of this type have no children.
    #[inline]
    pub(crate) fn is_none(&self) -> bool {
        self.child_layout == ChildLayout::None
    }

    /// The object.
    pub(crate) fn object(&self) -> ObjectView<'a> {
        self.object
    }

    /// The next child.
    #[inline]
    pub(crate) fn next_value(&mut self) -> Option<(AnyView<'a>, FieldRole)> {
        let found = child(self.object, self.child_layout, self.next)?;
        self.next += 1;
        Some(found)
    }

    /// The next child that is an object. The call does not read fields that cannot hold one. A user of this function calls no
    /// other function that returns children.
    #[inline(always)]
    pub(crate) fn next_object(&mut self) -> Option<(ObjectView<'a>, FieldRole)> {
        let (index, object, role) = match self.child_layout {
            // SAFETY: `rest` is a part of the fields in the plan of the object's type.
            ChildLayout::Fields => unsafe { object_in_fields(self.object, &mut self.rest)? },
            ChildLayout::None => return None,
            layout => object_in_container(self.object, layout, self.next)?,
        };
        self.next = index + 1;
        Some((object, role))
    }

    /// The number of the last returned child.
    #[inline(always)]
    pub(crate) fn last_number(&self) -> usize {
        self.next.wrapping_sub(1)
    }

    /// Passes the elements of an array in the first of these ranges, which are in order, if the next element is among them. Removes
    /// the ranges that are passed.
    pub(crate) fn pass(&mut self, elements: &mut std::vec::IntoIter<Range<usize>>) {
        while let Some(first) = elements.as_slice().first()
            && first.start <= self.next
        {
            self.next = self.next.max(first.end);
            elements.next();
        }
    }

    /// The next child that JSON may write as a separate node: in a node, the next field that can hold an object.
    #[inline(always)]
    pub(crate) fn next_reference(&mut self) -> Option<AnyView<'a>> {
        if self.child_layout != ChildLayout::Fields {
            return self.next_value().map(|(value, _)| value);
        }
        let info = self.object.type_info();
        let index = info.plan.object_fields_from(self.next).trailing_zeros() as usize;
        let field = info.fields.get(index)?;
        self.next = index + 1;
        // SAFETY: it is a field of the object's own type.
        Some(unsafe { field.get_unchecked(self.object) })
    }

    /// Moves to the child with number `number`, and returns it.
    pub(crate) fn at(&mut self, number: usize) -> Option<(AnyView<'a>, FieldRole)> {
        self.next = number + 1;
        child(self.object, self.child_layout, number)
    }

    /// The region of the last returned child, if the region of the object is `own`.
    pub(crate) fn region_of_last(&self, own: DefRegionKind) -> DefRegionKind {
        match self.next.checked_sub(1) {
            Some(last) => region_of_child(self.object, self.child_layout, last, own),
            None => own,
        }
    }

    /// Whether the last returned child is the key of a map.
    pub(crate) fn is_at_key(&self) -> bool {
        self.child_layout == ChildLayout::Entries && self.last_number().is_multiple_of(2)
    }

    /// The slot of the last returned child.
    pub(crate) fn slot(&self) -> Option<ChildSlot<'a>> {
        slot(self.object, self.child_layout, self.next.checked_sub(1)?)
    }
}

impl<'a> ObjectView<'a> {
    /// The objects among the fields, the elements, or the keys and values of this object, in order.
    pub fn object_children(self) -> impl Iterator<Item = ObjectView<'a>> {
        let mut children = Children::of(self);
        std::iter::from_fn(move || children.next_object().map(|(object, _)| object))
    }
}
