//! Facts about a tensor at run time (TVM 0.25 `src/relax/op/tensor/inspect.cc`).

use object_core::prelude::*;
use object_ir::ir::{IntImm, PrimStructInfo, StructInfo};

use super::describe::describe_expr;
use super::dims::{Dims, constant, prim, product, rank_of};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Prim, Tensor};

operators! {
    /// The code of the element type.
    fn tensor_dtype_code = "relax.inspect.tensor_dtype_code"(tensor: Tensor), Pure, code;
    /// The width of the element type in bits.
    fn tensor_dtype_bits = "relax.inspect.tensor_dtype_bits"(tensor: Tensor), Pure, bits;
    /// The number of lanes of the element type.
    fn tensor_dtype_lanes = "relax.inspect.tensor_dtype_lanes"(tensor: Tensor), Pure, lanes;
    /// The number of dimensions.
    fn tensor_ndim = "relax.inspect.tensor_ndim"(tensor: Tensor), Pure, rank;
    /// The extent of a dimension.
    fn tensor_shape_i = "relax.inspect.tensor_shape_i"(tensor: Tensor, axis: Prim), Pure, extent;
    /// The distance, in elements, of neighbours along a dimension.
    fn tensor_stride_i = "relax.inspect.tensor_stride_i"(tensor: Tensor, axis: Prim), Pure, stride;
    /// The distance, in bytes, of the first element from the start of the memory.
    fn tensor_byte_offset = "relax.inspect.tensor_byte_offset"(tensor: Tensor), Pure, offset;
    /// The distance, in elements, of the first element from the start of the memory.
    fn tensor_elem_offset = "relax.inspect.tensor_elem_offset"(tensor: Tensor), Pure, offset;
}

/// A scalar of type `dtype`, whose value may be known.
fn scalar(dtype: DataType, value: Option<i64>) -> StructInfo {
    value.map_or_else(|| prim(dtype), |value| PrimStructInfo::of_value(IntImm::new(dtype, value)).into())
}

/// A fact about the element type, if it is known.
fn of_type(call: &OpCall<'_>, bits: u8, fact: fn(DataType) -> i64) -> Result<StructInfo, Error> {
    let dtype = call.tensor(0)?.dtype;
    Ok(scalar(DataType::uint(bits), (!dtype.is_void()).then(|| fact(dtype))))
}

fn code(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    of_type(call, 8, |dtype| dtype.code.0.into())
}

fn bits(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    of_type(call, 8, |dtype| dtype.bits.into())
}

fn lanes(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    of_type(call, 16, |dtype| dtype.lanes().into())
}

fn rank(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let rank = rank_of(call.tensor(0)?).and_then(|rank| i64::try_from(rank).ok());
    Ok(scalar(DataType::int(32), rank))
}

/// The position that the second argument names, if it is a constant.
fn axis(call: &OpCall<'_>, dims: &Dims) -> Result<Option<usize>, Error> {
    let Some(value) = &call.prim(1)?.value else { return Ok(None) };
    let Some(axis) = constant(value) else { return Ok(None) };
    match (usize::try_from(axis), dims.rank()) {
        (Ok(axis), Some(rank)) if axis < rank => Ok(Some(axis)),
        (Ok(axis), None) => Ok(Some(axis)),
        (_, rank) => {
            let range = rank.map_or("at least 0".to_owned(), |rank| format!("at least 0 and less than {rank}"));
            let message = format!("expected an axis that is {range}, got {}", describe_expr(value));
            Err(call.argument_error(ErrorKind::OutOfRange, 1, message))
        }
    }
}

fn extent(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let dims = Dims::of(call.tensor(0)?);
    Ok(match (axis(call, &dims)?, dims.known()) {
        (Some(axis), Some(dims)) => PrimStructInfo::of_value(&dims[axis]).into(),
        _ => prim(DataType::int(64)),
    })
}

/// The elements of a tensor are compact, the last dimension first.
fn stride(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let dims = Dims::of(call.tensor(0)?);
    Ok(match (axis(call, &dims)?, dims.known()) {
        (Some(axis), Some(dims)) => PrimStructInfo::of_value(product(&dims[axis + 1..])?).into(),
        _ => prim(DataType::int(64)),
    })
}

/// A tensor of known shape begins at the start of its memory.
fn offset(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let is_known = Dims::of(call.tensor(0)?).known().is_some();
    Ok(scalar(DataType::uint(64), is_known.then_some(0)))
}
