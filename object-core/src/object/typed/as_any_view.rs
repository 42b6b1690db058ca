//! [`AsAnyView`]: the arguments of operations on values of any kind.

use super::field_type::FieldType;
use crate::object::model::any::AnyView;
use crate::object::model::object_ref::ObjectView;

mod sealed {
    pub trait Sealed {}
    impl<T: super::FieldType> Sealed for T {}
    impl Sealed for super::AnyView<'_> {}
    impl Sealed for super::ObjectView<'_> {}
}

/// A value that operations such as [`structural_equal`](crate::structural_equal) take as their root: every field type
/// (handles, containers, text, numbers, [`Any`](crate::Any)), and the views [`AnyView`] and [`ObjectView`].
///
/// This trait is sealed: only [`FieldType`] and these views implement it.
///
/// ```
/// use object_core::{Array, structural_equal};
/// let array = Array::from([1, 2]);
/// assert!(structural_equal(&array, &array.as_object().view()));
/// # use object_core::ObjectHandle;
/// ```
pub trait AsAnyView: sealed::Sealed {
    /// Borrows the value.
    fn as_any_view(&self) -> AnyView<'_>;
}

impl<T: FieldType> AsAnyView for T {
    #[inline]
    fn as_any_view(&self) -> AnyView<'_> {
        self.view()
    }
}

impl AsAnyView for AnyView<'_> {
    #[inline]
    fn as_any_view(&self) -> AnyView<'_> {
        *self
    }
}

impl AsAnyView for ObjectView<'_> {
    #[inline]
    fn as_any_view(&self) -> AnyView<'_> {
        AnyView::Object(*self)
    }
}
