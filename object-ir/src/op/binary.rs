//! Element-wise operators with two operands (TVM 0.25 `src/relax/op/tensor/binary.cc`).

use object_core::prelude::*;

use super::broadcast::{broadcast, same_dtype, same_vdevice};
use super::dims::{Dims, dim, prim, tensor, tensor_of};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::TensorOrPrim;
use crate::ir::expr::StructInfo;
use crate::ir::struct_info::{PrimStructInfo, TensorStructInfo};

operators! {
    /// The sum of each pair of elements.
    fn add = "relax.add"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::add;
    /// The quotient of each pair of elements.
    fn divide = "relax.divide"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::divide;
    /// The quotient of each pair of elements, rounded down.
    fn floor_divide = "relax.floor_divide"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::floor_divide;
    /// The logarithm of the sum of the exponentials of each pair of elements.
    fn log_add_exp = "relax.log_add_exp"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, eval binary::log_add_exp;
    /// The product of each pair of elements.
    fn multiply = "relax.multiply"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::multiply;
    /// The first element to the power of the second, for each pair.
    fn power = "relax.power"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::power;
    /// The angle whose tangent is the quotient of each pair of elements, in the quadrant of their signs.
    fn atan2 = "relax.atan2"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, eval binary::atan2;
    /// The difference of each pair of elements.
    fn subtract = "relax.subtract"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::subtract;
    /// The remainder of each pair of elements, with the sign of the first.
    fn mod_ = "relax.mod"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::mod_;
    /// The remainder of each pair of elements, with the sign of the second.
    fn floor_mod = "relax.floor_mod"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::floor_mod;

    /// Whether the elements of each pair are equal.
    fn equal = "relax.equal"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, comparison, sharding broadcast_parts, eval binary::equal;
    /// Whether the first element of each pair is greater than the second.
    fn greater = "relax.greater"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, comparison, sharding broadcast_parts, eval binary::greater;
    /// Whether the first element of each pair is at least the second.
    fn greater_equal = "relax.greater_equal"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, comparison, sharding broadcast_parts, eval binary::greater_equal;
    /// Whether the first element of each pair is less than the second.
    fn less = "relax.less"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, comparison, sharding broadcast_parts, eval binary::less;
    /// Whether the first element of each pair is at most the second.
    fn less_equal = "relax.less_equal"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, comparison, sharding broadcast_parts, eval binary::less_equal;
    /// Whether the elements of each pair differ.
    fn not_equal = "relax.not_equal"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, comparison, sharding broadcast_parts, eval binary::not_equal;

    /// The lesser of each pair of elements.
    fn minimum = "relax.minimum"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::minimum;
    /// The greater of each pair of elements.
    fn maximum = "relax.maximum"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::maximum;

    /// The logical conjunction of each pair of elements.
    fn logical_and = "relax.logical_and"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::logical_and;
    /// The logical disjunction of each pair of elements.
    fn logical_or = "relax.logical_or"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::logical_or;
    /// Whether exactly one element of each pair is true.
    fn logical_xor = "relax.logical_xor"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::logical_xor;

    /// The bitwise conjunction of each pair of elements.
    fn bitwise_and = "relax.bitwise_and"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::bitwise_and;
    /// The bitwise disjunction of each pair of elements.
    fn bitwise_or = "relax.bitwise_or"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::bitwise_or;
    /// The bitwise exclusive disjunction of each pair of elements.
    fn bitwise_xor = "relax.bitwise_xor"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::bitwise_xor;
    /// The first element, shifted to the left by the second, for each pair.
    fn left_shift = "relax.left_shift"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::left_shift;
    /// The first element, shifted to the right by the second, for each pair.
    fn right_shift = "relax.right_shift"(x1: TensorOrPrim, x2: TensorOrPrim), Pure, arithmetic, sharding broadcast_parts, eval binary::right_shift;
}

/// The result has the element type of the operands.
fn arithmetic(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    pair(call, same_dtype(call, 0, 1)?)
}

/// The result has truth values.
fn comparison(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    pair(call, DataType::boolean())
}

/// The broadcast of both operands with the element type `dtype`. A scalar counts as a tensor of one element, but two
/// scalars give a scalar.
fn pair(call: &OpCall<'_>, dtype: DataType) -> Result<StructInfo, Error> {
    if call.info(0).is::<PrimStructInfo>() && call.info(1).is::<PrimStructInfo>() {
        return Ok(prim(dtype));
    }
    let vdevice = same_vdevice(call, 0, 1)?;
    let shape = |index: usize| call.info(index).downcast_ref::<TensorStructInfo>().and_then(|it| it.shape.clone());
    let dims = |index: usize| match call.info(index).is::<PrimStructInfo>() {
        true => Ok(Dims::Known(vec![dim(1)])),
        false => call.tensor(index).map(|tensor| Dims::of(tensor)),
    };
    let result = broadcast(call, 1, &dims(0)?, &dims(1)?)?;
    // One variable is the shape of both operands, and so of the result.
    if let (None, Some(a), Some(b)) = (result.known(), shape(0), shape(1))
        && a.ptr_eq(&b)
    {
        return Ok(tensor_of(Some(a), dtype, vdevice, result.ndim()));
    }
    Ok(tensor(result, dtype, vdevice))
}
