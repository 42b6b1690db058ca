//! Attributes of reductions, scans and sampling.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Attributes of `sum`, `mean`, `max`, `min`, `prod`, `std` and `variance`.
///
/// TVM 0.25 `relax.attrs.StatisticalAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.StatisticalAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct StatisticalAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimensions to reduce; none for all.
    pub axis: Option<Array<i64>>,
    /// Whether to keep the dimensions, with extent 1.
    pub keepdims: bool,
}

/// Attributes of `cumsum` and `cumprod`.
///
/// TVM 0.25 `relax.attrs.ScanopAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.ScanopAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct ScanopAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimension to run along; none for the flattened tensor.
    pub axis: Option<i64>,
    /// The element type of the result; void takes the element type of the argument.
    pub dtype: DataType,
    /// Whether each result excludes its own element.
    #[field(default = false)]
    pub exclusive: bool,
}

/// Attributes of `multinomial_from_uniform`.
///
/// TVM 0.25 `relax.attrs.MultinomialFromUniformAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.MultinomialFromUniformAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct MultinomialFromUniformAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The element type of the drawn positions.
    #[field(default = DataType::int(64))]
    pub dtype: DataType,
}

impl Default for StatisticalAttrs {
    /// All dimensions, which are removed.
    fn default() -> Self {
        StatisticalAttrs::new(None, false)
    }
}

impl Default for ScanopAttrs {
    /// Over the flattened tensor, in its element type.
    fn default() -> Self {
        ScanopAttrs::new(None, DataType::void())
    }
}

impl Default for MultinomialFromUniformAttrs {
    /// Positions of type `int64`.
    fn default() -> Self {
        MultinomialFromUniformAttrs::new()
    }
}
