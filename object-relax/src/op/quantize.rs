//! Quantization (TVM 0.25 `src/relax/op/tensor/qdq.cc`).

use object_core::prelude::*;
use object_ir::attrs::QuantizeAttrs;
use object_ir::ir::StructInfo;

use super::axes::axis;
use super::describe::{describe, describe_expr};
use super::dims::{Dims, constant, with_dtype};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{ElementType, Tensor};

operators! {
    /// The elements of a floating-point tensor as small numbers: divided by `scale`, plus `zero_point`.
    fn quantize = "relax.quantize"(
        data: Tensor,
        scale: Tensor,
        zero_point: Tensor,
        attrs: ElementType<QuantizeAttrs>,
    ), Pure, quantized;
    /// The inverse of [`quantize`].
    fn dequantize = "relax.dequantize"(
        data: Tensor,
        scale: Tensor,
        zero_point: Tensor,
        attrs: ElementType<QuantizeAttrs>,
    ), Pure, dequantized;
}

const FLOATS: &[&str] = &["float16", "float32"];
const QUANTIZED: &[&str] = &["int8", "uint8", "int16", "uint16", "float8_e4m3fn", "float8_e5m2"];
const DEQUANTIZABLE: &[&str] =
    &["int8", "uint8", "int16", "uint16", "int32", "float8_e4m3fn", "float8_e5m2", "float16", "float32"];
const ZERO_POINTS: &[&str] = &["int8", "uint8", "int16", "uint16", "int32", "uint32", "float16"];

fn quantized(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    converted(call, FLOATS, QUANTIZED)
}

fn dequantized(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    converted(call, DEQUANTIZABLE, FLOATS)
}

/// Converts from one of the types `from` to one of the types `to`.
fn converted(call: &OpCall<'_>, from: &[&str], to: &[&str]) -> Result<StructInfo, Error> {
    let (data, attrs) = (call.tensor(0)?, call.attrs::<QuantizeAttrs>()?);
    if !to.contains(&attrs.out_dtype.to_string().as_str()) {
        let message = format!("expected one of {}, got {:?}", to.join(", "), attrs.out_dtype);
        return Err(call.attribute_error("out_dtype", message));
    }
    let by_tvm_0_27 = call.by_tvm_0_27() == Some(true);
    // TVM 0.25 rejects elements of unknown types.
    if by_tvm_0_27
        && (0..3).try_fold(false, |found, index| Ok::<_, Error>(found | call.tensor(index)?.dtype.is_void()))?
    {
        return Ok(with_dtype(data, DataType::void()));
    }
    for (index, types) in [from, FLOATS, ZERO_POINTS].into_iter().enumerate() {
        let dtype = call.tensor(index)?.dtype;
        if !types.contains(&dtype.to_string().as_str()) {
            let message = format!("expected elements of one of the types {}, got {dtype:?}", types.join(", "));
            return Err(call.argument_error(ErrorKind::TypeMismatch, index, message));
        }
    }
    let dims = Dims::of(data);
    let Some(rank) = dims.rank() else {
        let message = format!("expected a tensor of known rank, got {}", describe(call.info(0)));
        return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
    };
    // TVM 0.25 rejects scalars.
    let axis = if by_tvm_0_27 && rank == 0 { None } else { Some(axis(call, "axis", attrs.axis, rank)?) };
    for index in [1, 2] {
        check_extent(call, index, &dims, axis)?;
    }
    Ok(with_dtype(data, attrs.out_dtype))
}

/// Checks that the parameter at `index` has one element, or one for each position along the axis, if there is one.
fn check_extent(call: &OpCall<'_>, index: usize, data: &Dims, axis: Option<usize>) -> Result<(), Error> {
    let parameter = Dims::of(call.tensor(index)?);
    if parameter.known().is_some_and(|dims| dims.iter().all(|extent| constant(extent) == Some(1))) {
        return Ok(());
    }
    let (Some(parameter), Some(data), Some(axis)) = (parameter.known(), data.known(), axis) else {
        let unknown = if parameter.known().is_none() { index } else { 0 };
        let message = format!("expected a tensor of known shape, got {}", describe(call.info(unknown)));
        return Err(call.argument_error(ErrorKind::TypeMismatch, unknown, message));
    };
    if call.analyzer().prove_equal(&parameter[0], &data[axis]).is_true() {
        return Ok(());
    }
    let expected = describe_expr(&data[axis]);
    let message = format!("expected 1 or {expected} elements, got {}", describe_expr(&parameter[0]));
    Err(call.argument_error(ErrorKind::TypeMismatch, index, message))
}
