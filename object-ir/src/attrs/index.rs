//! Attributes of indexing.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Attributes of `take`: slices by index.
///
/// TVM 0.25 `relax.attrs.TakeAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.TakeAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct TakeAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimension that the indices select in; none flattens first.
    pub axis: Option<i64>,
    /// The treatment of indices out of range: `fast` (undefined behaviour), `wrap`, `clip` or `nan`.
    #[field(default = "fast")]
    pub mode: Str,
}

/// Attributes of `strided_slice`.
///
/// TVM 0.25 `relax.attrs.StridedSliceAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.StridedSliceAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct StridedSliceAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// Whether the operator may assume that begin and end lie within the tensor, which keeps shapes simple.
    #[field(default = true)]
    pub assume_inbound: bool,
}

impl Default for TakeAttrs {
    /// The only axis.
    fn default() -> Self {
        TakeAttrs::new(None)
    }
}

impl Default for StridedSliceAttrs {
    /// Indices may lie outside of the tensor.
    fn default() -> Self {
        let mut attrs = StridedSliceAttrs::new();
        attrs.make_mut().assume_inbound = false;
        attrs
    }
}
