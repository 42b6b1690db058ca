//! [`Any`]: a value of any type the framework knows. [`AnyView`]: the same, borrowed.

use std::fmt;

use crate::error::Error;
use crate::object::model::object_ref::{ObjectRef, ObjectView};
use crate::scalar::{DataType, Device};

/// A value of any type: a plain value or an object, in sixteen bytes.
#[derive(Clone, Default)]
pub enum Any {
    /// No value.
    #[default]
    None,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating point number.
    Float(f64),
    /// A data type.
    DataType(DataType),
    /// A device.
    Device(Device),
    /// An object of any type: a node, a string, an array, ...
    Object(ObjectRef),
}

/// A borrowed value of any type: `Copy`, no count.
#[derive(Clone, Copy, Default)]
pub enum AnyView<'a> {
    /// No value.
    #[default]
    None,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating point number.
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
    /// The value, borrowed.
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

    /// The type key of an object, the name of a plain kind otherwise.
    #[must_use]
    pub fn type_key(&self) -> &'static str {
        self.view().type_key()
    }
}

impl<'a> AnyView<'a> {
    /// An owned copy of the value; objects are shared.
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

    /// The type key of an object, the name of a plain kind otherwise.
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

    /// The object, if the value is one.
    #[must_use]
    pub fn as_object(self) -> Option<ObjectView<'a>> {
        match self {
            AnyView::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Whether the value is this very object.
    pub(crate) fn is_object(self, object: ObjectView<'_>) -> bool {
        matches!(self, AnyView::Object(own) if own.ptr_eq(object))
    }
}

/// The error for a value of another type than `expected`.
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

impl fmt::Debug for AnyView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::repr::write_repr(f, *self)
    }
}

impl fmt::Debug for Any {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::repr::write_repr(f, self.view())
    }
}

impl fmt::Display for Any {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::repr::write_repr(f, self.view())
    }
}
