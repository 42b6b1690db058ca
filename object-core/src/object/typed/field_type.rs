//! [`FieldType`]: the Rust types that fields of nodes, elements of arrays and entries of maps can have.

use std::fmt;

use crate::error::{Error, ErrorKind, Result};
use crate::object::model::accepted::Accepted;
use crate::object::model::any::{Any, AnyView, mismatch};
use crate::object::model::contents::FieldContents;
use crate::object::model::enumeration::Enumeration;
use crate::object::model::field_info::{Storage, StorageOf};
use crate::object::model::handle_ops::HandleOps;
use crate::object::model::object_ref::{ObjectRef, ObjectView};
use crate::object::model::type_info::TypeInfo;
use crate::object::model::type_schema::TypeSchema;
use crate::object::typed::handle::{ObjectHandle, from_object_unchecked};
use crate::scalar::{DataType, Device};

/// A type that fields of nodes, elements of arrays and entries of maps can have.
///
/// Field types are `bool`, the integer types up to 64 bits except `u64`, `f32` and `f64`, [`DataType`], [`Device`],
/// [`Any`], all handles (which include text, bytes, shapes, tensors, functions, arrays and maps), and `Option` of a field
/// type. `#[derive(Object)]` on an enum implements this trait for the enum.
///
/// A type of another crate implements the trait with the storage [`StorageOf::OTHER`]. The memory safety of objects does
/// not depend on the functions of such a type. The verdicts of operations do: [`view`](Self::view) returns the same value as
/// long as the object that has the field is shared, and an object that several values lend has a handle in each of them.
/// Operations take an object with one handle for an object at one place, so a value that lends an object of an `Arc` or of a
/// `static` shows a new object at each place.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of an object",
    label = "not a field type",
    note = "field types are bool, integers, floats, DataType, Device, Str, Bytes, Shape, Tensor, Function, Any, \
            ObjectRef, handles made by `#[derive(Object)]`, and Array, Map and Option of these",
    note = "instead of a type of std, write `Str` for `String`, `&str` and `char`; `Array<T>` for `Vec<T>`, `[T; N]` and \
            `&[T]`; `Bytes` for `Vec<u8>`; `Map<K, V>` for maps; `i64` for `u64`, `usize`, `isize`, `i128` and `u128`; the \
            handle itself for a `Box`, `Rc` or `Arc`; a node struct or `Array<Any>` for a tuple",
    note = "if `{Self}` is a node struct, use its handle (the name without `Node`); if it is an enum without data, \
            annotate it with `#[derive(Object)]`"
)]
pub trait FieldType: Clone + Send + Sync + 'static {
    /// The form of a value in memory.
    const STORAGE: StorageOf<Self>;

    /// The objects that a value can be or contain. Generated code sets it.
    #[doc(hidden)]
    const CONTENTS: FieldContents = match Self::STORAGE.get() {
        Storage::Int | Storage::Bool | Storage::Float | Storage::DataType | Storage::Plain => FieldContents::Plain,
        Storage::Object | Storage::OptionalObject | Storage::Any | Storage::Other => FieldContents::Anything,
    };

    /// The values that the type accepts without a conversion. Generated code sets it.
    #[doc(hidden)]
    const ACCEPTED: Accepted = Accepted::Unknown;

    /// Borrows the value.
    fn view(&self) -> AnyView<'_>;

    /// Converts the value to an [`Any`].
    fn into_any(self) -> Any {
        self.view().to_any()
    }

    /// Converts `value` to this type. The conversion may change the kind: an integer converts to a float and to a boolean
    /// if it is 0 or 1, and text converts to a [`DataType`].
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch), which names the expected and the actual type, and
    /// [`OutOfRange`](ErrorKind::OutOfRange) for an integer that does not fit, and for a number that an `f32` cannot
    /// represent. The conversion of text to a [`DataType`] can
    /// also fail with [`Malformed`](ErrorKind::Malformed).
    fn from_any(value: Any) -> Result<Self>;

    /// Whether `value` has this type without a conversion that changes its kind.
    fn accepts(value: AnyView<'_>) -> bool;

    /// Whether [`accepts`](Self::accepts) is true for all objects of the type `info` and of the types that extend it. The
    /// answer `false` means that each object has to be checked.
    fn accepts_type(_info: &TypeInfo) -> bool {
        false
    }

    /// The type as schemas write it.
    fn schema() -> TypeSchema;

    /// The name and the variants of an enum without data; `None` for other types.
    fn enumeration() -> Option<Enumeration> {
        Self::schema().enumeration
    }
}

/// The view of a value that is a part of another one. A type that says that its values are plain lends no object, so the
/// storage of the whole value depends on its claim.
#[doc(hidden)]
#[inline]
pub fn view_of_part<T: FieldType>(part: &T) -> AnyView<'_> {
    match (T::STORAGE.get(), part.view()) {
        (Storage::Plain, AnyView::Object(_)) => AnyView::None,
        (_, view) => view,
    }
}

/// Whether the parts that `variant`, the constructor of a variant, puts into an enum own the objects that they lend.
#[doc(hidden)]
#[must_use]
pub const fn variant_owns_objects<T: FieldType, E>(_variant: fn(T) -> E) -> bool {
    T::STORAGE.owns_objects()
}

impl<H: ObjectHandle> FieldType for H {
    // SAFETY: a handle is a non-null object pointer, and accepts these objects, by the contract of `ObjectHandle`.
    const STORAGE: StorageOf<Self> = unsafe { StorageOf::of_handle(H::OPS, false) };
    const CONTENTS: FieldContents = H::CONTENTS;
    const ACCEPTED: Accepted = H::ACCEPTED;

    fn view(&self) -> AnyView<'_> {
        AnyView::Object(self.as_object().view())
    }

    fn into_any(self) -> Any {
        Any::Object(self.into_object())
    }

    fn from_any(value: Any) -> Result<Self> {
        match const { H::OPS }.object(value) {
            // SAFETY: the function returns an object only if `H` accepts it.
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

impl<T: FieldType> FieldType for Option<T> {
    const STORAGE: StorageOf<Self> = match (T::STORAGE.get(), T::STORAGE.handle()) {
        (Storage::Object, Some(handle)) => {
            assert!(size_of::<Option<T>>() == size_of::<ObjectRef>(), "a handle must have a niche for `None`");
            // SAFETY: `Option` of a wrapper of `NonNull` without other data stores `None` as null.
            unsafe { StorageOf::of_handle(handle, true) }
        }
        // SAFETY: `view` below returns the view of the value.
        _ => unsafe { StorageOf::of_parts(T::STORAGE.owns_objects()) },
    };
    const CONTENTS: FieldContents = T::CONTENTS;
    const ACCEPTED: Accepted = Accepted::OneOf(&[Accepted::None, T::ACCEPTED]);

    fn view(&self) -> AnyView<'_> {
        self.as_ref().map_or(AnyView::None, view_of_part)
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
        TypeSchema::of("Optional", vec![T::schema()])
    }

    fn enumeration() -> Option<Enumeration> {
        T::enumeration()
    }
}

impl FieldType for Any {
    // SAFETY: the storage names the type itself.
    const STORAGE: StorageOf<Self> = unsafe { StorageOf::new(Storage::Any) };
    const ACCEPTED: Accepted = Accepted::Anything;

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

impl FieldType for bool {
    // SAFETY: the storage names the type itself.
    const STORAGE: StorageOf<Self> = unsafe { StorageOf::new(Storage::Bool) };
    const ACCEPTED: Accepted = Accepted::Bool;

    fn view(&self) -> AnyView<'_> {
        AnyView::Bool(*self)
    }

    fn from_any(value: Any) -> Result<Self> {
        match value {
            Any::Bool(value) => Ok(value),
            // TVM sometimes writes a boolean as an integer, and reads such an integer as a boolean.
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
        impl FieldType for $int {
            // SAFETY: the storage of `i64` is `Int`, which names `i64`; the storage of the others is `Plain`.
            const STORAGE: StorageOf<Self> = unsafe { StorageOf::new(Storage::$storage) };
            const ACCEPTED: Accepted = Accepted::Int(<$int>::MIN as i64, <$int>::MAX as i64);

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

/// Whether `rounded` is the number `value`. All values that are not a number are one value.
#[allow(clippy::float_cmp, reason = "the question is whether the numbers are the same")]
fn is_exact(value: f64, rounded: impl Into<f64>) -> bool {
    rounded.into() == value || value.is_nan()
}

/// The error for a number that `float` would change to `nearest`.
fn not_exact(value: impl fmt::Display, nearest: f64, float: &str) -> Error {
    let message = format!("{value} is not in `{float}`, whose nearest value is {nearest:?}; round it, or use an `f64`");
    Error::new(ErrorKind::OutOfRange, message)
}

macro_rules! float_fields {
    ($($float:ty => $storage:ident),*) => {$(
        impl FieldType for $float {
            // SAFETY: the storage of `f64` is `Float`, which names `f64`; the storage of `f32` is `Plain`.
            const STORAGE: StorageOf<Self> = unsafe { StorageOf::new(Storage::$storage) };
            const ACCEPTED: Accepted = Accepted::Float { single: <$float>::DIGITS == f32::DIGITS };

            fn view(&self) -> AnyView<'_> {
                AnyView::Float(f64::from(*self))
            }

            #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "rounding is checked")]
            fn from_any(value: Any) -> Result<Self> {
                match value {
                    Any::Float(value) if is_exact(value, value as $float) => Ok(value as $float),
                    // As in TVM, an integer becomes the nearest 64-bit float.
                    Any::Int(value) if is_exact(value as f64, value as $float) => Ok(value as $float),
                    Any::Float(value) => Err(not_exact(value, f64::from(value as $float), stringify!($float))),
                    Any::Int(value) => Err(not_exact(value, f64::from(value as $float), stringify!($float))),
                    other => Err(mismatch("float", other.view())),
                }
            }

            #[allow(clippy::cast_possible_truncation, reason = "rounding is checked")]
            fn accepts(value: AnyView<'_>) -> bool {
                matches!(value, AnyView::Float(value) if is_exact(value, value as $float))
            }

            fn schema() -> TypeSchema {
                TypeSchema::leaf("float")
            }
        }
    )*};
}

float_fields!(f64 => Float, f32 => Plain);

impl FieldType for DataType {
    // SAFETY: the storage names the type itself.
    const STORAGE: StorageOf<Self> = unsafe { StorageOf::new(Storage::DataType) };
    const ACCEPTED: Accepted = Accepted::DataType;

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

impl FieldType for Device {
    // SAFETY: a value lends no object.
    const STORAGE: StorageOf<Self> = unsafe { StorageOf::new(Storage::Other) };
    const CONTENTS: FieldContents = FieldContents::Plain;
    const ACCEPTED: Accepted = Accepted::Device;

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

// SAFETY: the type is `ObjectRef` itself, whose methods work for every object.
unsafe impl ObjectHandle for ObjectRef {
    const ACCEPTED: Accepted = Accepted::AnyObject;
    const OPS: HandleOps = HandleOps::ALL;

    fn accepts_object(_: ObjectView<'_>) -> bool {
        true
    }

    fn accepts_type_info(_: &TypeInfo) -> bool {
        true
    }

    fn handle_schema() -> TypeSchema {
        Self::OPS.schema()
    }
}

impl Any {
    /// Converts a value of any field type to an `Any`.
    pub fn new<T: FieldType>(value: T) -> Any {
        value.into_any()
    }

    /// Converts the value to a `T`; see [`FieldType::from_any`] for the conversions.
    ///
    /// # Errors
    /// [`TypeMismatch`](crate::ErrorKind::TypeMismatch), which names both types, and
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) for an integer that does not fit `T`.
    pub fn cast<T: FieldType>(self) -> Result<T> {
        T::from_any(self)
    }
}

impl AnyView<'_> {
    /// Converts the value to a `T`. An object is shared and not copied.
    ///
    /// # Errors
    /// As for [`Any::cast`].
    pub fn cast<T: FieldType>(self) -> Result<T> {
        T::from_any(self.to_any())
    }
}
