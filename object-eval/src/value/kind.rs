//! [`Value`]: the kinds of values of a run.

use std::fmt;

use object_core::container::ArrayView;
use object_core::prelude::*;
use object_core::{Function, ObjectView};

use super::storage::Storage;
use super::tensor::Tensor;

/// A value of a run, by its kind. `Display` describes it for messages.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Value<'a> {
    /// No value: the result of operators that return nothing, and an absent optional value.
    None,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A data type.
    DataType(DataType),
    /// A device.
    Device(Device),
    /// A text.
    Text(&'a str),
    /// A shape.
    Shape(&'a [i64]),
    /// A tensor.
    Tensor(&'a Tensor),
    /// A tuple.
    Tuple(ArrayView<'a>),
    /// A function: a closure of the program, or a packed function.
    Function(&'a Function),
    /// Memory for tensors.
    Storage(&'a Storage),
    /// Any other object.
    Object(ObjectView<'a>),
}

impl<'a> Value<'a> {
    /// The kind of a value.
    #[must_use]
    pub fn of(value: &'a Any) -> Self {
        match value {
            Any::None => Value::None,
            Any::Bool(value) => Value::Bool(*value),
            Any::Int(value) => Value::Int(*value),
            Any::Float(value) => Value::Float(*value),
            Any::DataType(value) => Value::DataType(*value),
            Any::Device(value) => Value::Device(*value),
            Any::Object(object) => {
                if let Some(tensor) = object.downcast_ref::<Tensor>() {
                    return Value::Tensor(tensor);
                }
                if let Some(function) = object.downcast_ref::<Function>() {
                    return Value::Function(function);
                }
                if let Some(storage) = object.downcast_ref::<Storage>() {
                    return Value::Storage(storage);
                }
                let view = object.view();
                let text = || Some(Value::Text(view.as_str()?));
                let shape = || Some(Value::Shape(view.as_shape()?));
                let tuple = || Some(Value::Tuple(view.as_array()?));
                shape().or_else(tuple).or_else(text).unwrap_or(Value::Object(view))
            }
        }
    }

    /// The kind in one word, such as `tensor`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Value::None => "none",
            Value::Bool(_) => "truth value",
            Value::Int(_) => "integer",
            Value::Float(_) => "float",
            Value::DataType(_) => "data type",
            Value::Device(_) => "device",
            Value::Text(_) => "text",
            Value::Shape(_) => "shape",
            Value::Tensor(_) => "tensor",
            Value::Tuple(_) => "tuple",
            Value::Function(_) => "function",
            Value::Storage(_) => "storage",
            Value::Object(object) => object.type_key(),
        }
    }
}

/// Writes extents between parentheses.
struct Extents<'a>(&'a [i64]);

impl fmt::Display for Extents<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let extents: Vec<String> = self.0.iter().map(i64::to_string).collect();
        write!(f, "({})", extents.join(", "))
    }
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::None => f.write_str("none"),
            Value::Bool(value) => write!(f, "the truth value {value}"),
            Value::Int(value) => write!(f, "the integer {value}"),
            Value::Float(value) => write!(f, "the float {value:?}"),
            Value::DataType(value) => write!(f, "the data type {value:?}"),
            Value::Device(value) => write!(f, "the device {value}"),
            Value::Text(value) => write!(f, "the text {value:?}"),
            Value::Shape(value) => write!(f, "the shape {}", Extents(value)),
            Value::Tensor(tensor) => write!(f, "a tensor {} of type {}", Extents(tensor.shape()), tensor.element()),
            Value::Tuple(tuple) => write!(f, "a tuple of {} values", tuple.len()),
            Value::Function(_) => f.write_str("a function"),
            Value::Storage(storage) => write!(f, "memory of {} bytes", storage.byte_len()),
            Value::Object(object) => write!(f, "an object of type `{}`", object.type_key()),
        }
    }
}
