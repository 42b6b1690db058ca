//! Attributes of indexing.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Of `take`: slices by index.
///
/// TVM 0.25 `relax.attrs.TakeAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.TakeAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
pub struct TakeAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimension that the indices select in; none flattens first.
    pub axis: Option<i64>,
    /// What an index out of range does: `fast` is undefined, `wrap`, `clip` and `nan` are as named.
    #[field(default = "fast")]
    pub mode: Str,
}

/// Of `strided_slice`.
///
/// TVM 0.25 `relax.attrs.StridedSliceAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.StridedSliceAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
pub struct StridedSliceAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// Whether begin and end are taken to lie within the tensor, which keeps shapes simple.
    #[field(default = true)]
    pub assume_inbound: bool,
}
