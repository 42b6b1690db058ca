//! Changes of an [`Array`] in place, by the methods of `Vec`. An array that other handles share is copied first.
//!
//! Two invariants hold after each change: the bound in the fixed data is a bound of all elements, and the array has the layout of
//! objects if and only if all elements are objects. The handle of the changed array is the only one, so no other handle or rule
//! depends on the bound, and its own type accepts every new element.

use std::ops::{DerefMut, IndexMut};
use std::slice::SliceIndex;

use crate::container::array::{ARRAY, Array, Objects, Values, copy_sequence_with, sequence_of};
use crate::container::array_meta::ArrayMeta;
use crate::container::array_view::ArrayView;
use crate::container::elements::ElementBound;
use crate::container::stored::lend_mut;
use crate::object::{Any, FieldType, ObjectHandle, ObjectRef};
use crate::scalar::{DataType, Device};

/// Methods that change the array. If other handles share it, they first replace this handle by a handle of a copy, as
/// [`make_mut`](crate::object::MakeMut::make_mut) does. The array remembers the room for elements that it no longer has, as a `Vec` does.
impl<T: FieldType> Array<T> {
    /// Adds `item` at the end, in amortized constant time.
    ///
    /// An array stores objects and other values in different forms. So the first value of the other kind, in an array of
    /// [`Any`] or of `Option`, takes time linear in the number of elements.
    ///
    /// ```
    /// use object_core::Array;
    ///
    /// let mut array = Array::from([1]);
    /// let old = array.clone();
    /// array.push(2);
    /// array.push(3);
    /// assert_eq!(array, [1, 2, 3]);
    /// assert_eq!(old, [1]);
    /// ```
    pub fn push(&mut self, item: impl Into<T>) {
        push(&mut self.object, item.into().into_any());
    }

    /// Removes the last element and returns it; `None` if the array is empty. It takes constant time, unless it removes a value
    /// that is not an object from an array of several kinds of values.
    pub fn pop(&mut self) -> Option<T> {
        pop(&mut self.object).map(owned)
    }

    /// Puts `item` at the index `index`, before the element that is there.
    ///
    /// ```
    /// use object_core::Array;
    ///
    /// let mut array = Array::from([1, 3]);
    /// array.insert(1, 2);
    /// assert_eq!(array.remove(0), 1);
    /// assert_eq!(array, [2, 3]);
    /// ```
    ///
    /// # Panics
    /// If `index` is greater than the number of elements.
    pub fn insert(&mut self, index: usize, item: impl Into<T>) {
        let len = self.len();
        assert!(index <= len, "the index is {index}, but the array has {len} elements");
        self.push(item);
        rotate(&mut self.object, index, len - index);
    }

    /// Removes the element at the index `index` and returns it. The elements after it move forward.
    ///
    /// # Panics
    /// If `index` is out of bounds.
    pub fn remove(&mut self, index: usize) -> T {
        let len = self.len();
        assert!(index < len, "the index is {index}, but the array has {len} elements");
        make_unique(&mut self.object);
        rotate(&mut self.object, index, 1);
        match self.pop() {
            Some(item) => item,
            None => unreachable!("the array has an element"),
        }
    }

    /// Replaces the element at the index `index` by `item`, and returns the old element.
    ///
    /// ```
    /// use object_core::{Any, Array};
    ///
    /// let mut array = Array::<Any>::from([Any::from(1), Any::from("b")]);
    /// assert_eq!(array.set(0, "a"), Any::from(1));
    /// assert_eq!(array.to_string(), r#"["a", "b"]"#);
    /// ```
    ///
    /// # Panics
    /// If `index` is out of bounds.
    pub fn set(&mut self, index: usize, item: impl Into<T>) -> T {
        let len = self.len();
        assert!(index < len, "the index is {index}, but the array has {len} elements");
        owned(set(&mut self.object, index, item.into().into_any()))
    }

    /// Swaps the elements at the indices `a` and `b`.
    ///
    /// # Panics
    /// If an index is out of bounds.
    pub fn swap(&mut self, a: usize, b: usize) {
        make_unique(&mut self.object);
        swap(&mut self.object, a, b);
    }

    /// Removes all elements.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Removes the elements after the first `len`.
    pub fn truncate(&mut self, len: usize) {
        while self.len() > len {
            pop(&mut self.object);
        }
    }

    /// Removes the elements for which `keep` returns `false`.
    ///
    /// ```
    /// use object_core::Array;
    ///
    /// let mut array = Array::from([3, 1, 2]);
    /// array.retain(|n| *n != 1);
    /// array.sort_by(|a, b| a.cmp(b));
    /// assert_eq!(array, [2, 3]);
    /// ```
    pub fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        self.edit(|items| items.retain(keep));
    }

    /// Sorts the elements by `compare`. Equal elements keep their order.
    ///
    /// # Panics
    /// It may panic if `compare` is not a total order, as [`slice::sort_by`] does.
    pub fn sort_by(&mut self, compare: impl FnMut(&T, &T) -> std::cmp::Ordering) {
        self.edit(|items| items.sort_by(compare));
    }

    /// Changes the elements as a vector, in time linear in their number: for all methods of `Vec` that the array lacks.
    ///
    /// ```
    /// use object_core::Array;
    ///
    /// let mut array = Array::from([1, 2, 2, 5]);
    /// let removed: Vec<i64> = array.edit(|items| {
    ///     items.dedup();
    ///     items.splice(1..2, [3, 4]).collect()
    /// });
    /// assert_eq!((array.to_vec(), removed), (vec![1, 3, 4, 5], vec![2]));
    /// ```
    ///
    /// If `change` panics, the array has the elements that the vector has then.
    pub fn edit<R>(&mut self, change: impl FnOnce(&mut Vec<T>) -> R) -> R {
        make_unique(&mut self.object);
        let items = take(&mut self.object).into_iter().map(owned).collect();
        change(&mut Edited { array: self, items }.items)
    }
}

impl<T: FieldType> Extend<T> for Array<T> {
    /// Adds `items` at the end, in time linear in their number. If other handles share the array, this handle refers to a copy
    /// afterwards.
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

impl<'a, T: FieldType + Copy> Extend<&'a T> for Array<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, items: I) {
        self.extend(items.into_iter().copied());
    }
}

/// The elements of an array as a vector. Dropping it puts them into the array, which is empty and has no other handle.
struct Edited<'a, T: FieldType> {
    array: &'a mut Array<T>,
    items: Vec<T>,
}

impl<T: FieldType> Drop for Edited<'_, T> {
    fn drop(&mut self) {
        let items = std::mem::take(&mut self.items).into_iter().map(FieldType::into_any).collect();
        fill(&mut self.array.object, items);
    }
}

impl<H: ObjectHandle> Array<H> {
    /// The elements as a slice of handles that can be replaced, and changed by `make_mut`. An array of handles also dereferences to
    /// this slice: `array[0] = x`, `array.iter_mut()`, `array.sort_by_key(...)`.
    ///
    /// ```
    /// use object_core::prelude::*;
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "edit.Item")]
    /// #[structural_eq(tree)]
    /// struct ItemNode {
    ///     size: i64,
    /// }
    ///
    /// let mut items = Array::from([Item::new(2), Item::new(1)]);
    /// items[0].make_mut().size = 5;
    /// for item in items.as_mut_slice() {
    ///     item.make_mut().size += 1;
    /// }
    /// items.reverse();
    /// assert_eq!(items.iter().map(|item| item.size).collect::<Vec<_>>(), [2, 6]);
    /// ```
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [H] {
        make_unique(&mut self.object);
        // SAFETY: the handle is the only one and is borrowed mutably. All elements of an array of handles are objects, so it has this
        // layout.
        let (meta, items) = unsafe { Objects::parts_mut(self.object.as_ptr()) };
        // The caller may put any object into the array that `H` accepts.
        if !items.is_empty() {
            meta.set_bound(ElementBound::of_type::<H>());
        }
        // SAFETY: `H` accepts every element, and is a transparent wrapper of `ObjectRef`. The caller writes only handles of this type,
        // which the new bound allows.
        unsafe { std::slice::from_raw_parts_mut(items.as_mut_ptr().cast::<H>(), items.len()) }
    }
}

impl<H: ObjectHandle> DerefMut for Array<H> {
    fn deref_mut(&mut self) -> &mut [H] {
        self.as_mut_slice()
    }
}

impl<H: ObjectHandle, I: SliceIndex<[H]>> IndexMut<I> for Array<H> {
    /// # Panics
    /// If `index` is out of bounds.
    fn index_mut(&mut self, index: I) -> &mut I::Output {
        &mut self.as_mut_slice()[index]
    }
}

impl<'a, H: ObjectHandle> IntoIterator for &'a mut Array<H> {
    type Item = &'a mut H;
    type IntoIter = std::slice::IterMut<'a, H>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_mut_slice().iter_mut()
    }
}

/// Lends the elements of arrays of plain values for changes.
macro_rules! lend_plain_elements {
    ($($plain:ty),*) => {$(
        impl IndexMut<usize> for Array<$plain> {
            /// # Panics
            /// If `index` is out of bounds.
            fn index_mut(&mut self, index: usize) -> &mut $plain {
                let len = self.len();
                assert!(index < len, "the index is {index}, but the array has {len} elements");
                make_unique(&mut self.object);
                // SAFETY: the handle is the only one and is borrowed mutably. An array with a plain value has this layout.
                let (_, items) = unsafe { Values::parts_mut(self.object.as_ptr()) };
                // A change of the value does not change its kind, so the bound stays.
                lend_mut(&mut items[index])
            }
        }
    )*};
}

lend_plain_elements!(i64, f64, bool, DataType, Device);

/// An element as a `T`. The handle of the array accepts only arrays whose elements `T` accepts.
fn owned<T: FieldType>(element: Any) -> T {
    match element.cast() {
        Ok(element) => element,
        Err(error) => unreachable!("the handle accepts only arrays of its element type: {error}"),
    }
}

// The code below is compiled once for all types of elements. Each `array` is the handle of an array, borrowed mutably.

/// Replaces the handle by a handle of a copy if it is not the only one.
fn make_unique(array: &mut ObjectRef) {
    if array.is_unique() {
        return;
    }
    match copy_sequence_with(array.view(), |item| Some(item.to_object())) {
        Some(copy) => *array = copy,
        None => unreachable!("the object is an array, and each element is its own copy"),
    }
}

/// The fixed data.
fn meta(array: &ObjectRef) -> ArrayMeta {
    // SAFETY: the object is an array, and both layouts have the same fixed part.
    *unsafe { Objects::meta(array.view()) }
}

/// Changes the bound of an array that has one handle.
fn set_bound(array: &mut ObjectRef, bound: ElementBound) {
    debug_assert!(bound.are_objects() == meta(array).are_objects(), "the bound decides the layout");
    // SAFETY: the handle is the only one and is borrowed mutably, and both layouts have the same fixed part.
    unsafe { Objects::meta_mut(array.as_ptr()) }.set_bound(bound);
}

fn push(array: &mut ObjectRef, value: Any) {
    make_unique(array);
    let old = meta(array);
    let bound = old.bound().with(value.view());
    if old.are_objects() != bound.are_objects() {
        let mut items = take(array);
        items.push(value);
        return fill(array, items);
    }
    // SAFETY: the handle is the only one and is borrowed mutably. The bound decides the layout, which stays.
    unsafe {
        match value {
            Any::Object(object) if old.are_objects() => Objects::push(array, object),
            value => Values::push(array, value),
        }
    }
    set_bound(array, bound);
}

fn pop(array: &mut ObjectRef) -> Option<Any> {
    make_unique(array);
    // SAFETY: the handle is the only one and is borrowed mutably. The bound decides the layout.
    let last =
        unsafe { if meta(array).are_objects() { Objects::pop(array).map(Any::Object) } else { Values::pop(array) } }?;
    let are_objects = meta(array).are_objects();
    if are_objects && array.view().as_array().is_some_and(ArrayView::is_empty) {
        set_bound(array, ElementBound::Empty);
    } else if !are_objects && last.view().as_object().is_none() {
        settle(array);
    }
    Some(last)
}

fn set(array: &mut ObjectRef, index: usize, mut value: Any) -> Any {
    make_unique(array);
    let old = meta(array);
    let bound = old.bound().with(value.view());
    if old.are_objects() != bound.are_objects() {
        let mut items = take(array);
        std::mem::swap(&mut items[index], &mut value);
        fill(array, items);
        return value;
    }
    // SAFETY: the handle is the only one and is borrowed mutably. The bound decides the layout, which stays.
    unsafe {
        match &mut value {
            Any::Object(object) if old.are_objects() => {
                std::mem::swap(&mut Objects::parts_mut(array.as_ptr()).1[index], object);
            }
            value => std::mem::swap(&mut Values::parts_mut(array.as_ptr()).1[index], value),
        }
    }
    set_bound(array, bound);
    if !old.are_objects() && value.view().as_object().is_none() {
        settle(array);
    }
    value
}

/// Gives an array the layout of objects if it has lost its last element that is not one. The search for such an element begins at
/// the end: then removals from the end take time linear in the number of elements, all together.
fn settle(array: &mut ObjectRef) {
    if let Some(ArrayView::Values(items)) = array.view().as_array()
        && items.iter().rev().all(|item| item.view().as_object().is_some())
    {
        let items = take(array);
        fill(array, items);
    }
}

/// Moves all elements out of an array that has one handle.
fn take(array: &mut ObjectRef) -> Vec<Any> {
    if meta(array).are_objects() {
        // SAFETY: the handle is the only one and is borrowed mutably. The bound decides the layout.
        let items = unsafe { Objects::take(array) };
        set_bound(array, ElementBound::Empty);
        return items.into_iter().map(Any::Object).collect();
    }
    // SAFETY: as above.
    let items = unsafe { Values::take(array) };
    // An empty array has the layout of objects.
    *array = sequence_of(&ARRAY, Vec::new());
    items
}

/// Puts elements into an empty array that has one handle, in its own memory if that has room for them.
fn fill(array: &mut ObjectRef, items: Vec<Any>) {
    let bound = ElementBound::of(items.iter().map(Any::view));
    if !bound.are_objects() {
        *array = sequence_of(&ARRAY, items);
        return;
    }
    for item in items {
        if let Any::Object(item) = item {
            // SAFETY: the handle is the only one and is borrowed mutably. An empty array has the layout of objects.
            unsafe { Objects::push(array, item) };
        }
    }
    set_bound(array, bound);
}

/// Moves the first `count` of the elements from the index `from` on to the end, in an array that has one handle.
fn rotate(array: &mut ObjectRef, from: usize, count: usize) {
    // SAFETY: the handle is the only one and is borrowed mutably. The bound decides the layout.
    unsafe {
        match meta(array).are_objects() {
            true => Objects::parts_mut(array.as_ptr()).1[from..].rotate_left(count),
            false => Values::parts_mut(array.as_ptr()).1[from..].rotate_left(count),
        }
    }
}

/// Swaps two elements of an array that has one handle.
fn swap(array: &mut ObjectRef, a: usize, b: usize) {
    // SAFETY: the handle is the only one and is borrowed mutably. The bound decides the layout.
    unsafe {
        match meta(array).are_objects() {
            true => Objects::parts_mut(array.as_ptr()).1.swap(a, b),
            false => Values::parts_mut(array.as_ptr()).1.swap(a, b),
        }
    }
}
