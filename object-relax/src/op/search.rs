//! Searching values (TVM 0.25 `src/relax/op/tensor/search.cc`).

use object_core::prelude::*;
use object_ir::attrs::{ArgmaxArgminAttrs, BucketizeAttrs};
use object_ir::ir::StructInfo;

use super::broadcast::{broadcast, common_vdevice, same_dtype};
use super::describe::describe;
use super::dims::{Dims, rank_of, tensor, tensor_of, with_dtype};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Defaults, Tensor};
use super::statistical::reduced;

operators! {
    /// The position of the greatest element along a dimension.
    fn argmax = "relax.argmax"(x: Tensor, attrs: Defaults<ArgmaxArgminAttrs>), Pure, position;
    /// The position of the least element along a dimension.
    fn argmin = "relax.argmin"(x: Tensor, attrs: Defaults<ArgmaxArgminAttrs>), Pure, position;
    /// The interval between sorted boundaries in which each element is.
    fn bucketize = "relax.bucketize"(
        input_tensor: Tensor,
        boundaries: Tensor,
        attrs: Defaults<BucketizeAttrs>,
    ), Pure, intervals;
    /// The element of `x1` where the condition is true, and of `x2` elsewhere.
    fn where_ = "relax.where"(condition: Tensor, x1: Tensor, x2: Tensor), Pure, selected;
}

fn position(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<ArgmaxArgminAttrs>()?);
    let axis = attrs.axis.map(|axis| [axis]);
    let dims = reduced(call, &Dims::of(x), axis.as_ref().map(|axis| &axis[..]), attrs.keepdims)?;
    Ok(tensor(dims, DataType::int(64), x.vdevice.clone()))
}

fn intervals(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (values, boundaries) = (call.tensor(0)?, call.tensor(1)?);
    if rank_of(boundaries).is_some_and(|rank| rank != 1) {
        let message = format!("expected a tensor of rank 1, got {}", describe(call.info(1)));
        return Err(call.argument_error(ErrorKind::TypeMismatch, 1, message));
    }
    let dtype = DataType::int(if call.attrs::<BucketizeAttrs>()?.out_int32 { 32 } else { 64 });
    Ok(with_dtype(values, dtype))
}

fn selected(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let operands = [call.tensor(0)?, call.tensor(1)?, call.tensor(2)?];
    // TVM 0.25 rejects a condition of an unknown type.
    let is_unknown = call.by_tvm_0_27() == Some(true) && operands[0].dtype.is_void();
    if operands[0].dtype != DataType::boolean() && !is_unknown {
        let message = format!("expected truth values, got {}", describe(call.info(0)));
        return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
    }
    let (dtype, vdevice) = (same_dtype(call, 1, 2)?, common_vdevice(operands));
    let [condition, x1, x2] = operands.map(|operand| Dims::of(operand));
    if let [Some(shape), Some(first), Some(second)] = operands.map(|operand| operand.shape.as_ref())
        && condition.known().is_none()
        && shape.ptr_eq(first)
        && shape.ptr_eq(second)
    {
        return Ok(tensor_of(Some(shape.clone()), dtype, vdevice, operands[0].ndim));
    }
    let dims = broadcast(call, 0, &condition, &broadcast(call, 2, &x1, &x2)?)?;
    Ok(tensor(dims, dtype, vdevice))
}
