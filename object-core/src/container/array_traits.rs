//! Conversions, iteration and comparison of [`Array`] by the traits of std.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::{Deref, Index, Range};
use std::slice::SliceIndex;

use crate::container::array::Array;
use crate::container::array_view::ArrayView;
use crate::container::stored::{StoredValue, lend};
use crate::error::{Error, Result};
use crate::object::{Any, FieldType, ObjectHandle, ObjectRef, try_from_object};
use crate::scalar::{DataType, Device};

impl<H: ObjectHandle> Deref for Array<H> {
    type Target = [H];

    fn deref(&self) -> &[H] {
        self.as_slice()
    }
}

impl<H: ObjectHandle> AsRef<[H]> for Array<H> {
    fn as_ref(&self) -> &[H] {
        self
    }
}

impl<H: ObjectHandle, I: SliceIndex<[H]>> Index<I> for Array<H> {
    type Output = I::Output;

    /// # Panics
    /// If `index` is out of bounds.
    fn index(&self, index: I) -> &I::Output {
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

/// The elements of an array of plain values in order, borrowed. `for item in &array` makes it.
#[derive(Clone, Debug)]
pub struct PlainIter<'a, T> {
    items: std::slice::Iter<'a, Any>,
    marker: PhantomData<&'a T>,
}

impl<'a, T: StoredValue> Iterator for PlainIter<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        self.items.next().map(lend)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl<T: StoredValue> DoubleEndedIterator for PlainIter<'_, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.items.next_back().map(lend)
    }
}

impl<T: StoredValue> ExactSizeIterator for PlainIter<'_, T> {}
impl<T: StoredValue> FusedIterator for PlainIter<'_, T> {}

/// Lends the elements of arrays of plain values.
macro_rules! lend_plain_elements {
    ($($plain:ty),*) => {$(
        impl Index<usize> for Array<$plain> {
            type Output = $plain;

            /// # Panics
            /// If `index` is out of bounds.
            fn index(&self, index: usize) -> &$plain {
                lend(&values(self.view())[index])
            }
        }

        impl<'a> IntoIterator for &'a Array<$plain> {
            type Item = &'a $plain;
            type IntoIter = PlainIter<'a, $plain>;

            fn into_iter(self) -> Self::IntoIter {
                PlainIter { items: values(self.view()).iter(), marker: PhantomData }
            }
        }
    )*};
}

lend_plain_elements!(i64, f64, bool, DataType, Device);

/// The elements of an array of plain values. Only an empty one has the layout of objects.
fn values(view: ArrayView<'_>) -> &[Any] {
    match view {
        ArrayView::Values(items) => items,
        ArrayView::Objects(_) => &[],
    }
}

/// The elements of an array in order, as owned values. `for item in array` makes it.
#[derive(Clone, Debug)]
pub struct IntoIter<T> {
    array: Array<T>,
    indices: Range<usize>,
}

impl<T: FieldType> IntoIterator for Array<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> IntoIter<T> {
        IntoIter { indices: 0..self.len(), array: self }
    }
}

impl<T: FieldType> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.array.get(self.indices.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indices.size_hint()
    }
}

impl<T: FieldType> DoubleEndedIterator for IntoIter<T> {
    fn next_back(&mut self) -> Option<T> {
        self.array.get(self.indices.next_back()?)
    }
}

impl<T: FieldType> ExactSizeIterator for IntoIter<T> {}
impl<T: FieldType> FusedIterator for IntoIter<T> {}

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

impl<T: FieldType> From<Box<[T]>> for Array<T> {
    fn from(items: Box<[T]>) -> Self {
        Array::new(items)
    }
}

impl<T: FieldType> From<&[T]> for Array<T> {
    fn from(items: &[T]) -> Self {
        items.iter().cloned().collect()
    }
}

impl<T: FieldType> From<&Vec<T>> for Array<T> {
    fn from(items: &Vec<T>) -> Self {
        items.as_slice().into()
    }
}

impl<T: FieldType, const N: usize> From<&[T; N]> for Array<T> {
    fn from(items: &[T; N]) -> Self {
        items.as_slice().into()
    }
}

impl<T: FieldType> From<&Array<T>> for Array<T> {
    fn from(array: &Array<T>) -> Self {
        array.clone()
    }
}

impl<T: FieldType> From<Array<T>> for Vec<T> {
    fn from(array: Array<T>) -> Self {
        array.to_vec()
    }
}

impl<T: FieldType> From<Array<T>> for Any {
    fn from(array: Array<T>) -> Self {
        array.into_any()
    }
}

impl<T: FieldType> From<Vec<T>> for Any {
    fn from(items: Vec<T>) -> Self {
        Array::from(items).into()
    }
}

impl<T: FieldType, const N: usize> From<[T; N]> for Any {
    fn from(items: [T; N]) -> Self {
        Array::from(items).into()
    }
}

impl<T: FieldType> TryFrom<ObjectRef> for Array<T> {
    type Error = Error;

    /// # Errors
    /// [`TypeMismatch`](crate::ErrorKind::TypeMismatch) if the object is not an array, or has an element that is not a `T`.
    fn try_from(object: ObjectRef) -> Result<Self> {
        try_from_object(object)
    }
}

impl<T: FieldType> TryFrom<Any> for Array<T> {
    type Error = Error;

    /// # Errors
    /// As for the conversion from an [`ObjectRef`].
    fn try_from(value: Any) -> Result<Self> {
        value.cast()
    }
}

impl<T: FieldType + PartialEq> PartialEq for Array<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: FieldType + Eq> Eq for Array<T> {}

impl<T: FieldType + PartialOrd> PartialOrd for Array<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.iter().partial_cmp(other.iter())
    }
}

impl<T: FieldType + Ord> Ord for Array<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl<T: FieldType + Hash> Hash for Array<T> {
    fn hash<S: Hasher>(&self, state: &mut S) {
        state.write_usize(self.len());
        self.iter().for_each(|item| item.hash(state));
    }
}

fn same_items<T: FieldType + PartialEq<U>, U>(array: &Array<T>, items: &[U]) -> bool {
    array.len() == items.len() && array.iter().zip(items).all(|(a, b)| a == *b)
}

/// Compares arrays with slices and vectors, in both directions.
macro_rules! compare_slices {
    ($($Slice:ty $(, $N:ident)?;)*) => {$(
        impl<T: FieldType + PartialEq<U>, U $(, const $N: usize)?> PartialEq<$Slice> for Array<T> {
            fn eq(&self, other: &$Slice) -> bool {
                same_items(self, &other[..])
            }
        }

        impl<T: FieldType + PartialEq<U>, U $(, const $N: usize)?> PartialEq<Array<T>> for $Slice {
            fn eq(&self, other: &Array<T>) -> bool {
                same_items(other, &self[..])
            }
        }
    )*};
}

compare_slices! {
    [U];
    &[U];
    Vec<U>;
    [U; N], N;
    &[U; N], N;
}
