//! Attributes of normalization layers.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Attributes of `batch_norm`.
///
/// TVM 0.25 `relax.attrs.BatchNormAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.BatchNormAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct BatchNormAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The channel dimension.
    pub axis: i64,
    /// Added to the variance, against division by 0.
    pub epsilon: f64,
    /// Whether the shift `beta` is added.
    pub center: bool,
    /// Whether the result is multiplied by `gamma`.
    pub scale: bool,
    /// The weight of the new batch in the running mean and variance.
    pub momentum: f64,
    /// Whether the statistics come from the batch; otherwise they are the running values.
    pub training: bool,
}

/// Attributes of `layer_norm`.
///
/// TVM 0.25 `relax.attrs.LayerNormAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.LayerNormAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct LayerNormAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimensions that are normalized together.
    pub axes: Array<i64>,
    /// Added to the variance, against division by 0.
    pub epsilon: f64,
    /// Whether the shift `beta` is added.
    pub center: bool,
    /// Whether the result is multiplied by `gamma`.
    pub scale: bool,
}

/// Attributes of `group_norm`.
///
/// TVM 0.25 `relax.attrs.GroupNormAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.GroupNormAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct GroupNormAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The number of groups of channels.
    pub num_groups: i64,
    /// The channel dimension.
    pub channel_axis: i64,
    /// The dimensions that are normalized, besides the channels of a group.
    pub axes: Array<i64>,
    /// Added to the variance, against division by 0.
    pub epsilon: f64,
    /// Whether the shift `beta` is added.
    pub center: bool,
    /// Whether the result is multiplied by `gamma`.
    pub scale: bool,
}

/// Attributes of `instance_norm`.
///
/// TVM 0.25 `relax.attrs.InstanceNormAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.InstanceNormAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct InstanceNormAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The channel dimension.
    pub channel_axis: i64,
    /// The dimensions that are normalized.
    pub axes: Array<i64>,
    /// Added to the variance, against division by 0.
    pub epsilon: f64,
    /// Whether the shift `beta` is added.
    pub center: bool,
    /// Whether the result is multiplied by `gamma`.
    pub scale: bool,
}

/// Attributes of `rms_norm`.
///
/// TVM 0.25 `relax.attrs.RMSNormAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.RMSNormAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct RMSNormAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimensions that are normalized together.
    pub axes: Array<i64>,
    /// Added to the mean square, against division by 0.
    pub epsilon: f64,
}

impl Default for RMSNormAttrs {
    /// The last axis, and `epsilon` 1e-5.
    fn default() -> Self {
        RMSNormAttrs::new([-1], 1e-5)
    }
}
