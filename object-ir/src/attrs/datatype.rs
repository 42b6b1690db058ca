//! Attributes of conversion between element types and of quantization.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Attributes of `astype`.
///
/// TVM 0.25 `relax.attrs.AstypeAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.AstypeAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct AstypeAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The element type of the result.
    pub dtype: DataType,
}

/// Attributes of `quantize` and `dequantize`.
///
/// TVM 0.25 `relax.attrs.QuantizeAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.QuantizeAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct QuantizeAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The element type of the result.
    pub out_dtype: DataType,
    /// The dimension along which scale and zero point vary; negative counts from the end.
    #[field(default = -1)]
    pub axis: i64,
}

impl From<DataType> for AstypeAttrs {
    fn from(dtype: DataType) -> Self {
        AstypeAttrs::new(dtype)
    }
}

impl From<DataType> for QuantizeAttrs {
    /// Along the last dimension.
    fn from(out_dtype: DataType) -> Self {
        QuantizeAttrs::new(out_dtype)
    }
}
