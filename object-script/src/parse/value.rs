//! [`Value`]: the values that expressions of a script have while it is read.

use std::rc::Rc;

use object_core::value::Str;
use object_core::{Any, AnyView, Array, DataType, Map, ObjectHandle, ObjectRef};
use ruff_python_ast::ExprLambda;

/// A value of Python, an object of the IR, or a name of a language.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    None,
    Bool(bool),
    Int(i64),
    /// An integer above the largest `i64`.
    LargeUint(u64),
    Float(f64),
    Str(Str),
    DataType(DataType),
    Tuple(Rc<[Value]>),
    List(Rc<[Value]>),
    Dict(Rc<[(Value, Value)]>),
    #[allow(dead_code, reason = "loop programs read it")]
    Slice(Rc<SliceValue>),
    /// An object of the IR: an expression, structural information, a buffer and so on.
    Object(ObjectRef),
    /// A name of a language or of Python, such as `R.add`, with the prefix `I`, `T`, `R` or `tvm`, whatever the text
    /// calls it, or without prefix.
    Path(Rc<str>),
    /// A dimension that signatures define: `TypeVar("n")`.
    TypeVar,
    /// The module whose functions are read.
    Module,
    /// A function of a value, such as `A.vload`.
    Method(Rc<(Value, String)>),
    /// A function that the text states.
    Lambda(Rc<ExprLambda>),
    Ellipsis,
    /// The value of an expression with an error. Its uses report no further errors.
    Unknown,
}

/// The bounds of `a:b:c` in a subscript.
#[derive(Clone, Debug)]
#[allow(dead_code, reason = "loop programs read it")]
pub(crate) struct SliceValue {
    pub(crate) lower: Value,
    pub(crate) upper: Value,
    pub(crate) step: Value,
}

impl Value {
    /// The value of an object.
    pub(crate) fn object(object: impl ObjectHandle) -> Value {
        Value::Object(object.into_object())
    }

    /// The object as a handle of the type `H`.
    pub(crate) fn to<H: ObjectHandle>(&self) -> Option<H> {
        match self {
            Value::Object(object) => object.view().to_handle::<H>(),
            _ => None,
        }
    }

    /// Whether the value is an object of the type `H`.
    pub(crate) fn is<H: ObjectHandle>(&self) -> bool {
        self.to::<H>().is_some()
    }

    /// The elements of a tuple or a list.
    pub(crate) fn items(&self) -> Option<Rc<[Value]>> {
        match self {
            Value::Tuple(items) | Value::List(items) => Some(items.clone()),
            Value::Object(object) => {
                let array = object.view().as_array()?;
                Some(array.iter().map(Value::from_any).collect())
            }
            _ => None,
        }
    }

    /// The text of a string.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The name of a language.
    pub(crate) fn as_path(&self) -> Option<&str> {
        match self {
            Value::Path(path) => Some(path),
            _ => None,
        }
    }

    /// The integer of Python.
    pub(crate) fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(value) => Some(*value),
            Value::Bool(value) => Some(i64::from(*value)),
            _ => None,
        }
    }

    /// The value of a field or an element of an object.
    pub(crate) fn from_any(value: AnyView<'_>) -> Value {
        match value {
            AnyView::None => Value::None,
            AnyView::Bool(value) => Value::Bool(value),
            AnyView::Int(value) => Value::Int(value),
            AnyView::Float(value) => Value::Float(value),
            AnyView::DataType(dtype) => Value::DataType(dtype),
            AnyView::Device(_) => Value::Unknown,
            AnyView::Object(object) => match object.to_handle::<Str>() {
                Some(text) => Value::Str(text),
                None => Value::Object(object.to_object()),
            },
        }
    }

    /// The value as an attribute; `None` for a value that attributes cannot hold.
    pub(crate) fn to_any(&self) -> Option<Any> {
        Some(match self {
            Value::None => Any::None,
            Value::Bool(value) => Any::Bool(*value),
            Value::Int(value) => Any::Int(*value),
            Value::Float(value) => Any::Float(*value),
            Value::Str(text) => Any::from(text.clone()),
            Value::DataType(dtype) => Any::DataType(*dtype),
            Value::Object(object) => Any::Object(object.clone()),
            Value::Tuple(items) | Value::List(items) => {
                let items: Option<Vec<Any>> = items.iter().map(Value::to_any).collect();
                Any::from(Array::<Any>::new(items?))
            }
            Value::Dict(items) => {
                let items: Option<Vec<(Any, Any)>> =
                    items.iter().map(|(key, value)| Some((key.to_any()?, value.to_any()?))).collect();
                Any::from(Map::<Any, Any>::new(items?))
            }
            _ => return None,
        })
    }

    /// The value in words, for messages.
    pub(crate) fn describe(&self) -> String {
        match self {
            Value::None => "`None`".to_owned(),
            Value::Bool(true) => "`True`".to_owned(),
            Value::Bool(false) => "`False`".to_owned(),
            Value::Int(value) => format!("the integer {value}"),
            Value::LargeUint(value) => format!("the integer {value}, which is above the largest `int64`"),
            Value::Float(value) => format!("the number {value}"),
            Value::Str(text) => format!("the string {:.60?}", text.as_str()),
            Value::DataType(dtype) => format!("the data type `{dtype}`"),
            Value::Tuple(items) => format!("a tuple of {}", items.len()),
            Value::List(items) => format!("a list of {}", items.len()),
            Value::Dict(items) => format!("a dict of {}", items.len()),
            Value::Slice(_) => "a slice".to_owned(),
            Value::Object(object) => format!("`{}`", object.view().type_key()),
            Value::Path(path) => format!("`{path}`"),
            Value::TypeVar => {
                "a type variable, which is a dimension only in functions whose signature has it".to_owned()
            }
            Value::Module => "the module".to_owned(),
            Value::Method(method) => format!("the method `{}`", method.1),
            Value::Lambda(_) => "a lambda".to_owned(),
            Value::Ellipsis => "`...`".to_owned(),
            Value::Unknown => "a value with an error".to_owned(),
        }
    }
}
