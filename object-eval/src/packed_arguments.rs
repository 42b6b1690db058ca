//! The arguments of a packed function, checked.

use object_core::prelude::*;

use super::controls::Controls;
use super::value::{Tensor, Value};

/// The body of a packed function.
pub(super) type Body = fn(&[Any], &Controls) -> Result<Any, Error>;

/// The argument at `index`.
///
/// # Errors
/// [`Call`](ErrorKind::Call) if there is none.
pub(super) fn argument(args: &[Any], index: usize) -> Result<&Any, Error> {
    args.get(index).ok_or_else(|| {
        let message = format!("expected at least {} arguments, got {}", index + 1, args.len());
        Error::new(ErrorKind::Call, message)
    })
}

/// The error for an argument of another kind than `expected`.
pub(super) fn wrong(args: &[Any], index: usize, expected: &str) -> Error {
    let given = args.get(index).map_or_else(|| "nothing".to_owned(), |arg| Value::of(arg).to_string());
    Error::new(ErrorKind::TypeMismatch, format!("argument #{index}: expected {expected}, got {given}"))
}

/// The tensor at `index`.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) for another value, and as [`argument`].
pub(super) fn tensor(args: &[Any], index: usize) -> Result<&Tensor, Error> {
    match Value::of(argument(args, index)?) {
        Value::Tensor(tensor) => Ok(tensor),
        _ => Err(wrong(args, index, "a tensor")),
    }
}

/// The integer at `index`.
///
/// # Errors
/// As [`tensor`].
pub(super) fn int(args: &[Any], index: usize) -> Result<i64, Error> {
    match Value::of(argument(args, index)?) {
        Value::Int(value) => Ok(value),
        Value::Bool(value) => Ok(value.into()),
        _ => Err(wrong(args, index, "an integer")),
    }
}

/// The shape at `index`.
///
/// # Errors
/// As [`tensor`].
pub(super) fn shape(args: &[Any], index: usize) -> Result<&[i64], Error> {
    match Value::of(argument(args, index)?) {
        Value::Shape(shape) => Ok(shape),
        _ => Err(wrong(args, index, "a shape")),
    }
}
