//! Operators between high-level Relax and the virtual machine: `relax.builtin` (TVM 0.25 `src/relax/op/op.cc`).

use object_core::prelude::*;
use object_ir::ir::{ShapeExpr, StructInfo};

use super::allocation::allocated;
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{PrimValue, Shape, Tensor, Text, Type};
use super::unary::same_type;

operators! {
    /// A new tensor.
    fn alloc_tensor = "relax.builtin.alloc_tensor"(
        shape: Shape,
        dtype: Type,
        runtime_device_index: PrimValue,
        storage_scope: Text,
    ), Pure, new_tensor;
    /// A value that is not computed before the function runs, although only parameters determine it.
    fn stop_lift_params = "relax.builtin.stop_lift_params"(x: Tensor), Pure, same_type, sharding same_parts;
}

fn new_tensor(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    if !call.arg(0).is::<ShapeExpr>() {
        let given = call.arg(0).as_object().view().type_key();
        return Err(call.argument_error(ErrorKind::TypeMismatch, 0, format!("expected a `ShapeExpr`, got `{given}`")));
    }
    allocated(call, 0, 1, 2)
}
