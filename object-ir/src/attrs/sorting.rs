//! Attributes of sorting.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Attributes of `sort`.
///
/// TVM 0.25 `relax.attrs.SortAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.SortAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct SortAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimension to sort along.
    #[field(default = -1)]
    pub axis: i64,
    /// Whether the largest comes first.
    #[field(default = false)]
    pub descending: bool,
}

/// Attributes of `argsort`.
///
/// TVM 0.25 `relax.attrs.ArgsortAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.ArgsortAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct ArgsortAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimension to sort along.
    #[field(default = -1)]
    pub axis: i64,
    /// Whether the largest comes first.
    #[field(default = false)]
    pub descending: bool,
    /// The element type of the positions; void for int32.
    #[field(default = DataType::void())]
    pub dtype: DataType,
}

/// Attributes of `topk`.
///
/// TVM 0.25 `relax.attrs.TopKAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.TopKAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct TopKAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The number of values to keep; less than 1 for all.
    pub k: i64,
    /// The dimension to sort along.
    #[field(default = -1)]
    pub axis: i64,
    /// The results: `values`, `indices` or `both`.
    #[field(default = "both")]
    pub ret_type: Str,
    /// Whether to keep the largest values; otherwise the smallest.
    #[field(default = true)]
    pub largest: bool,
    /// The element type of the positions; void for int32.
    #[field(default = DataType::void())]
    pub dtype: DataType,
}

impl Default for SortAttrs {
    /// Along the last dimension, the least first.
    fn default() -> Self {
        SortAttrs::new()
    }
}

impl Default for ArgsortAttrs {
    /// Along the last dimension, the least first, positions of type `int32`.
    fn default() -> Self {
        let mut attrs = ArgsortAttrs::new();
        attrs.make_mut().dtype = DataType::int(32);
        attrs
    }
}

impl Default for TopKAttrs {
    /// The greatest element along the last dimension and its position, of type `int32`.
    fn default() -> Self {
        let mut attrs = TopKAttrs::new(1);
        attrs.make_mut().dtype = DataType::int(32);
        attrs
    }
}
