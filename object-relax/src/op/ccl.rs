//! Communication between workers (TVM 0.25 `src/relax/op/ccl/ccl.cc`).

use object_core::prelude::*;
use object_ir::attrs::{AllGatherAttrs, AllReduceAttrs, ScatterCollectiveAttrs};
use object_ir::ir::StructInfo;
use object_ir::tir::{div, floor_mod, mul, not_equal};

use super::axes::axis;
use super::describe::{describe, describe_expr};
use super::dims::{Dims, dim, tensor};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Attributes, Tensor};
use super::rules::same_as_first;

operators! {
    /// The combination of the tensors of all workers.
    fn allreduce = "relax.ccl.allreduce"(x: Tensor, attrs: Attributes<AllReduceAttrs>), Pure, same_as_first,
        sharding no_parts;
    /// The tensors of all workers, one after the other along the first dimension.
    fn allgather = "relax.ccl.allgather"(x: Tensor, attrs: Attributes<AllGatherAttrs>), Pure, gathered;
    /// The tensor of the first worker.
    fn broadcast_from_worker0 = "relax.ccl.broadcast_from_worker0"(x: Tensor), Pure, same_as_first;
    /// The part of the tensor of the first worker that belongs to this worker.
    fn scatter_from_worker0 = "relax.ccl.scatter_from_worker0"(
        x: Tensor,
        attrs: Attributes<ScatterCollectiveAttrs>,
    ), Pure, scattered;
}

fn gathered(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<AllGatherAttrs>()?);
    match Dims::of(x) {
        Dims::Known(mut dims) if !dims.is_empty() => {
            dims[0] = mul(&dims[0], attrs.num_workers)?;
            Ok(tensor(Dims::Known(dims), x.dtype, x.vdevice.clone()))
        }
        Dims::Known(_) => {
            let message = format!("expected a tensor with a first dimension, got {}", describe(call.info(0)));
            Err(call.argument_error(ErrorKind::TypeMismatch, 0, message))
        }
        _ => same_as_first(call),
    }
}

/// The first argument, divided along a dimension into one part for each worker.
pub(super) fn scattered(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<ScatterCollectiveAttrs>()?);
    let Dims::Known(mut dims) = Dims::of(x) else {
        let message = format!("expected a tensor of known shape, got {}", describe(call.info(0)));
        return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
    };
    let position = axis(call, "axis", attrs.axis, dims.len())?;
    if attrs.num_workers < 1 {
        let message = format!("expected at least one worker, got {}", attrs.num_workers);
        return Err(call.attribute_error("num_workers", message));
    }
    let (extent, workers) = (&dims[position], dim(attrs.num_workers));
    if call.analyzer().prove(&not_equal(floor_mod(extent, &workers)?, 0)?).is_true() {
        let expected = format!("expected a multiple of {} along axis {position}", attrs.num_workers);
        let message = format!("{expected}, got {}", describe_expr(extent));
        return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
    }
    dims[position] = div(extent, &workers)?;
    Ok(tensor(Dims::Known(dims), x.dtype, x.vdevice.clone()))
}
