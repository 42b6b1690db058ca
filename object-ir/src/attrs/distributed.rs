//! Attributes of collectives and of distributed tensors.

use object_core::prelude::*;

use crate::distributed::{DeviceMesh, Placement};
use crate::ir::attrs::AttrsNode;

/// Attributes of `ccl.allreduce`.
///
/// TVM 0.25 `relax.attrs.AllReduceAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.AllReduceAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct AllReduceAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// How values are combined: `sum`, `prod`, `min`, `max` or `avg`.
    pub op_type: Str,
    /// Whether only the workers of one group take part.
    pub in_group: bool,
}

/// Attributes of `ccl.allgather`.
///
/// TVM 0.25 `relax.attrs.AllGatherAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.AllGatherAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct AllGatherAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The number of workers.
    pub num_workers: i64,
    /// Whether only the workers of one group take part.
    pub in_group: bool,
}

/// Attributes of `ccl.scatter_from_worker0` and `dist.redistribute_replica_to_shard`.
///
/// TVM 0.25 `relax.attrs.ScatterCollectiveAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.ScatterCollectiveAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct ScatterCollectiveAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The number of workers.
    pub num_workers: i64,
    /// The dimension to split.
    pub axis: i64,
}

/// Attributes of `dist.annotate_sharding` and `dist.redistribute`.
///
/// TVM 0.25 `relax.attrs.DistributionAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.DistributionAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct DistributionAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The grid of devices.
    pub device_mesh: DeviceMesh,
    /// The placement of the tensor on the grid.
    pub placement: Placement,
}
