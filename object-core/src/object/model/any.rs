//! [`Any`]: an owned value of any kind. [`AnyView`]: a borrowed value of any kind.

use crate::error::Error;
use crate::object::model::object_ref::{ObjectRef, ObjectView};
use crate::scalar::{DataType, Device};

/// A value of any kind: a plain value or an object, in sixteen bytes.
///
/// The kinds are the kinds of values that fields of objects store and that files represent. The enum is exhaustive, so that
/// a `match` in another crate handles every kind; a new kind would be a breaking change.
///
/// ```
/// use object_core::{Any, Array, Str};
/// let value = Any::from(Array::from([1, 2, 3]));
/// assert_eq!(value.to_string(), "[1, 2, 3]");
/// assert_eq!(value.clone().cast::<Array<i64>>()?.len(), 3);
/// assert!(value.cast::<Str>().is_err());
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Default)]
pub enum Any {
    /// No value.
    #[default]
    None,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A data type.
    DataType(DataType),
    /// A device.
    Device(Device),
    /// An object of any type: a node, a text, an array and so on.
    Object(ObjectRef),
}

/// A borrowed value of any kind, which is `Copy` and does not change reference counts. As [`Any`], it is exhaustive.
#[derive(Clone, Copy, Default)]
pub enum AnyView<'a> {
    /// No value.
    #[default]
    None,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A data type.
    DataType(DataType),
    /// A device.
    Device(Device),
    /// An object of any type.
    Object(ObjectView<'a>),
}

const _: () = assert!(size_of::<Any>() == 16 && size_of::<AnyView<'_>>() == 16);

impl Any {
    /// Borrows the value.
    #[must_use]
    pub fn view(&self) -> AnyView<'_> {
        match self {
            Any::None => AnyView::None,
            Any::Bool(value) => AnyView::Bool(*value),
            Any::Int(value) => AnyView::Int(*value),
            Any::Float(value) => AnyView::Float(*value),
            Any::DataType(value) => AnyView::DataType(*value),
            Any::Device(value) => AnyView::Device(*value),
            Any::Object(object) => AnyView::Object(object.view()),
        }
    }

    /// The type key of an object, or the name of a plain kind: `None`, `bool`, `int`, `float`, `DataType` or `Device`.
    #[must_use]
    pub fn type_key(&self) -> &'static str {
        self.view().type_key()
    }
}

impl<'a> AnyView<'a> {
    /// An owned value. An object is shared and not copied.
    #[must_use]
    pub fn to_any(self) -> Any {
        match self {
            AnyView::None => Any::None,
            AnyView::Bool(value) => Any::Bool(value),
            AnyView::Int(value) => Any::Int(value),
            AnyView::Float(value) => Any::Float(value),
            AnyView::DataType(value) => Any::DataType(value),
            AnyView::Device(value) => Any::Device(value),
            AnyView::Object(object) => Any::Object(object.to_object()),
        }
    }

    /// The type key of an object, or the name of a plain kind: `None`, `bool`, `int`, `float`, `DataType` or `Device`.
    #[must_use]
    pub fn type_key(self) -> &'static str {
        match self {
            AnyView::None => "None",
            AnyView::Bool(_) => "bool",
            AnyView::Int(_) => "int",
            AnyView::Float(_) => "float",
            AnyView::DataType(_) => "DataType",
            AnyView::Device(_) => "Device",
            AnyView::Object(object) => object.type_key(),
        }
    }

    /// The object, if the value is an object.
    #[must_use]
    pub fn as_object(self) -> Option<ObjectView<'a>> {
        match self {
            AnyView::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Whether the value is the object `object`, by identity.
    pub(crate) fn is_object(self, object: ObjectView<'_>) -> bool {
        matches!(self, AnyView::Object(own) if own.ptr_eq(object))
    }
}

/// The error for a value that does not have the type `expected`.
pub(crate) fn mismatch(expected: &str, given: AnyView<'_>) -> Error {
    Error::type_mismatch(expected, given.type_key())
}

impl<T: Into<Any>> From<Option<T>> for Any {
    fn from(value: Option<T>) -> Self {
        value.map_or(Any::None, Into::into)
    }
}

macro_rules! any_from {
    ($($source:ty => $variant:ident),* $(,)?) => {$(
        impl From<$source> for Any {
            fn from(value: $source) -> Self {
                Any::$variant(value.into())
            }
        }
    )*};
}

any_from! {
    bool => Bool,
    i64 => Int,
    i32 => Int,
    u32 => Int,
    f64 => Float,
    f32 => Float,
    DataType => DataType,
    Device => Device,
    ObjectRef => Object,
}
