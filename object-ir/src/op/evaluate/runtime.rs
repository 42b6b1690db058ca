//! Operators with effects, operators over shapes, and operators that return their argument.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use object_core::prelude::*;

use super::super::evaluation::Evaluation;
use crate::eval::value::{Numbers, Tensor, Value, shaped};

/// The kind of the error of a failed `assert_op`.
pub const ASSERTION_FAILED: ErrorKind = ErrorKind::Custom("object_ir.eval.AssertionFailed");

pub(crate) fn null_value(_: &Evaluation<'_>) -> Result<Any, Error> {
    Ok(Any::None)
}

/// The argument itself.
pub(crate) fn same(call: &Evaluation<'_>) -> Result<Any, Error> {
    Ok(call.value(0).clone())
}

/// Nothing: memory ends with its last tensor.
pub(crate) fn release(_: &Evaluation<'_>) -> Result<Any, Error> {
    Ok(Any::None)
}

pub(crate) fn copy(call: &Evaluation<'_>) -> Result<Any, Error> {
    Ok(call.tensor(0)?.copied(call.meter())?.into())
}

/// The most levels of tuples in a text.
const MAX_LEVELS: usize = 64;

/// A value of a run as text: the elements of a tensor in brackets. Tuples in many levels are shortened.
///
/// # Errors
/// The errors of [`Tensor::numbers`].
pub fn value_text(value: &Any) -> Result<String, Error> {
    text_of(value, MAX_LEVELS)
}

fn text_of(value: &Any, levels: usize) -> Result<String, Error> {
    Ok(match Value::of(value) {
        Value::Tensor(tensor) => elements_of(tensor)?,
        Value::Text(text) => text.to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::DataType(value) => value.to_string(),
        Value::Shape(shape) => format!("{shape:?}"),
        Value::Tuple(_) if levels == 0 => "(...)".to_owned(),
        Value::Tuple(members) => {
            let members: Vec<String> =
                members.iter().map(|member| text_of(&member.to_any(), levels - 1)).collect::<Result<_, _>>()?;
            format!("({})", members.join(", "))
        }
        other => other.to_string(),
    })
}

fn elements_of(tensor: &Tensor) -> Result<String, Error> {
    let elements: Vec<String> = match tensor.numbers()? {
        Numbers::Float(numbers) => numbers.iter().map(|number| format!("{number:?}")).collect(),
        Numbers::Int(numbers) if tensor.dtype() == DataType::boolean() => {
            numbers.iter().map(|number| (*number != 0).to_string()).collect()
        }
        Numbers::Int(numbers) => numbers.iter().map(i128::to_string).collect(),
    };
    let mut text = String::new();
    let dims = tensor.dims();
    for (position, element) in elements.iter().enumerate() {
        // Brackets open and close where the position is a multiple of the sizes of the last dimensions.
        let mut slice = 1;
        let sizes: Vec<usize> = dims
            .iter()
            .rev()
            .map(|size| {
                slice *= size;
                slice
            })
            .collect();
        let starts = sizes.iter().filter(|size| position % **size == 0).count();
        let ends = sizes.iter().filter(|size| (position + 1) % **size == 0).count();
        if position > 0 {
            text.push_str(", ");
        }
        let _ = write!(text, "{}{element}{}", "[".repeat(starts), "]".repeat(ends));
    }
    if elements.is_empty() { Ok("[".repeat(dims.len()) + &"]".repeat(dims.len())) } else { Ok(text) }
}

/// The text of a format with `{}` for each value; an empty format joins the values with commas.
fn formatted(format: &str, values: &[Any]) -> Result<String, Error> {
    let mut texts = values.iter().map(value_text).collect::<Result<Vec<_>, _>>()?.into_iter();
    if format.is_empty() {
        return Ok(texts.collect::<Vec<_>>().join(", "));
    }
    let mut parts = format.split("{}");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(&texts.next().unwrap_or_default());
        text.push_str(part);
    }
    Ok(text)
}

/// The text of a format, the first argument, and the values after it.
fn message(args: &[Any]) -> Result<String, Error> {
    let format = match args.first().map(Value::of) {
        Some(Value::Text(format)) => format,
        None | Some(Value::None) => "",
        Some(other) => {
            return Err(Error::new(ErrorKind::TypeMismatch, format!("expected a text as the format, got {other}")));
        }
    };
    formatted(format, args.get(1..).unwrap_or_default())
}

/// Writes a line to the standard output: a format, the first argument, with the values after it.
///
/// # Errors
/// [`Io`](ErrorKind::Io) if the standard output is closed.
pub(crate) fn print_values(args: &[Any]) -> Result<Any, Error> {
    let message = message(args)?;
    writeln!(io::stdout(), "{message}")?;
    Ok(Any::None)
}

/// Fails unless `holds`, with the message of a format, the first argument, and the values after it.
pub(crate) fn check_assertion(holds: bool, args: &[Any]) -> Result<Any, Error> {
    if holds {
        return Ok(Any::None);
    }
    let message = message(args)?;
    Err(Error::new(ASSERTION_FAILED, if message.is_empty() { "the assertion failed".to_owned() } else { message }))
}

pub(crate) fn print(call: &Evaluation<'_>) -> Result<Any, Error> {
    print_values(&call.values())
}

pub(crate) fn assert_op(call: &Evaluation<'_>) -> Result<Any, Error> {
    check_assertion(call.scalar(0)?.int() != 0, call.values().get(1..).unwrap_or_default())
}

pub(crate) fn shape_of(call: &Evaluation<'_>) -> Result<Any, Error> {
    Ok(call.tensor(0)?.shape().clone().into())
}

pub(crate) fn size(call: &Evaluation<'_>) -> Result<Any, Error> {
    call.integers(DataType::int(64), &shaped(&[], vec![call.tensor(0)?.len() as i128])?)
}

pub(crate) fn tensor_to_shape(call: &Evaluation<'_>) -> Result<Any, Error> {
    Ok(call.tensor(0)?.indices()?.iter().copied().collect::<Shape>().into())
}

pub(crate) fn shape_to_tensor(call: &Evaluation<'_>) -> Result<Any, Error> {
    let shape = call.shape(0)?;
    call.integers(DataType::int(64), &shaped(&[shape.len()], shape.iter().map(|size| i128::from(*size)).collect())?)
}

pub(crate) fn dtype_code(call: &Evaluation<'_>) -> Result<Any, Error> {
    Ok(Any::Int(call.tensor(0)?.dtype().code.0.into()))
}

pub(crate) fn dtype_bits(call: &Evaluation<'_>) -> Result<Any, Error> {
    Ok(Any::Int(call.tensor(0)?.dtype().bits.into()))
}

pub(crate) fn dtype_lanes(call: &Evaluation<'_>) -> Result<Any, Error> {
    Ok(Any::Int(call.tensor(0)?.dtype().lanes().into()))
}

pub(crate) fn ndim(call: &Evaluation<'_>) -> Result<Any, Error> {
    Ok(Any::Int(call.tensor(0)?.rank() as i64))
}

/// The dimension that the second argument names.
fn dimension(call: &Evaluation<'_>) -> Result<usize, Error> {
    let (axis, rank) = (call.scalar(1)?.int(), call.tensor(0)?.rank());
    usize::try_from(axis)
        .ok()
        .filter(|axis| *axis < rank)
        .ok_or_else(|| call.invalid(format!("expected the number of one of {rank} dimensions, got {axis}")))
}

pub(crate) fn shape_i(call: &Evaluation<'_>) -> Result<Any, Error> {
    Ok(Any::Int(call.tensor(0)?.shape()[dimension(call)?]))
}

pub(crate) fn stride_i(call: &Evaluation<'_>) -> Result<Any, Error> {
    let axis = dimension(call)?;
    Ok(Any::Int(call.tensor(0)?.shape()[axis + 1..].iter().product()))
}

pub(crate) fn byte_offset(call: &Evaluation<'_>) -> Result<Any, Error> {
    Ok(Any::Int(call.tensor(0)?.byte_offset() as i64))
}

pub(crate) fn elem_offset(call: &Evaluation<'_>) -> Result<Any, Error> {
    let tensor = call.tensor(0)?;
    Ok(Any::Int((tensor.byte_offset() / tensor.element().size()) as i64))
}

/// A function with values for its last arguments.
pub(crate) fn make_closure(call: &Evaluation<'_>) -> Result<Any, Error> {
    let Value::Function(function) = Value::of(call.value(0)) else {
        let message = format!("argument 0 (`func`): expected a function, got {}", Value::of(call.value(0)));
        return Err(call.error(ErrorKind::TypeMismatch, message));
    };
    let saved: Vec<Any> = call.tuple(1)?.iter().map(|member| member.to_any()).collect();
    let function = function.clone();
    let closure = object_core::Function::from_packed(move |args| {
        let args: Vec<AnyView<'_>> = args.iter().copied().chain(saved.iter().map(Any::view)).collect();
        function.call(&args)
    });
    Ok(closure.into())
}
