//! Element-wise operators with three operands (TVM 0.25 `src/relax/op/tensor/ternary.cc`).

use object_core::prelude::*;
use object_ir::ir::StructInfo;

use super::broadcast::common_vdevice;
use super::describe::describe;
use super::dims::{Dims, tensor, tensor_of};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::Tensor;

operators! {
    /// The product of the first two elements plus the third, for each triple.
    fn ewise_fma = "relax.ewise_fma"(x1: Tensor, x2: Tensor, x3: Tensor), Pure, fused;
}

/// All operands have the same shape and element type.
fn fused(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let operands = [call.tensor(0)?, call.tensor(1)?, call.tensor(2)?];
    let dims = operands.map(|operand| Dims::of(operand));
    let differs = |index: usize, expected: String| {
        let message = format!("expected {expected}, got {}", describe(call.info(index)));
        Err(call.argument_error(ErrorKind::TypeMismatch, index, message))
    };
    let mut rank = None;
    for (index, dims) in dims.iter().enumerate() {
        match (rank, dims.rank()) {
            (Some(rank), Some(given)) if rank != given => return differs(index, format!("a tensor of rank {rank}")),
            (None, given) => rank = given,
            _ => {}
        }
    }
    let dtypes = operands.map(|operand| operand.dtype);
    let dtype = if dtypes.iter().any(|dtype| dtype.is_void()) { DataType::void() } else { dtypes[0] };
    if let Some(index) = dtypes.iter().position(|it| !dtype.is_void() && *it != dtype) {
        return differs(index, format!("elements of type {dtype}"));
    }
    let vdevice = common_vdevice(operands);
    let [Dims::Known(first), Dims::Known(second), Dims::Known(third)] = &dims else {
        let shape = operands[0].shape.as_ref();
        let is_shared = |index: usize| shape.zip(operands[index].shape.as_ref()).is_some_and(|(a, b)| a.ptr_eq(b));
        if is_shared(1) && is_shared(2) {
            return Ok(tensor_of(shape.cloned(), dtype, vdevice, operands[0].ndim));
        }
        return Ok(tensor(rank.into(), dtype, vdevice));
    };
    for (index, other) in [(1, second), (2, third)] {
        if !call.analyzer().prove_shape_equal(first, other).is_true() {
            return differs(index, format!("the shape of `x1`, which is {}", describe(call.info(0))));
        }
    }
    Ok(tensor(Dims::Known(first.clone()), dtype, vdevice))
}
