//! Attributes of the call_tir family, and of wrapping parameters.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Of `call_tir_inplace`: which argument gives its memory to which result.
///
/// TVM 0.25 `relax.attrs.CallTIRInplaceAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.CallTIRInplaceAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
pub struct CallTIRInplaceAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// One per result: the position of the argument that is overwritten, or -1 for a new allocation.
    pub inplace_indices: Array<i64>,
}

/// Of `call_inplace_packed`: which argument gives its memory to which result.
///
/// TVM 0.25 `relax.attrs.CallInplacePackedAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.CallInplacePackedAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
pub struct CallInplacePackedAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// One per result: the position of the argument that is overwritten, or -1 for a new allocation.
    pub inplace_indices: Array<i64>,
}

/// Of `call_tir_with_grad`: how to differentiate the called function.
///
/// TVM 0.25 `relax.attrs.CallTIRWithGradAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.CallTIRWithGradAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
pub struct CallTIRWithGradAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The registered name of the gradient.
    pub te_grad_name: Str,
    /// Further arguments of the gradient by name.
    pub te_grad_kwargs: Map<Str, Any>,
}

/// Of `wrap_param`: a constant seen as a parameter of another element type.
///
/// TVM 0.25 `relax.attrs.WrapParamAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.WrapParamAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
pub struct WrapParamAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The element type that users of the parameter see.
    pub dtype: DataType,
}
