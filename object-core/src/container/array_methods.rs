//! The methods of [`Array`], which have the names of the methods of slices and vectors.

use std::ops::{Bound, RangeBounds};

use crate::container::array::Array;
use crate::object::{AnyView, FieldType};

impl<T: FieldType> Array<T> {
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

    /// The element with index `index`; `None` if the index is out of bounds.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<T> {
        self.view().get(index).map(owned)
    }

    /// The first element; `None` if the array is empty.
    #[must_use]
    pub fn first(&self) -> Option<T> {
        self.get(0)
    }

    /// The last element; `None` if the array is empty.
    #[must_use]
    pub fn last(&self) -> Option<T> {
        self.get(self.len().checked_sub(1)?)
    }

    /// Whether an element is equal to `item`.
    #[must_use]
    pub fn contains(&self, item: &T) -> bool
    where
        T: PartialEq,
    {
        self.iter().any(|element| element == *item)
    }

    /// The elements in order, as owned values, for every `T`: arrays of enums and small numbers have no `T` to lend.
    /// `for item in &array` borrows the elements instead, if the array stores values of type `T`, and so does
    /// [`as_slice`](Self::as_slice)`().iter()` of an array of handles.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = T> + ExactSizeIterator + '_ {
        self.view().iter().map(owned)
    }

    /// The elements as a vector.
    #[must_use]
    pub fn to_vec(&self) -> Vec<T> {
        self.iter().collect()
    }

    /// A new array of the elements of this one and `item` at the end. It copies the elements, in time linear in their
    /// number; [`push`](Self::push) changes the array in place.
    #[must_use]
    pub fn with(&self, item: T) -> Self {
        self.iter().chain(std::iter::once(item)).collect()
    }

    /// A new array of the elements of this one and `items` at the end.
    ///
    /// ```
    /// use object_core::Array;
    /// let array = Array::from([1, 2]);
    /// assert_eq!(array.concat(&array), [1, 2, 1, 2]);
    /// ```
    #[must_use]
    pub fn concat(&self, items: &Self) -> Self {
        self.iter().chain(items.iter()).collect()
    }

    /// A new array of the elements whose indices are in `range`.
    ///
    /// ```
    /// use object_core::Array;
    /// let array = Array::from([1, 2, 3]);
    /// assert_eq!(array.slice(1..), [2, 3]);
    /// assert_eq!(array.slice(..=1), [1, 2]);
    /// ```
    ///
    /// # Panics
    /// If the range begins after it ends, or ends after the end of the array.
    #[must_use]
    pub fn slice(&self, range: impl RangeBounds<usize>) -> Self {
        let start = match range.start_bound() {
            Bound::Included(start) => Some(*start),
            Bound::Excluded(before) => before.checked_add(1),
            Bound::Unbounded => Some(0),
        };
        let end = match range.end_bound() {
            Bound::Included(last) => last.checked_add(1),
            Bound::Excluded(end) => Some(*end),
            Bound::Unbounded => Some(self.len()),
        };
        let (Some(start), Some(end)) = (start, end) else { panic!("a bound of the range does not fit `usize`") };
        assert!(start <= end, "the range begins at {start} but ends at {end}");
        assert!(end <= self.len(), "the range ends at {end}, but the array has {} elements", self.len());
        self.iter().skip(start).take(end - start).collect()
    }

    /// A new array of the results of `f` for the elements, in order.
    ///
    /// ```
    /// use object_core::Array;
    /// assert_eq!(Array::from([1, 2]).map(|n| n * 10), [10, 20]);
    /// ```
    #[must_use]
    pub fn map<U: FieldType>(&self, f: impl FnMut(T) -> U) -> Array<U> {
        self.iter().map(f).collect()
    }
}

/// An element as a `T`. The handle of the array accepts only arrays whose elements `T` accepts.
fn owned<T: FieldType>(element: AnyView<'_>) -> T {
    match element.cast() {
        Ok(element) => element,
        Err(error) => unreachable!("the handle accepts only arrays of its element type: {error}"),
    }
}
