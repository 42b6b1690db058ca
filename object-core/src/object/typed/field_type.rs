//! [`FieldType`]: what a field of a node, an array element or a map entry can be.

use crate::error::{Error, ErrorKind, Result};
use crate::object::model::any::{Any, AnyView, mismatch};
use crate::object::model::contents::FieldContents;
use crate::object::model::field_info::Storage;
use crate::object::model::object_ref::{ObjectRef, ObjectView};
use crate::object::model::type_info::TypeInfo;
use crate::object::model::type_schema::TypeSchema;
use crate::object::typed::handle::{ObjectHandle, from_object_unchecked};
use crate::scalar::{DataType, Device};

/// A type that fields of nodes, elements of arrays and entries of maps can have.
///
/// # Safety
/// The bytes of a value are what [`STORAGE`](Self::STORAGE) says: a counted, non-null object pointer for `Object`, a
/// nullable one for `OptionalObject`, the named plain type otherwise. [`Storage::Plain`] and [`Storage::Other`] promise nothing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of an object",
    label = "not a field type",
    note = "field types are bool, integers, floats, DataType, Device, Str, Bytes, Shape, Tensor, Function, Any, \
            ObjectRef, handles made by `#[derive(Object)]`, and Array, Map and Option of these",
    note = "if `{Self}` is a node struct, use its handle (the name without `Node`); if it is an enum without data, \
            annotate it with `#[derive(Object)]`"
)]
pub unsafe trait FieldType: Clone + Send + Sync + 'static {
    /// How the bytes can be read.
    const STORAGE: Storage;

    /// What a value can be or contain.
    const CONTENTS: FieldContents = match Self::STORAGE {
        Storage::Int | Storage::Bool | Storage::Float | Storage::DataType | Storage::Plain => FieldContents::Plain,
        Storage::Object | Storage::OptionalObject | Storage::Any | Storage::Other => FieldContents::Anything,
    };

    /// The value, borrowed.
    fn view(&self) -> AnyView<'_>;

    /// The value as an [`Any`].
    fn into_any(self) -> Any {
        self.view().to_any()
    }

    /// The value of this type that `value` stands for.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch), naming the expected and the given type, and
    /// [`OutOfRange`](ErrorKind::OutOfRange) for integers that do not fit.
    fn from_any(value: Any) -> Result<Self>;

    /// Whether `value` is of this type as it stands, without any conversion.
    fn accepts(value: AnyView<'_>) -> bool;

    /// Whether all objects of the type `info` and its descendants are of this type. `false` means that each has to be
    /// looked at.
    fn accepts_type(_info: &TypeInfo) -> bool {
        false
    }

    /// The type in schema words.
    fn schema() -> TypeSchema;
}

// SAFETY: a handle is a non-null object pointer, by the contract of `ObjectHandle`.
unsafe impl<H: ObjectHandle> FieldType for H {
    const STORAGE: Storage = Storage::Object;
    const CONTENTS: FieldContents = H::CONTENTS;

    fn view(&self) -> AnyView<'_> {
        AnyView::Object(self.as_object().view())
    }

    fn into_any(self) -> Any {
        Any::Object(self.into_object())
    }

    fn from_any(value: Any) -> Result<Self> {
        match accepted(value, H::accepts_object, H::rejected, H::handle_schema) {
            // SAFETY: just checked.
            Ok(object) => Ok(unsafe { from_object_unchecked(object) }),
            Err(error) => Err(error),
        }
    }

    fn accepts(value: AnyView<'_>) -> bool {
        match value {
            AnyView::Object(object) => H::accepts_object(object),
            _ => false,
        }
    }

    fn accepts_type(info: &TypeInfo) -> bool {
        H::accepts_type_info(info)
    }

    fn schema() -> TypeSchema {
        H::handle_schema()
    }
}

/// The object in `value`, if a handle with these functions accepts it. Apart from the handle's type, so that it is compiled
/// once for all.
fn accepted(
    value: Any,
    accepts: fn(ObjectView<'_>) -> bool,
    rejected: fn(ObjectView<'_>) -> Error,
    schema: fn() -> TypeSchema,
) -> Result<ObjectRef> {
    match value {
        Any::Object(object) if accepts(object.view()) => Ok(object),
        Any::Object(object) => Err(rejected(object.view())),
        other => Err(mismatch(&schema().to_string(), other.view())),
    }
}

// SAFETY: an optional handle is a nullable pointer: `Option` of a transparent wrapper of `NonNull` stores `None` as
// null. Other options promise nothing.
unsafe impl<T: FieldType> FieldType for Option<T> {
    const STORAGE: Storage = match T::STORAGE {
        Storage::Object => {
            assert!(size_of::<Option<T>>() == size_of::<ObjectRef>(), "a handle must have a niche for `None`");
            Storage::OptionalObject
        }
        _ => Storage::Other,
    };
    const CONTENTS: FieldContents = T::CONTENTS;

    fn view(&self) -> AnyView<'_> {
        self.as_ref().map_or(AnyView::None, T::view)
    }

    fn into_any(self) -> Any {
        self.map_or(Any::None, T::into_any)
    }

    fn from_any(value: Any) -> Result<Self> {
        match value {
            Any::None => Ok(None),
            value => match T::from_any(value) {
                Ok(value) => Ok(Some(value)),
                Err(error) => Err(error),
            },
        }
    }

    fn accepts(value: AnyView<'_>) -> bool {
        matches!(value, AnyView::None) || T::accepts(value)
    }

    fn accepts_type(info: &TypeInfo) -> bool {
        T::accepts_type(info)
    }

    fn schema() -> TypeSchema {
        TypeSchema { name: "Optional", args: vec![T::schema()] }
    }
}

// SAFETY: an `Any` is an `Any`.
unsafe impl FieldType for Any {
    const STORAGE: Storage = Storage::Any;

    fn view(&self) -> AnyView<'_> {
        Any::view(self)
    }

    fn into_any(self) -> Any {
        self
    }

    fn from_any(value: Any) -> Result<Self> {
        Ok(value)
    }

    fn accepts(_: AnyView<'_>) -> bool {
        true
    }

    fn accepts_type(_: &TypeInfo) -> bool {
        true
    }

    fn schema() -> TypeSchema {
        TypeSchema::leaf("Any")
    }
}

// SAFETY: a bool is a bool.
unsafe impl FieldType for bool {
    const STORAGE: Storage = Storage::Bool;

    fn view(&self) -> AnyView<'_> {
        AnyView::Bool(*self)
    }

    fn from_any(value: Any) -> Result<Self> {
        match value {
            Any::Bool(value) => Ok(value),
            // TVM writes truth values as integers in places and reads them back.
            Any::Int(value @ (0 | 1)) => Ok(value == 1),
            other => Err(mismatch("bool", other.view())),
        }
    }

    fn accepts(value: AnyView<'_>) -> bool {
        matches!(value, AnyView::Bool(_))
    }

    fn schema() -> TypeSchema {
        TypeSchema::leaf("bool")
    }
}

macro_rules! integer_fields {
    ($($int:ty => $storage:ident),*) => {$(
        // SAFETY: only `i64` promises anything, and is what it promises.
        unsafe impl FieldType for $int {
            const STORAGE: Storage = Storage::$storage;

            fn view(&self) -> AnyView<'_> {
                AnyView::Int(i64::from(*self))
            }

            fn from_any(value: Any) -> Result<Self> {
                let wide = match value {
                    Any::Int(value) => value,
                    Any::Bool(value) => i64::from(value),
                    other => return Err(mismatch("int", other.view())),
                };
                <$int>::try_from(wide).map_err(|_| Error::new(
                    ErrorKind::OutOfRange,
                    format!("{wide} is not in {}..={} of `{}`", <$int>::MIN, <$int>::MAX, stringify!($int)),
                ))
            }

            fn accepts(value: AnyView<'_>) -> bool {
                matches!(value, AnyView::Int(value) if <$int>::try_from(value).is_ok())
            }

            fn schema() -> TypeSchema {
                TypeSchema::leaf("int")
            }
        }
    )*};
}

integer_fields!(i64 => Int, i32 => Plain, i16 => Plain, i8 => Plain, u32 => Plain, u16 => Plain, u8 => Plain);

macro_rules! float_fields {
    ($($float:ty => $storage:ident),*) => {$(
        // SAFETY: only `f64` promises anything, and is what it promises.
        unsafe impl FieldType for $float {
            const STORAGE: Storage = Storage::$storage;

            fn view(&self) -> AnyView<'_> {
                AnyView::Float(f64::from(*self))
            }

            #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "rounding is the meaning")]
            fn from_any(value: Any) -> Result<Self> {
                match value {
                    Any::Float(value) => Ok(value as $float),
                    Any::Int(value) => Ok(value as $float),
                    other => Err(mismatch("float", other.view())),
                }
            }

            fn accepts(value: AnyView<'_>) -> bool {
                matches!(value, AnyView::Float(_))
            }

            fn schema() -> TypeSchema {
                TypeSchema::leaf("float")
            }
        }
    )*};
}

float_fields!(f64 => Float, f32 => Plain);

// SAFETY: a `DataType` is a `DataType`.
unsafe impl FieldType for DataType {
    const STORAGE: Storage = Storage::DataType;

    fn view(&self) -> AnyView<'_> {
        AnyView::DataType(*self)
    }

    fn from_any(value: Any) -> Result<Self> {
        match value {
            Any::DataType(value) => Ok(value),
            other => match other.view().as_str() {
                Some(text) => text.parse(),
                None => Err(mismatch("DataType", other.view())),
            },
        }
    }

    fn accepts(value: AnyView<'_>) -> bool {
        matches!(value, AnyView::DataType(_))
    }

    fn schema() -> TypeSchema {
        TypeSchema::leaf("DataType")
    }
}

// SAFETY: `Other` promises nothing.
unsafe impl FieldType for Device {
    const STORAGE: Storage = Storage::Other;
    const CONTENTS: FieldContents = FieldContents::Plain;

    fn view(&self) -> AnyView<'_> {
        AnyView::Device(*self)
    }

    fn from_any(value: Any) -> Result<Self> {
        match value {
            Any::Device(value) => Ok(value),
            other => Err(mismatch("Device", other.view())),
        }
    }

    fn accepts(value: AnyView<'_>) -> bool {
        matches!(value, AnyView::Device(_))
    }

    fn schema() -> TypeSchema {
        TypeSchema::leaf("Device")
    }
}

// SAFETY: it is the object pointer itself, and accepts every object.
unsafe impl ObjectHandle for ObjectRef {
    fn accepts_object(_: crate::object::model::object_ref::ObjectView<'_>) -> bool {
        true
    }

    fn accepts_type_info(_: &TypeInfo) -> bool {
        true
    }

    fn handle_schema() -> TypeSchema {
        TypeSchema::leaf("ffi.Object")
    }
}

impl Any {
    /// The value of any field type as an `Any`.
    pub fn new<T: FieldType>(value: T) -> Any {
        value.into_any()
    }

    /// The value as a `T`.
    ///
    /// # Errors
    /// [`TypeMismatch`](crate::ErrorKind::TypeMismatch), naming both types, and
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) for an integer that `T` does not hold.
    pub fn cast<T: FieldType>(self) -> Result<T> {
        T::from_any(self)
    }
}

impl AnyView<'_> {
    /// The value as a `T`.
    ///
    /// # Errors
    /// As [`Any::cast`].
    pub fn cast<T: FieldType>(self) -> Result<T> {
        T::from_any(self.to_any())
    }
}
