//! Attributes of the call_tir family, and of wrapping parameters.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Attributes of `call_tir_inplace`: the arguments whose memory the results reuse.
///
/// TVM 0.25 `relax.attrs.CallTIRInplaceAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.CallTIRInplaceAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct CallTIRInplaceAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// One per result: the position of the argument to overwrite, or -1 for a new allocation.
    pub inplace_indices: Array<i64>,
}

/// Attributes of `call_inplace_packed`: the arguments whose memory the results reuse.
///
/// TVM 0.25 `relax.attrs.CallInplacePackedAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.CallInplacePackedAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct CallInplacePackedAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// One per result: the position of the argument to overwrite, or -1 for a new allocation.
    pub inplace_indices: Array<i64>,
}

/// Attributes of `call_tir_with_grad`: the gradient of the called function.
///
/// TVM 0.25 `relax.attrs.CallTIRWithGradAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.CallTIRWithGradAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct CallTIRWithGradAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The registered name of the gradient.
    pub te_grad_name: Str,
    /// Further arguments of the gradient by name.
    pub te_grad_kwargs: Map<Str, Any>,
}

/// Attributes of `wrap_param`, which gives a constant the element type of a parameter.
///
/// TVM 0.25 `relax.attrs.WrapParamAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.WrapParamAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct WrapParamAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The element type that users of the parameter see.
    pub dtype: DataType,
}

impl From<DataType> for WrapParamAttrs {
    fn from(dtype: DataType) -> Self {
        WrapParamAttrs::new(dtype)
    }
}
