//! [`Array`]: an immutable, shared sequence.

use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Index;
use std::ptr::NonNull;

use crate::container::elements::{ElementBound, ElementRule, ElementType, are_alike};
use crate::object::{
    Any, AnyView, Body, FieldContents, FieldType, Header, ObjectHandle, ObjectRef, ObjectView, SliceObject, Storage,
    TypeInfo, TypeSchema, from_object_unchecked, mismatch, slice_info,
};

/// Sequences of objects store bare handles.
type Objects = SliceObject<ElementBound, ObjectRef>;
/// All other sequences store values with their kinds.
type Values = SliceObject<ElementBound, Any>;

pub(crate) static ARRAY: TypeInfo = slice_info("ffi.Array", Body::Array, "A sequence of values.", free);
/// What TVM calls a list can be changed in place there. Here it is an array of another type, so that files with lists can
/// be read, compared and written.
pub(crate) static LIST: TypeInfo = slice_info("ffi.List", Body::Array, "A sequence of values, mutable in TVM.", free);

/// Both layouts have the same fixed part.
unsafe fn free(ptr: NonNull<Header>) {
    // SAFETY: the object is an array, dead but initialized.
    unsafe {
        if Objects::meta(ObjectView::from_raw(ptr)).are_objects() { Objects::free(ptr) } else { Values::free(ptr) }
    }
}

/// An immutable sequence of `T`, shared by counting.
///
/// ```
/// use object_core::Array;
/// let array = Array::from([1, 2, 3]);
/// assert_eq!(array.iter().sum::<i64>(), 6);
/// ```
#[repr(transparent)]
pub struct Array<T> {
    object: ObjectRef,
    marker: PhantomData<fn() -> T>,
}

/// The elements of an array, borrowed.
#[derive(Clone, Copy)]
pub enum ArrayView<'a> {
    /// All elements are objects.
    Objects(&'a [ObjectRef]),
    /// At least one is not.
    Values(&'a [Any]),
}

impl<'a> ArrayView<'a> {
    /// The number of elements.
    #[must_use]
    pub fn len(self) -> usize {
        match self {
            ArrayView::Objects(items) => items.len(),
            ArrayView::Values(items) => items.len(),
        }
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The element with index `index`.
    #[must_use]
    #[inline]
    pub fn get(self, index: usize) -> Option<AnyView<'a>> {
        match self {
            ArrayView::Objects(items) => items.get(index).map(|item| AnyView::Object(item.view())),
            ArrayView::Values(items) => items.get(index).map(Any::view),
        }
    }

    /// The elements in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = AnyView<'a>> + ExactSizeIterator {
        (0..self.len()).map(move |index| self.get(index).unwrap_or_default())
    }
}

/// The elements of an array object.
///
/// # Safety
/// The object's table is [`ARRAY`] or [`LIST`].
unsafe fn view_unchecked(object: ObjectView<'_>) -> ArrayView<'_> {
    // SAFETY: arrays have one of the two layouts; the bound says which.
    unsafe {
        if Objects::meta(object).are_objects() {
            ArrayView::Objects(Objects::items(object))
        } else {
            ArrayView::Values(Values::items(object))
        }
    }
}

impl<'a> ObjectView<'a> {
    /// The elements, if the object is an array.
    #[must_use]
    #[inline]
    pub fn as_array(self) -> Option<ArrayView<'a>> {
        // SAFETY: just checked.
        (self.type_info().body == Body::Array).then(|| unsafe { view_unchecked(self) })
    }
}

/// Whether `object` is a sequence of type `info` whose elements are all as `rule` asks for.
pub(crate) fn is_sequence_of(object: ObjectView<'_>, info: &'static TypeInfo, rule: &impl ElementRule) -> bool {
    std::ptr::eq(object.type_info(), info)
        && object.as_array().is_some_and(|array| {
            // SAFETY: it is an array, in either layout.
            unsafe { Objects::meta(object) }.satisfies(rule, array.iter())
        })
}

// SAFETY: a transparent wrapper; only this file makes objects with this table, in one of the two layouts, and every
// element is checked to be a `T`.
unsafe impl<T: FieldType> ObjectHandle for Array<T> {
    const CONTENTS: FieldContents = T::CONTENTS;

    fn accepts_object(object: ObjectView<'_>) -> bool {
        accepts(object, ElementType::of::<T>())
    }

    fn handle_schema() -> TypeSchema {
        schema(ElementType::of::<T>())
    }

    fn rejected(object: ObjectView<'_>) -> crate::Error {
        rejected(object, ElementType::of::<T>())
    }
}

fn accepts(object: ObjectView<'_>, of: &ElementType) -> bool {
    std::ptr::eq(object.type_info(), &ARRAY)
        && object.as_array().is_some_and(|array| {
            // SAFETY: it is an array, in either layout.
            unsafe { Objects::meta(object) }.all(of, array.iter())
        })
}

fn schema(of: &ElementType) -> TypeSchema {
    TypeSchema { name: ARRAY.type_key, args: vec![(of.schema)()] }
}

fn rejected(object: ObjectView<'_>, of: &ElementType) -> crate::Error {
    let schema = schema(of).to_string();
    let first = object.as_array().and_then(|array| array.iter().enumerate().find(|(_, item)| !(of.accepts)(*item)));
    match first {
        Some((index, item)) => {
            mismatch(&(of.schema)().to_string(), item).context(format_args!("element {index} of a `{schema}`"))
        }
        None => crate::Error::type_mismatch(&schema, object.type_key()),
    }
}

/// A new sequence of any values; `info` is [`ARRAY`] or [`LIST`].
pub(crate) fn sequence_of(info: &'static TypeInfo, items: Vec<Any>) -> ObjectRef {
    let elements = ElementBound::of(items.iter().map(Any::view));
    if !elements.are_objects() {
        // SAFETY: the bound asks for this layout.
        return unsafe { Values::of_items(info, elements, items.into_iter()) };
    }
    let objects = items.into_iter().filter_map(|item| match item {
        Any::Object(object) => Some(object),
        _ => None,
    });
    bounded_sequence(info, elements, objects.collect::<Vec<_>>().into_iter())
}

/// A new sequence of objects; `info` is [`ARRAY`] or [`LIST`].
pub(crate) fn sequence_of_objects(info: &'static TypeInfo, objects: Vec<ObjectRef>) -> ObjectRef {
    let elements = ElementBound::of(objects.iter().map(|object| AnyView::Object(object.view())));
    bounded_sequence(info, elements, objects.into_iter())
}

/// A new sequence of objects that `elements` is the bound of; `info` is [`ARRAY`] or [`LIST`].
#[inline]
pub(super) fn bounded_sequence(
    info: &'static TypeInfo,
    elements: ElementBound,
    objects: impl ExactSizeIterator<Item = ObjectRef>,
) -> ObjectRef {
    debug_assert!(info.body == Body::Array);
    assert!(elements.are_objects(), "the bound is one of objects");
    // SAFETY: all elements are objects, and so says the bound.
    unsafe { Objects::of_items(info, elements, objects) }
}

/// Exchanges the elements of an array for those in `changes`, by index, which are the old ones afterwards. `false`: the array
/// is as it was, since the new elements have no place in its layout, or `accepts` did not hold for the changed array. It is
/// not asked where any rule that takes the old elements takes the new ones.
///
/// # Safety
/// The object is an array that nobody else reads meanwhile, and nobody holds a reference to its elements.
pub(crate) unsafe fn exchange_items(
    array: NonNull<Header>,
    changes: &mut [(usize, Any)],
    accepts: impl FnOnce(ObjectView<'_>) -> bool,
) -> bool {
    // SAFETY: it is an array, in the layout that its bound says.
    unsafe {
        if !Objects::meta(ObjectView::from_raw(array)).are_objects() {
            return exchange(array, changes, std::mem::swap::<Any>, accepts);
        }
        let swap = |item: &mut ObjectRef, new: &mut Any| {
            if let Any::Object(new) = new {
                std::mem::swap(item, new);
            }
        };
        changes.iter().all(|(_, new)| matches!(new, Any::Object(_))) && exchange(array, changes, swap, accepts)
    }
}

/// The same for the layout with elements `T`, each of which `swap` can exchange.
///
/// # Safety
/// As [`exchange_items`], and the array has this layout.
unsafe fn exchange<T: FieldType>(
    array: NonNull<Header>,
    changes: &mut [(usize, Any)],
    swap: impl Fn(&mut T, &mut Any),
    accepts: impl FnOnce(ObjectView<'_>) -> bool,
) -> bool {
    // SAFETY: by the contract.
    let (bound, items) = unsafe { SliceObject::<ElementBound, T>::parts_mut(array) };
    let are_alike = changes.iter().all(|(index, new)| are_alike(items[*index].view(), new.view()));
    changes.iter_mut().for_each(|(index, new)| swap(&mut items[*index], new));
    if are_alike {
        return true;
    }
    let (old, new) = (*bound, ElementBound::of(items.iter().map(T::view)));
    *bound = new;
    // SAFETY: the object is an array; no other reference to it is in use. It is looked at only if it has the layout that
    // its new bound says.
    if old.are_objects() == new.are_objects() && accepts(unsafe { ObjectView::from_raw(array) }) {
        return true;
    }
    // SAFETY: as above.
    let (bound, items) = unsafe { SliceObject::<ElementBound, T>::parts_mut(array) };
    *bound = old;
    changes.iter_mut().for_each(|(index, new)| swap(&mut items[*index], new));
    false
}

impl Array<Any> {
    /// An array of any values.
    #[must_use]
    pub fn from_anys(items: Vec<Any>) -> Self {
        // SAFETY: it is an array, and any values are accepted.
        unsafe { from_object_unchecked(sequence_of(&ARRAY, items)) }
    }
}

impl<T: FieldType> Array<T> {
    /// An array of the given items.
    pub fn new(items: impl IntoIterator<Item = T>) -> Self {
        let items = items.into_iter();
        let mut anys = Vec::with_capacity(items.size_hint().0);
        for item in items {
            anys.push(item.into_any());
        }
        Array { object: sequence_of(&ARRAY, anys), marker: PhantomData }
    }

    fn view(&self) -> ArrayView<'_> {
        // SAFETY: the handle accepts only arrays.
        unsafe { view_unchecked(self.object.view()) }
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.view().len()
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element with index `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<T> {
        let item = self.view().get(index)?;
        // Every element was checked when the handle was made.
        item.cast().ok()
    }

    /// The elements in order, each an owned value.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = T> + ExactSizeIterator + '_ {
        let view = self.view();
        (0..view.len()).map(move |index| match view.get(index).map(AnyView::cast) {
            Some(Ok(item)) => item,
            _ => unreachable!("every element was checked when the handle was made"),
        })
    }

    /// A new array with `item` at the end.
    #[must_use]
    pub fn with(&self, item: T) -> Self {
        self.iter().chain(std::iter::once(item)).collect()
    }
}

impl<H: ObjectHandle> Array<H> {
    /// The elements as a slice of handles.
    #[must_use]
    pub fn as_slice(&self) -> &[H] {
        match self.view() {
            // SAFETY: every element was checked to be one that `H` may point to, and `H` is a transparent wrapper of
            // `ObjectRef`.
            ArrayView::Objects(items) => unsafe { std::slice::from_raw_parts(items.as_ptr().cast::<H>(), items.len()) },
            ArrayView::Values(_) => unreachable!("an array of handles holds objects only"),
        }
    }
}

impl<H: ObjectHandle> Index<usize> for Array<H> {
    type Output = H;

    /// # Panics
    /// If `index` is out of bounds, as for slices.
    fn index(&self, index: usize) -> &H {
        &self.as_slice()[index]
    }
}

impl<'a, H: ObjectHandle> IntoIterator for &'a Array<H> {
    type Item = &'a H;
    type IntoIter = std::slice::Iter<'a, H>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

impl<T> Clone for Array<T> {
    fn clone(&self) -> Self {
        Array { object: self.object.clone(), marker: PhantomData }
    }
}

impl<T: FieldType> Default for Array<T> {
    fn default() -> Self {
        Array::new([])
    }
}

impl<T: FieldType> FromIterator<T> for Array<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Array::new(items)
    }
}

impl<T: FieldType> From<Vec<T>> for Array<T> {
    fn from(items: Vec<T>) -> Self {
        Array::new(items)
    }
}

impl<T: FieldType, const N: usize> From<[T; N]> for Array<T> {
    fn from(items: [T; N]) -> Self {
        // Literals of handles stand in many places, so their way is compiled once for all types.
        if const { matches!(T::STORAGE, Storage::Object) } {
            let items = ManuallyDrop::new(items);
            // SAFETY: the storage says that each item is an object pointer; nothing else drops them.
            let objects = unsafe { take_objects(&raw const items as *const ObjectRef, N) };
            Array { object: sequence_of_objects(&ARRAY, objects), marker: PhantomData }
        } else {
            Array::new(items)
        }
    }
}

/// The `len` handles at `first`.
///
/// # Safety
/// They are there, and nobody drops them afterwards.
unsafe fn take_objects(first: *const ObjectRef, len: usize) -> Vec<ObjectRef> {
    // SAFETY: by the contract.
    (0..len).map(|index| unsafe { first.add(index).read() }).collect()
}

impl<T: FieldType> From<Array<T>> for Any {
    fn from(array: Array<T>) -> Self {
        array.into_any()
    }
}

impl<T> From<Array<T>> for ObjectRef {
    fn from(array: Array<T>) -> Self {
        array.object
    }
}

impl<T> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.object, f)
    }
}

const _: () = assert!(matches!(<Array<Any> as FieldType>::STORAGE, Storage::Object));
