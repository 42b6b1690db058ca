//! Operators over memory.

use object_core::prelude::*;

use super::evaluation::Evaluation;
use crate::value::{Storage, Tensor, Value};

/// Memory of the size that the first argument says: a shape whose elements are bytes, or a number of bytes.
pub(crate) fn alloc_storage(call: &Evaluation<'_>) -> Result<Any, Error> {
    let bytes = match Value::of(call.value(0)) {
        Value::Shape(shape) => Shape::new(shape).elements(),
        _ => usize::try_from(call.scalar(0)?.int()).ok(),
    };
    let bytes = bytes.ok_or_else(|| call.invalid("expected a number of bytes that is not negative"))?;
    Ok(Storage::zeros(bytes, call.meter())?.into())
}

pub(crate) fn alloc_tensor(call: &Evaluation<'_>) -> Result<Any, Error> {
    let Value::Storage(storage) = Value::of(call.value(0)) else {
        let message = format!("argument 0 (`storage`): expected memory, got {}", Value::of(call.value(0)));
        return Err(call.error(ErrorKind::TypeMismatch, message));
    };
    let offset = usize::try_from(call.scalar(1)?.int()).unwrap_or(usize::MAX);
    let tensor = Tensor::in_storage(storage, offset, call.dtype(3)?, call.shape(2)?);
    Ok(tensor.map_err(|error| call.invalid(error.message()))?.into())
}

pub(crate) fn builtin_alloc_tensor(call: &Evaluation<'_>) -> Result<Any, Error> {
    Ok(Tensor::zeros(call.dtype(1)?, call.shape(0)?, call.meter())?.into())
}

/// Whether the argument at `index` is an empty tuple, which keeps a property.
fn is_kept(call: &Evaluation<'_>, index: usize) -> bool {
    match Value::of(call.value(index)) {
        Value::None => true,
        Value::Tuple(members) => members.is_empty(),
        _ => false,
    }
}

pub(crate) fn view(call: &Evaluation<'_>) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    let shape = if is_kept(call, 1) { x.shape() } else { call.shape(1)? };
    let dtype = if is_kept(call, 2) { x.dtype() } else { call.dtype(2)? };
    let offset = if is_kept(call, 3) { 0 } else { call.scalar(3)?.int() };
    Ok(x.view(shape, dtype, offset).map_err(|error| call.invalid(error.message()))?.into())
}

pub(crate) fn ensure_zero_offset(call: &Evaluation<'_>) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    Ok(if x.byte_offset() == 0 { x.clone() } else { x.copied(call.meter())? }.into())
}
