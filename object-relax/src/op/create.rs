//! Creation of tensors (TVM 0.25 `src/relax/op/tensor/create.cc`).

use std::ops::{Div, Sub};

use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_ir::attrs::InitAttrs;
use object_ir::ir::{FloatImm, Op, PrimExpr, StructInfo};
use object_ir::tir::{self, add, cast, div, floor_div, less, less_equal, max, sub};

use super::completion::Completion;
use super::describe::{describe, describe_expr};
use super::dims::{Dims, constant, dim, rank_of, tensor, tensor_of, with_dtype};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{ElementType, OptionalElementType, Prim, PrimValue, Shape, Tensor};

operators! {
    /// A tensor of a shape whose elements all have the value of a tensor of rank 0.
    fn full = "relax.full"(shape: Shape, fill_value: Tensor, dtype: OptionalElementType<InitAttrs>), Pure, filled;
    /// Like [`full`], with the shape of a tensor.
    fn full_like = "relax.full_like"(x: Tensor, fill_value: Tensor, dtype: OptionalElementType<InitAttrs>), Pure, filled_like;
    /// A tensor of ones.
    fn ones = "relax.ones"(shape: Shape, dtype: ElementType<InitAttrs>), Pure, of_shape;
    /// A tensor of ones with the shape of a tensor.
    fn ones_like = "relax.ones_like"(x: Tensor, dtype: OptionalElementType<InitAttrs>), Pure, like;
    /// A tensor of zeros.
    fn zeros = "relax.zeros"(shape: Shape, dtype: ElementType<InitAttrs>), Pure, of_shape;
    /// A tensor of zeros with the shape of a tensor.
    fn zeros_like = "relax.zeros_like"(x: Tensor, dtype: OptionalElementType<InitAttrs>), Pure, like;
    /// A matrix with ones on the diagonal `k`, and zeros elsewhere.
    fn eye = "relax.eye"(n: PrimValue, m: PrimValue, k: Prim, dtype: ElementType<InitAttrs>), Pure, matrix,
        completed &[Completion::Same { to: "m", from: "n" }];
    /// Like [`eye`], with the shape of a matrix.
    fn eye_like = "relax.eye_like"(x: Tensor, k: Prim, dtype: OptionalElementType<InitAttrs>), Pure, matrix_like;
    /// The numbers from `start` to before `end`, with the distance `step`.
    fn arange = "relax.arange"(
        start: PrimValue,
        end: PrimValue,
        step: PrimValue,
        dtype: ElementType<InitAttrs>,
    ), Pure, progression;
    /// The Hamming window.
    fn hamming_window = "relax.hamming_window"(
        window_size: PrimValue,
        periodic: Prim,
        alpha: Prim,
        beta: Prim,
        dtype: ElementType<InitAttrs>,
    ), Pure, window;
    /// The elements on and below the diagonal `k`, and zeros elsewhere.
    fn tril = "relax.tril"(x: Tensor, k: Prim), Pure, triangle;
    /// The elements on and above the diagonal `k`, and zeros elsewhere.
    fn triu = "relax.triu"(x: Tensor, k: Prim), Pure, triangle;
}

/// The element type of the attributes, or `other` if they leave it out.
fn dtype_or(call: &OpCall<'_>, other: DataType) -> Result<DataType, Error> {
    let dtype = call.attrs::<InitAttrs>()?.dtype;
    Ok(if dtype.is_void() { other } else { dtype })
}

fn wrong_tensor(call: &OpCall<'_>, index: usize, expected: &str) -> Error {
    let message = format!("expected {expected}, got {}", describe(call.info(index)));
    call.argument_error(ErrorKind::TypeMismatch, index, message)
}

/// Checks that the fill value, the second argument, is a tensor of rank 0.
fn check_fill_value(call: &OpCall<'_>) -> Result<(), Error> {
    match rank_of(call.tensor(1)?) {
        Some(0) => Ok(()),
        _ => Err(wrong_tensor(call, 1, "a tensor of rank 0")),
    }
}

fn filled(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    check_fill_value(call)?;
    let value = call.tensor(1)?;
    let shape = call.arg(0).clone();
    Ok(tensor_of(Some(shape), dtype_or(call, value.dtype)?, value.vdevice.clone(), call.shape(0)?.ndim))
}

fn filled_like(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    check_fill_value(call)?;
    like(call)
}

fn of_shape(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let dtype = call.attrs::<InitAttrs>()?.dtype;
    Ok(tensor_of(Some(call.arg(0).clone()), dtype, None, call.shape(0)?.ndim))
}

fn like(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let x = call.tensor(0)?;
    Ok(with_dtype(x, dtype_or(call, x.dtype)?))
}

fn matrix(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let dims = Dims::Known(vec![call.scalar(0)?.clone(), call.scalar(1)?.clone()]);
    Ok(tensor(dims, call.attrs::<InitAttrs>()?.dtype, None))
}

fn matrix_like(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    if rank_of(call.tensor(0)?).is_some_and(|rank| rank != 2) {
        return Err(wrong_tensor(call, 0, "a tensor of rank 2"));
    }
    like(call)
}

fn progression(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let [start, end, step] = [call.scalar(0)?, call.scalar(1)?, call.scalar(2)?];
    let is_int = |expr: &PrimExpr| expr.dtype.code == TypeCode::INT;
    if constant(step) == Some(0) {
        return Err(call.argument_error(ErrorKind::OutOfRange, 2, "expected a step other than 0, got 0"));
    }
    let length = if [start, end, step].into_iter().all(is_int) {
        // TVM 0.25 subtracts 1 for each step, and so counts too many elements of a descending progression.
        let towards_start = if constant(step).is_some_and(|step| step < 0) { -1 } else { 1 };
        max(floor_div(sub(add(sub(end, start)?, step)?, towards_start)?, step)?, 0)?
    } else {
        match number_of_steps(start, end, step) {
            Some(length) => dim(length.max(0)),
            None => {
                let length = rounded_up(div(cast(DataType::float(32), sub(end, start)?)?, step)?)?;
                if is_directed(call, start, end, step)? { length } else { max(length, 0)? }
            }
        }
    };
    let dims = Dims::Known(vec![call.analyzer().simplify(&length)]);
    Ok(tensor(dims, call.attrs::<InitAttrs>()?.dtype, None))
}

/// The value of a constant, a floating-point number or an integer.
fn number(expr: &PrimExpr) -> Option<f64> {
    let float = expr.downcast_ref::<FloatImm>().map(|float| float.value);
    #[expect(clippy::cast_precision_loss, reason = "the result is a float by definition")]
    float.or_else(|| constant(expr).map(|int| int as f64))
}

/// Whether the analyzer proves that a constant step leads from the start to the end; then the length is not negative.
fn is_directed(call: &OpCall<'_>, start: &PrimExpr, end: &PrimExpr, step: &PrimExpr) -> Result<bool, Error> {
    let Some(step) = number(step) else { return Ok(false) };
    let (low, high) = if step > 0.0 { (start, end) } else { (end, start) };
    let rounded = |expr: &PrimExpr, round: fn(f64) -> f64| match number(expr).map(round) {
        #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
        Some(number) if number.abs() < 9e15 => Some(dim(number as i64)),
        None if expr.dtype.code == TypeCode::INT => Some(expr.clone()),
        _ => None,
    };
    match (rounded(low, f64::ceil), rounded(high, f64::floor)) {
        (Some(low), Some(high)) => Ok(call.analyzer().prove(&less_equal(low, high)?).is_true()),
        _ => Ok(false),
    }
}

/// The least integer that is not less than a floating-point number.
fn rounded_up(number: PrimExpr) -> Result<PrimExpr, Error> {
    let (dtype, ceil) = (number.dtype, Op::get("tirx.ceil")?);
    cast(DataType::int(64), PrimExpr::from(tir::Call::new(dtype, ceil, [number], None)))
}

/// The length of a progression of constants. Like TVM 0.25, it computes with `float32` if no number is a `float64`.
fn number_of_steps(start: &PrimExpr, end: &PrimExpr, step: &PrimExpr) -> Option<i64> {
    let is_double = |expr: &PrimExpr| expr.dtype == DataType::float(64);
    let rounded = |number: f64, is_double| {
        #[expect(clippy::cast_possible_truncation, reason = "the precision is `float32` by definition")]
        if is_double { number } else { f64::from(number as f32) }
    };
    let apply = |operation: fn(f64, f64) -> f64, a: f64, b: f64, is_double: bool| {
        rounded(operation(rounded(a, is_double), rounded(b, is_double)), is_double)
    };
    let distance = apply(f64::sub, number(end)?, number(start)?, is_double(start) || is_double(end));
    let length = apply(f64::div, distance, number(step)?, is_double(step)).ceil();
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    (length.abs() < 9e15).then_some(length as i64)
}

fn window(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (size, dtype) = (call.scalar(0)?, call.attrs::<InitAttrs>()?.dtype);
    if matches!(dtype.code, TypeCode::INT | TypeCode::UINT) {
        return Err(call.attribute_error("dtype", format!("expected a floating-point type, got {dtype}")));
    }
    if call.analyzer().prove(&less(size, 1)?).is_true() {
        let message = format!("expected a size of at least 1, got {}", describe_expr(size));
        return Err(call.argument_error(ErrorKind::OutOfRange, 0, message));
    }
    Ok(tensor(Dims::Known(vec![call.analyzer().simplify(size)]), dtype, None))
}

fn triangle(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    if rank_of(call.tensor(0)?).is_some_and(|rank| rank < 2) {
        return Err(wrong_tensor(call, 0, "a tensor of at least 2 dimensions"));
    }
    Ok(call.info(0).clone())
}
