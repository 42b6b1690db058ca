//! Operators with effects, operators over shapes, and operators that return their argument.

use std::fmt::{Display, Write as _};
use std::io::{self, Write as _};

use crate::Meter;
use crate::value::{Element, Tensor, Value, with_element};
use object_core::meter::Charge;
use object_core::prelude::*;

use super::arrays::array;
use super::evaluation::Evaluation;

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

/// The memory of a growing text, as a multiple of its length.
const GROWTH: u64 = 3;

/// A value of a run as text: the elements of a tensor in brackets. Tuples in many levels are shortened.
///
/// # Errors
/// [`LimitExceeded`](ErrorKind::LimitExceeded) if the text takes more memory than `meter` allows.
pub fn value_text(value: &Any, meter: &Meter) -> Result<String, Error> {
    let mut text = String::new();
    write_value(&mut text, value, MAX_LEVELS, &mut meter.nothing())?;
    Ok(text)
}

fn write_value(text: &mut String, value: &Any, levels: usize, charge: &mut Charge) -> Result<(), Error> {
    charge.cover(GROWTH * text.len() as u64)?;
    let _ = match Value::of(value) {
        Value::Tensor(tensor) => return write_elements(text, tensor, charge),
        Value::Text(value) => text.write_str(value),
        Value::Float(value) => write!(text, "{value:?}"),
        Value::Shape(shape) => write!(text, "{shape:?}"),
        Value::Tuple(_) if levels == 0 => text.write_str("(...)"),
        Value::Tuple(members) => {
            text.push('(');
            for (index, member) in members.iter().enumerate() {
                text.push_str(if index > 0 { ", " } else { "" });
                write_value(text, &member.to_any(), levels - 1, charge)?;
            }
            text.write_str(")")
        }
        Value::Bool(value) => write!(text, "{value}"),
        Value::Int(value) => write!(text, "{value}"),
        Value::DataType(value) => write!(text, "{value}"),
        other => write!(text, "{other}"),
    };
    Ok(())
}

fn write_elements(text: &mut String, tensor: &Tensor, charge: &mut Charge) -> Result<(), Error> {
    let dims = tensor.dims();
    if tensor.is_empty() {
        text.push_str(&("[".repeat(dims.len()) + &"]".repeat(dims.len())));
        return Ok(());
    }
    // Brackets open and close where the position is a multiple of the sizes of the last dimensions.
    let products = dims.iter().rev().scan(1, |slice, size| {
        *slice *= size;
        Some(*slice)
    });
    let sizes: Vec<usize> = products.collect();
    with_element!(tensor.element(), T => {
        let elements = tensor.read::<T>()?;
        if tensor.element().is_float() {
            let floats = elements.iter().map(|bits| format!("{:?}", <T as Element>::to_float(*bits)));
            return write_nested(text, &sizes, floats, charge);
        }
        let ints = elements.iter().map(|bits| <T as Element>::to_int(*bits));
        if tensor.dtype() == DataType::boolean() {
            return write_nested(text, &sizes, ints.map(|number| number != 0), charge);
        }
        write_nested(text, &sizes, ints, charge)
    })
}

/// Writes the elements of a tensor; `sizes` has the number of elements in each bracket.
fn write_nested(
    text: &mut String,
    sizes: &[usize],
    elements: impl Iterator<Item = impl Display>,
    charge: &mut Charge,
) -> Result<(), Error> {
    let count = |position: usize| sizes.iter().filter(|size| position.is_multiple_of(**size)).count();
    for (position, element) in elements.enumerate() {
        charge.cover(GROWTH * text.len() as u64)?;
        text.push_str(if position > 0 { ", " } else { "" });
        text.extend(std::iter::repeat_n('[', count(position)));
        let _ = write!(text, "{element}");
        text.extend(std::iter::repeat_n(']', count(position + 1)));
    }
    Ok(())
}

/// The text of a format with `{}` for each value; an empty format joins the values with commas.
fn formatted(format: &str, values: &[Any], meter: &Meter) -> Result<String, Error> {
    let (mut text, mut charge) = (String::new(), meter.nothing());
    let mut values = values.iter();
    if format.is_empty() {
        for (index, value) in values.enumerate() {
            text.push_str(if index > 0 { ", " } else { "" });
            write_value(&mut text, value, MAX_LEVELS, &mut charge)?;
        }
        return Ok(text);
    }
    let mut parts = format.split("{}");
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        if let Some(value) = values.next() {
            write_value(&mut text, value, MAX_LEVELS, &mut charge)?;
        }
        text.push_str(part);
    }
    Ok(text)
}

/// The text of a format, the first argument, and the values after it.
fn message(args: &[Any], meter: &Meter) -> Result<String, Error> {
    let format = match args.first().map(Value::of) {
        Some(Value::Text(format)) => format,
        None | Some(Value::None) => "",
        Some(other) => {
            return Err(Error::new(ErrorKind::TypeMismatch, format!("expected a text as the format, got {other}")));
        }
    };
    formatted(format, args.get(1..).unwrap_or_default(), meter)
}

/// Writes a line to the standard output: a format, the first argument, with the values after it.
///
/// # Errors
/// [`Io`](ErrorKind::Io) if the standard output is closed; the errors of [`value_text`].
pub(crate) fn print_values(args: &[Any], meter: &Meter) -> Result<Any, Error> {
    let message = message(args, meter)?;
    writeln!(io::stdout(), "{message}")?;
    Ok(Any::None)
}

/// Fails unless `holds`, with the message of a format, the first argument, and the values after it; without a message, with
/// TVM's (TVM 0.25 python/tvm/relax/op/base.py).
pub(crate) fn check_assertion(holds: bool, args: &[Any], meter: &Meter) -> Result<Any, Error> {
    if holds {
        return Ok(Any::None);
    }
    let message = message(args, meter)?;
    Err(Error::new(ASSERTION_FAILED, if message.is_empty() { "Assertion Failed".to_owned() } else { message }))
}

pub(crate) fn print(call: &Evaluation<'_>) -> Result<Any, Error> {
    print_values(&call.values(), call.meter())
}

pub(crate) fn assert_op(call: &Evaluation<'_>) -> Result<Any, Error> {
    check_assertion(call.scalar(0)?.int() != 0, call.values().get(1..).unwrap_or_default(), call.meter())
}

pub(crate) fn shape_of(call: &Evaluation<'_>) -> Result<Any, Error> {
    Ok(call.tensor(0)?.shape().clone().into())
}

pub(crate) fn size(call: &Evaluation<'_>) -> Result<Any, Error> {
    call.integers(DataType::int(64), &array(call, &[], [call.tensor(0)?.len() as i128])?)
}

pub(crate) fn tensor_to_shape(call: &Evaluation<'_>) -> Result<Any, Error> {
    Ok(call.tensor(0)?.indices(call.meter())?.iter().copied().collect::<Shape>().into())
}

pub(crate) fn shape_to_tensor(call: &Evaluation<'_>) -> Result<Any, Error> {
    let shape = call.shape(0)?;
    call.integers(DataType::int(64), &array(call, &[shape.len()], shape.iter().map(|size| i128::from(*size)))?)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assertion_without_a_message_has_the_one_of_tvm() {
        let message =
            |args: &[Any]| check_assertion(false, args, &Meter::unlimited()).unwrap_err().message().to_owned();
        assert_eq!(message(&[Str::from("").into()]), "Assertion Failed");
        assert_eq!(message(&[Str::from("got {}").into(), 3.into()]), "got 3");
    }

    #[test]
    fn a_text_has_a_limit() {
        let numbers = |dims: &[i64], count: i32| {
            let numbers = (0..count).map(f64::from);
            Any::from(Tensor::from_elements::<f64>(dims, numbers, &Meter::unlimited()).unwrap())
        };
        let tuple = Any::from(Array::<Any>::new([numbers(&[2, 2], 4), numbers(&[], 1), numbers(&[0, 3], 0)]));
        let text = value_text(&tuple, &Meter::with_limit(1000)).unwrap();
        assert_eq!(text, "([[0.0, 1.0], [2.0, 3.0]], 0.0, [[]])");
        for limit in [100, 16_100] {
            let error = value_text(&numbers(&[1000], 1000), &Meter::with_limit(limit)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{error}");
        }
    }
}
