//! Attributes of operators that make tensors from nothing or from a scalar.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Of `zeros`, `ones`, `full`, `arange`, `eye` and their `_like` forms.
///
/// TVM 0.25 `relax.attrs.InitAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.InitAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
pub struct InitAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The element type of the result; void takes it from the arguments.
    pub dtype: DataType,
}

/// Of `tril` and `triu`.
///
/// TVM 0.25 `relax.attrs.TriluAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.TriluAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
pub struct TriluAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// Which diagonal bounds the part that is kept: 0 the main one, positive above it.
    pub k: i64,
}
