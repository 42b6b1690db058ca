//! [`StoredValue`]: the types whose values a container can lend.

use crate::container::elements::ElementBound;
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

    /// As [`stored_in`](Self::stored_in), for changes.
    #[doc(hidden)]
    fn stored_in_mut(value: &mut Any) -> Option<&mut Self>;

    /// The bound of all values of this type.
    #[doc(hidden)]
    fn bound() -> StoredBound;
}

/// The bound of all values of a [`StoredValue`].
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct StoredBound(pub(super) ElementBound);

impl<H: ObjectHandle> StoredValue for H {
    fn stored_in(value: &Any) -> Option<&Self> {
        match value {
            Any::Object(object) => object.downcast_ref(),
            _ => None,
        }
    }

    fn stored_in_mut(value: &mut Any) -> Option<&mut Self> {
        match value {
            Any::Object(object) => object.downcast_mut(),
            _ => None,
        }
    }

    fn bound() -> StoredBound {
        StoredBound(ElementBound::of_type::<H>())
    }
}

impl sealed::Sealed for Any {}

impl StoredValue for Any {
    fn stored_in(value: &Any) -> Option<&Self> {
        Some(value)
    }

    fn stored_in_mut(value: &mut Any) -> Option<&mut Self> {
        Some(value)
    }

    fn bound() -> StoredBound {
        StoredBound(ElementBound::Mixed)
    }
}

macro_rules! stored_plain_values {
    ($($plain:ty => $Variant:ident, $Bound:ident);*) => {$(
        impl sealed::Sealed for $plain {}

        impl StoredValue for $plain {
            fn stored_in(value: &Any) -> Option<&Self> {
                match value {
                    Any::$Variant(value) => Some(value),
                    _ => None,
                }
            }

            fn stored_in_mut(value: &mut Any) -> Option<&mut Self> {
                match value {
                    Any::$Variant(value) => Some(value),
                    _ => None,
                }
            }

            fn bound() -> StoredBound {
                StoredBound(ElementBound::$Bound)
            }
        }
    )*};
}

stored_plain_values!(i64 => Int, Ints; f64 => Float, Floats; bool => Bool, Bools; DataType => DataType, Mixed; Device => Device, Mixed);

/// The value in `value`, which the handle of its container accepts as a `T`.
pub(super) fn lend<T: StoredValue>(value: &Any) -> &T {
    match T::stored_in(value) {
        Some(value) => value,
        None => unreachable!("the handle accepts only containers of its types"),
    }
}

/// As [`lend`], for changes.
pub(super) fn lend_mut<T: StoredValue>(value: &mut Any) -> &mut T {
    match T::stored_in_mut(value) {
        Some(value) => value,
        None => unreachable!("the handle accepts only containers of its types"),
    }
}
