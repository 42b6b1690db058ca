//! Operators that make tensors.

use crate::scalar::Scalar;
use crate::value::{Element, ElementType, Numbers, PADDING, Tensor, with_element};
use object_core::prelude::*;
use object_ir::attrs::InitAttrs;

use super::arrays::{array, from_index};
use super::evaluation::Evaluation;

/// The element type of the attributes, or `other` if they leave it out.
fn dtype_or(call: &Evaluation<'_>, other: DataType) -> Result<DataType, Error> {
    let dtype = call.attrs::<InitAttrs>()?.dtype;
    Ok(if dtype.is_void() { other } else { dtype })
}

/// A tensor with one value in all places. It needs no memory but its own.
pub(super) fn constant(call: &Evaluation<'_>, dims: &[i64], dtype: DataType, value: i128) -> Result<Any, Error> {
    call.extents(dims)?;
    let tensor = Tensor::zeros(dtype, dims, call.meter())?;
    if value != 0 {
        with_element!(tensor.element(), T => tensor.write::<T>()?.fill(<T as Element>::from_int(value)));
    }
    Ok(tensor.into())
}

fn filled(call: &Evaluation<'_>, dims: &[i64], dtype: DataType) -> Result<Any, Error> {
    let value = call.tensor(1)?;
    if value.len() != 1 {
        return Err(call.invalid(format!("expected a fill value of one element, got {} elements", value.len())));
    }
    let dims = call.room(dims)?;
    match value.numbers(call.meter())? {
        Numbers::Float(value) => call.floats(dtype, &from_index(call, &dims, |_| value.iter().sum())?),
        Numbers::Int(value) => call.integers(dtype, &from_index(call, &dims, |_| value.iter().sum())?),
    }
}

pub(crate) fn full(call: &Evaluation<'_>) -> Result<Any, Error> {
    filled(call, call.shape(0)?, dtype_or(call, call.tensor(1)?.dtype())?)
}

pub(crate) fn full_like(call: &Evaluation<'_>) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    filled(call, x.shape(), dtype_or(call, x.dtype())?)
}

pub(crate) fn ones(call: &Evaluation<'_>) -> Result<Any, Error> {
    constant(call, call.shape(0)?, call.attrs::<InitAttrs>()?.dtype, 1)
}

pub(crate) fn zeros(call: &Evaluation<'_>) -> Result<Any, Error> {
    constant(call, call.shape(0)?, call.attrs::<InitAttrs>()?.dtype, 0)
}

pub(crate) fn ones_like(call: &Evaluation<'_>) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    constant(call, x.shape(), dtype_or(call, x.dtype())?, 1)
}

pub(crate) fn zeros_like(call: &Evaluation<'_>) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    constant(call, x.shape(), dtype_or(call, x.dtype())?, 0)
}

fn diagonal(call: &Evaluation<'_>, dims: &[i64], k: i64, dtype: DataType) -> Result<Any, Error> {
    let dims = call.room(dims)?;
    call.integers(dtype, &from_index(call, &dims, |at| i128::from(at[1] as i64 - at[0] as i64 == k))?)
}

pub(crate) fn eye(call: &Evaluation<'_>) -> Result<Any, Error> {
    let dims = [call.scalar(0)?.int(), call.scalar(1)?.int()];
    diagonal(call, &dims, call.scalar(2)?.int(), call.attrs::<InitAttrs>()?.dtype)
}

pub(crate) fn eye_like(call: &Evaluation<'_>) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    if x.rank() != 2 {
        return Err(call.invalid(format!("expected a tensor of rank 2, got rank {}", x.rank())));
    }
    diagonal(call, x.shape(), call.scalar(1)?.int(), dtype_or(call, x.dtype())?)
}

pub(crate) fn arange(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (start, end, step) = (call.scalar(0)?, call.scalar(1)?, call.scalar(2)?);
    let (dtype, dims) = (call.attrs::<InitAttrs>()?.dtype, call.result_dims()?);
    let is_float = [start, end, step].iter().any(|scalar| matches!(scalar, Scalar::Float(_)));
    if is_float && ElementType::of(dtype)?.is_float() {
        return call.floats(dtype, &from_index(call, &dims, |at| start.float() + at[0] as f64 * step.float())?);
    }
    // As in NumPy, integers have the distance of the first two numbers without their fractions.
    let (first, step) = if is_float {
        (start.float() as i128, (start.float() + step.float()) as i128 - start.float() as i128)
    } else {
        (i128::from(start.int()), i128::from(step.int()))
    };
    call.integers(dtype, &from_index(call, &dims, |at| first + at[0] as i128 * step)?)
}

pub(crate) fn hamming_window(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (size, is_periodic) = (call.scalar(0)?.int(), call.scalar(1)?.int() != 0);
    let (alpha, beta) = (call.scalar(2)?.float(), call.scalar(3)?.float());
    let dtype = call.attrs::<InitAttrs>()?.dtype;
    let length = call.room(&[size])?[0];
    // A window of one element is 1.
    let period = if is_periodic { size } else { size - 1 } as f64;
    let number = |index: usize| match length {
        1 => 1.0,
        _ => alpha - beta * (2.0 * std::f64::consts::PI * index as f64 / period).cos(),
    };
    call.floats(dtype, &array(call, &[length], (0..length).map(number))?)
}

/// The elements whose row and column `keeps` accepts, and zeros elsewhere.
fn triangle(call: &Evaluation<'_>, keeps: impl Fn(i64, i64) -> bool) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    let rank = x.rank();
    if rank < 2 {
        return Err(call.invalid(format!("expected a tensor of at least 2 dimensions, got {rank}")));
    }
    let mut places = x.places(0, call.meter())?;
    for (at, place) in places.indexed_iter_mut() {
        if !keeps(at[rank - 2] as i64, at[rank - 1] as i64) {
            *place = PADDING;
        }
    }
    call.moved(std::slice::from_ref(x), &places)
}

pub(crate) fn tril(call: &Evaluation<'_>) -> Result<Any, Error> {
    let k = call.scalar(1)?.int();
    triangle(call, |row, column| column - row <= k)
}

pub(crate) fn triu(call: &Evaluation<'_>) -> Result<Any, Error> {
    let k = call.scalar(1)?.int();
    triangle(call, |row, column| column - row >= k)
}
