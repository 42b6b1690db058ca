//! [`StoredValue`]: the types whose values a container can lend.

use crate::object::{Any, FieldType, ObjectHandle};
use crate::scalar::{DataType, Device};

mod sealed {
    pub trait Sealed {}
    impl<H: super::ObjectHandle> Sealed for H {}
}

/// A type whose values a container stores unchanged, so that it can lend them: handles, [`Any`], `i64`, `f64`, `bool`,
/// [`DataType`] and [`Device`]. Containers store smaller numbers, enums and `Option` in another form.
///
/// This trait is sealed.
#[diagnostic::on_unimplemented(
    message = "a container has no `{Self}` to lend, because it stores such values in another form",
    label = "cannot be borrowed from a container",
    note = "`get` and `iter` return owned values"
)]
pub trait StoredValue: FieldType + sealed::Sealed {
    /// The value of this type in `value`; `None` if `value` has another type.
    #[doc(hidden)]
    fn stored_in(value: &Any) -> Option<&Self>;
}

impl<H: ObjectHandle> StoredValue for H {
    fn stored_in(value: &Any) -> Option<&Self> {
        match value {
            Any::Object(object) => object.downcast_ref(),
            _ => None,
        }
    }
}

impl sealed::Sealed for Any {}

impl StoredValue for Any {
    fn stored_in(value: &Any) -> Option<&Self> {
        Some(value)
    }
}

macro_rules! stored_plain_values {
    ($($plain:ty => $Variant:ident),*) => {$(
        impl sealed::Sealed for $plain {}

        impl StoredValue for $plain {
            fn stored_in(value: &Any) -> Option<&Self> {
                match value {
                    Any::$Variant(value) => Some(value),
                    _ => None,
                }
            }
        }
    )*};
}

stored_plain_values!(i64 => Int, f64 => Float, bool => Bool, DataType => DataType, Device => Device);

/// The value in `value`, which the handle of its container accepts as a `T`.
pub(super) fn lend<T: StoredValue>(value: &Any) -> &T {
    match T::stored_in(value) {
        Some(value) => value,
        None => unreachable!("the handle accepts only containers of its types"),
    }
}
