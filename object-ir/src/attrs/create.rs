//! Attributes of operators that create tensors.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Attributes of `zeros`, `ones`, `full`, `arange`, `eye` and their `_like` forms.
///
/// TVM 0.25 `relax.attrs.InitAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.InitAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct InitAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The element type of the result; void takes the element type of the arguments.
    pub dtype: DataType,
}

/// Attributes of `tril` and `triu`.
///
/// TVM 0.25 `relax.attrs.TriluAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.TriluAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct TriluAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The diagonal that bounds the result: 0 for the main diagonal, positive above it.
    pub k: i64,
}

impl Default for InitAttrs {
    /// The element type of the arguments.
    fn default() -> Self {
        InitAttrs::new(DataType::void())
    }
}

impl From<DataType> for InitAttrs {
    fn from(dtype: DataType) -> Self {
        InitAttrs::new(dtype)
    }
}
