//! Conversions between [`Any`], plain values and handles by `From` and `TryFrom`.

use crate::error::{Error, Result};
use crate::object::model::any::Any;
use crate::object::model::object_ref::ObjectRef;
use crate::object::typed::field_type::FieldType;
use crate::object::typed::handle::ObjectHandle;
use crate::scalar::{DataType, Device};

/// Converts `object` to the handle `H`.
///
/// # Errors
/// [`TypeMismatch`](crate::ErrorKind::TypeMismatch) if `H` does not accept the object.
pub fn try_from_object<H: ObjectHandle>(object: ObjectRef) -> Result<H> {
    H::try_from_object(object).map_err(|object| H::rejected(object.view()))
}

impl<H: ObjectHandle> From<&H> for Any {
    fn from(handle: &H) -> Self {
        Any::Object(handle.as_object().clone())
    }
}

impl<H: ObjectHandle> From<&H> for ObjectRef {
    fn from(handle: &H) -> Self {
        handle.as_object().clone()
    }
}

impl From<&Any> for Any {
    fn from(value: &Any) -> Self {
        value.clone()
    }
}

impl From<()> for Any {
    fn from((): ()) -> Self {
        Any::None
    }
}

macro_rules! plain_conversions {
    ($($plain:ty),*) => {$(
        impl TryFrom<Any> for $plain {
            type Error = Error;

            /// As [`Any::cast`].
            fn try_from(value: Any) -> Result<Self> {
                value.cast()
            }
        }
    )*};
}

plain_conversions!(bool, i64, i32, i16, i8, u32, u16, u8, f64, f32, DataType, Device, ObjectRef);

macro_rules! small_integers {
    ($($int:ty),*) => {$(
        impl From<$int> for Any {
            fn from(value: $int) -> Self {
                value.into_any()
            }
        }
    )*};
}

small_integers!(i16, i8, u16, u8);
