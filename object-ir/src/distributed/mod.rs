//! Tensors spread over several devices.

use object_core::prelude::*;

use crate::ir::expr::{Range, StructInfoNode};
use crate::ir::global_info::GlobalInfoNode;
use crate::ir::struct_info::TensorStructInfo;

/// Devices arranged in a grid.
///
/// TVM 0.25 `relax.distributed.DeviceMesh`.
#[derive(Object)]
#[object(type_key = "relax.distributed.DeviceMesh", files = tvm, parent = GlobalInfoNode)]
#[structural_eq(tree)]
pub struct DeviceMeshNode {
    /// The [`GlobalInfoNode`] part.
    pub base: GlobalInfoNode,
    /// The extents of the grid.
    pub shape: Shape,
    /// The devices in row-major order; empty if `device_range` is set.
    pub device_ids: Array<i64>,
    /// The devices as a range of ids.
    pub device_range: Option<Range>,
}

/// The placement of a tensor along one dimension of the grid.
///
/// TVM 0.25 `relax.distributed.PlacementSpec`.
#[derive(Object)]
#[object(type_key = "relax.distributed.PlacementSpec", files = tvm)]
#[structural_eq(const_tree)]
pub struct PlacementSpecNode {
    /// The tensor dimension that is split; -1 if replicated.
    pub axis: i64,
    /// One of [`placement_spec_kind`].
    pub kind: i64,
}

/// The placement of a tensor on the whole grid.
///
/// TVM 0.25 `relax.distributed.Placement`.
#[derive(Object)]
#[object(type_key = "relax.distributed.Placement", files = tvm)]
#[structural_eq(const_tree)]
pub struct PlacementNode {
    /// One per grid dimension.
    pub dim_specs: Array<PlacementSpec>,
}

/// A tensor spread over a grid of devices.
///
/// TVM 0.25 `relax.DTensorStructInfo`.
#[derive(Object)]
#[object(type_key = "relax.DTensorStructInfo", files = tvm, parent = StructInfoNode)]
#[structural_eq(tree)]
pub struct DTensorStructInfoNode {
    /// The [`StructInfoNode`] part.
    pub base: StructInfoNode,
    /// The grid.
    pub device_mesh: DeviceMesh,
    /// The placement on the grid.
    pub placement: Placement,
    /// The structural information of the whole tensor.
    pub tensor_sinfo: TensorStructInfo,
}

/// The kinds of a [`PlacementSpec`].
pub mod placement_spec_kind {
    /// The tensor is split along an axis.
    pub const SHARDING: i64 = 0;
    /// Every device has the whole tensor.
    pub const REPLICA: i64 = 1;
}
