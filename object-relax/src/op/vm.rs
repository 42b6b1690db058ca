//! Operators of the virtual machine: `relax.vm` (TVM 0.25 `src/relax/op/op.cc`).

use object_core::prelude::*;
use object_ir::ir::StructInfo;

use super::allocation::allocated;
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Any, Optional, Prim, PrimValue, Shape, Text, Tuple, Type};
use super::rules::{any_value, no_result};

operators! {
    /// A new block of memory.
    fn alloc_storage = "relax.vm.alloc_storage"(
        size: Any,
        runtime_device_index: PrimValue,
        dtype: Type,
        storage_scope: Text,
    ), Pure, any_value;
    /// A tensor in a block of memory.
    fn alloc_tensor = "relax.vm.alloc_tensor"(
        storage: Any,
        offset: Prim,
        shape: Shape,
        dtype: Type,
        runtime_device_index: Optional<PrimValue>,
    ), Pure, tensor_in_storage;
    /// Releases an object.
    fn kill_object = "relax.vm.kill_object"(obj: Any), Impure, no_result;
    /// A call of a loop program with the tensors that it writes, and with the dimensions as last argument.
    fn call_tir_dyn = "relax.vm.call_tir_dyn"(func: Any, args: Tuple), Impure, no_result;
}

fn tensor_in_storage(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    allocated(call, 2, 3, 4)
}
