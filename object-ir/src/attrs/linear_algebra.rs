//! Attributes of linear algebra.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Attributes of `matmul`.
///
/// TVM 0.25 `relax.attrs.MatmulAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.MatmulAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct MatmulAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The element type of the result; void takes the element type of the arguments.
    pub out_dtype: DataType,
}

/// Attributes of `einsum`.
///
/// TVM 0.25 `relax.attrs.EinsumAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.EinsumAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct EinsumAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The formula, such as `ij,jk->ik`.
    pub subscripts: Str,
}

impl Default for MatmulAttrs {
    /// The element type of the operands.
    fn default() -> Self {
        MatmulAttrs::new(DataType::void())
    }
}

/// The subscripts.
impl From<&str> for EinsumAttrs {
    fn from(subscripts: &str) -> Self {
        EinsumAttrs::new(subscripts)
    }
}
