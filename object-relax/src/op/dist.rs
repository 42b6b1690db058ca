//! Distribution of tensors: `relax.dist` (TVM 0.25 `src/relax/op/distributed/distributed.cc`).

use object_core::prelude::*;
use object_ir::attrs::{DistributionAttrs, ScatterCollectiveAttrs};
use object_ir::distributed::DTensorStructInfo;
use object_ir::ir::StructInfo;

use super::call::loop_program;
use super::ccl::scattered;
use super::describe::describe;
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Any, Attributes, Function, Optional, ResultInfo, Shape, Tensor, Tuple};
use super::rules::same_as_first;

operators! {
    /// A tensor with a hint for its distribution.
    fn annotate_sharding = "relax.dist.annotate_sharding"(input: Any, attrs: Attributes<DistributionAttrs>), Pure, same_as_first;
    /// A distributed tensor in another distribution.
    fn redistribute = "relax.dist.redistribute"(input: Any, attrs: Attributes<DistributionAttrs>), Pure, redistributed;
    /// The part of a tensor that belongs to this worker.
    fn redistribute_replica_to_shard = "relax.dist.redistribute_replica_to_shard"(
        input: Tensor,
        attrs: Attributes<ScatterCollectiveAttrs>,
    ), Pure, scattered, sharding scattered_parts;
    /// A call of a loop program on the parts of distributed tensors.
    fn call_tir_local_view = "relax.dist.call_tir_local_view"(
        func: Function,
        args: Tuple,
        packed_ints: Optional<Shape>,
        result: ResultInfo,
    ), Pure, loop_program;
}

fn redistributed(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let attrs = call.attrs::<DistributionAttrs>()?;
    let Some(input) = call.info(0).downcast_ref::<DTensorStructInfo>() else {
        let message = format!("expected a distributed tensor, got {}", describe(call.info(0)));
        return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
    };
    let (mesh, placement) = (attrs.device_mesh.clone(), attrs.placement.clone());
    Ok(DTensorStructInfo::new(mesh, placement, input.tensor_sinfo.clone()).into())
}
