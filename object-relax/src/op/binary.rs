//! Element-wise operators with two operands (TVM 0.25 `src/relax/op/tensor/binary.cc`).

use object_core::prelude::*;
use object_ir::ir::{PrimExpr, PrimStructInfo, ShapeExpr, StructInfo, TensorStructInfo};

use super::broadcast::{broadcast_dims, same_dtype, same_vdevice};
use super::dims::{Dims, constant, dim, prim, rank_of, shape_values, tensor, tensor_of, with_facts, written_values};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::TensorOrPrim;
use crate::struct_info::written::is_same_dim;

operators! {
    /// The sum of each pair of elements.
    fn add = "relax.add"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;
    /// The quotient of each pair of elements.
    fn divide = "relax.divide"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;
    /// The quotient of each pair of elements, rounded down.
    fn floor_divide = "relax.floor_divide"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;
    /// The logarithm of the sum of the exponentials of each pair of elements.
    fn log_add_exp = "relax.log_add_exp"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic;
    /// The product of each pair of elements.
    fn multiply = "relax.multiply"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;
    /// The first element to the power of the second, for each pair.
    fn power = "relax.power"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;
    /// The angle whose tangent is the quotient of each pair of elements, in the quadrant of their signs.
    fn atan2 = "relax.atan2"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic;
    /// The difference of each pair of elements.
    fn subtract = "relax.subtract"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;
    /// The remainder of each pair of elements, with the sign of the first.
    fn mod_ = "relax.mod"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;
    /// The remainder of each pair of elements, with the sign of the second.
    fn floor_mod = "relax.floor_mod"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;

    /// Whether the elements of each pair are equal.
    fn equal = "relax.equal"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, comparison, sharding broadcast_parts;
    /// Whether the first element of each pair is greater than the second.
    fn greater = "relax.greater"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, comparison, sharding broadcast_parts;
    /// Whether the first element of each pair is at least the second.
    fn greater_equal = "relax.greater_equal"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, comparison, sharding broadcast_parts;
    /// Whether the first element of each pair is less than the second.
    fn less = "relax.less"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, comparison, sharding broadcast_parts;
    /// Whether the first element of each pair is at most the second.
    fn less_equal = "relax.less_equal"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, comparison, sharding broadcast_parts;
    /// Whether the elements of each pair differ.
    fn not_equal = "relax.not_equal"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, comparison, sharding broadcast_parts;

    /// The lesser of each pair of elements.
    fn minimum = "relax.minimum"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;
    /// The greater of each pair of elements.
    fn maximum = "relax.maximum"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;

    /// The logical conjunction of each pair of elements.
    fn logical_and = "relax.logical_and"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;
    /// The logical disjunction of each pair of elements.
    fn logical_or = "relax.logical_or"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;
    /// Whether exactly one element of each pair is true.
    fn logical_xor = "relax.logical_xor"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;

    /// The bitwise conjunction of each pair of elements.
    fn bitwise_and = "relax.bitwise_and"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;
    /// The bitwise disjunction of each pair of elements.
    fn bitwise_or = "relax.bitwise_or"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;
    /// The bitwise exclusive disjunction of each pair of elements.
    fn bitwise_xor = "relax.bitwise_xor"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;
    /// The first element, shifted to the left by the second, for each pair.
    fn left_shift = "relax.left_shift"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;
    /// The first element, shifted to the right by the second, for each pair.
    fn right_shift = "relax.right_shift"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts;
}

/// The result has the element type of the operands.
fn arithmetic(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let common = |a: DataType, b: DataType| (a == b).then_some(a);
    if let Some(shared) = of_longer_shape(call, common) {
        return Ok(shared);
    }
    pair(call, same_dtype(call, 0, 1)?)
}

/// The result has truth values.
fn comparison(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    if let Some(shared) = of_longer_shape(call, |_, _| Some(DataType::boolean())) {
        return Ok(shared);
    }
    pair(call, DataType::boolean())
}

/// The broadcast of both operands with the element type `dtype`. A scalar counts as a tensor of one element, but two
/// scalars give a scalar.
fn pair(call: &OpCall<'_>, dtype: DataType) -> Result<StructInfo, Error> {
    let is_scalar = [0, 1].map(|index| call.info(index).is::<PrimStructInfo>());
    if is_scalar == [true, true] {
        return Ok(prim(dtype));
    }
    let vdevice = same_vdevice(call, 0, 1)?;
    let one_element = if is_scalar.contains(&true) { vec![dim(1)] } else { Vec::new() };
    let operand = |index: usize| match is_scalar[index] {
        true => Ok((None, Some(one_element.as_slice()), Some(1))),
        false => call.tensor(index).map(|it| (it.shape.as_ref(), shape_values(it), rank_of(it))),
    };
    let ((a_shape, a, a_rank), (b_shape, b, b_rank)) = (operand(0)?, operand(1)?);
    if let (Some(a), Some(b)) = (a, b)
        && let Some(dims) = broadcast_dims(call, 1, a, b)?
    {
        // An operand that has the shape of the result shares it.
        for (index, shape, values) in [(0, a_shape, a), (1, b_shape, b)] {
            if shape.is_some_and(|shape| shape.is::<ShapeExpr>()) && std::ptr::eq(&*dims, values) {
                return Ok(with_facts(call.info(index), call.tensor(index)?, dtype, vdevice));
            }
        }
        return Ok(call.result(Dims::Known(dims.into_owned()), dtype, vdevice));
    }
    let rank = a_rank.zip(b_rank).map(|(a, b)| a.max(b));
    // One variable is the shape of both operands, and so of the result.
    if let (Some(a), Some(b)) = (a_shape, b_shape)
        && a.ptr_eq(b)
    {
        return Ok(tensor_of(Some(a.clone()), dtype, vdevice, Dims::from(rank).ndim()));
    }
    Ok(tensor(rank.into(), dtype, vdevice))
}

/// The result for tensors without devices, if one of them has the dimensions to which both broadcast, and the dimensions of
/// the other one are written in the same way or are 1. Most calls have them. `dtype` is the element type of the result, if
/// the ones of the operands decide it without further rules.
fn of_longer_shape(
    call: &OpCall<'_>,
    dtype: impl FnOnce(DataType, DataType) -> Option<DataType>,
) -> Option<StructInfo> {
    let (a, b) = (call.info(0), call.info(1));
    let x = a.downcast_ref::<TensorStructInfo>()?;
    let dims = written_values(x)?;
    if x.vdevice.is_some() || !call.sinfo_args().is_empty() {
        return None;
    }
    if a.ptr_eq(b) {
        return Some(with_facts(a, x, dtype(x.dtype, x.dtype)?, None));
    }
    let y = b.downcast_ref::<TensorStructInfo>().filter(|y| y.vdevice.is_none())?;
    let dtype = dtype(x.dtype, y.dtype)?;
    let others = written_values(y)?;
    let (info, tensor, longer, shorter) =
        if dims.len() >= others.len() { (a, x, dims, others) } else { (b, y, others, dims) };
    let last = &longer[longer.len() - shorter.len()..];
    let fits = |(long, short): (&PrimExpr, &PrimExpr)| is_same_dim(long, short) || constant(short) == Some(1);
    last.iter().zip(shorter).all(fits).then(|| with_facts(info, tensor, dtype, None))
}
