//! [`ArrayView`]: the borrowed elements of an array.

use crate::object::{Any, AnyView, ObjectRef};

/// The elements of an array, borrowed.
#[derive(Clone, Copy, Debug)]
pub enum ArrayView<'a> {
    /// All elements are objects.
    Objects(&'a [ObjectRef]),
    /// At least one element is not an object.
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

    /// The element with index `index`; `None` if the index is out of bounds.
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
