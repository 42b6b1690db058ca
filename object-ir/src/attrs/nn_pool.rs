//! Attributes of pooling.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Attributes of `max_pool1d` and `avg_pool1d`.
///
/// TVM 0.25 `relax.attrs.Pool1DAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.Pool1DAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct Pool1DAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The extent of the window per spatial dimension.
    pub pool_size: Array<i64>,
    /// The step of the window per spatial dimension, in elements.
    pub strides: Array<i64>,
    /// The distance between neighbouring window elements per spatial dimension; 1 is dense.
    pub dilation: Array<i64>,
    /// The padding: one number for all sides, one per dimension, or the numbers before each dimension followed by the
    /// numbers after each dimension.
    pub padding: Array<i64>,
    /// Whether a partly filled last window counts.
    pub ceil_mode: bool,
    /// Whether an average counts the padding.
    pub count_include_pad: bool,
    /// The dimensions of the argument, such as `NCW`.
    #[field(default = "NCW")]
    pub layout: Str,
    /// The dimensions of the result.
    pub out_layout: Str,
}

/// Attributes of `max_pool2d` and `avg_pool2d`, and of their gradients.
///
/// TVM 0.25 `relax.attrs.Pool2DAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.Pool2DAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct Pool2DAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The extent of the window per spatial dimension.
    pub pool_size: Array<i64>,
    /// The step of the window per spatial dimension, in elements.
    pub strides: Array<i64>,
    /// The distance between neighbouring window elements per spatial dimension; 1 is dense.
    pub dilation: Array<i64>,
    /// The padding: one number for all sides, one per dimension, or the numbers before each dimension followed by the
    /// numbers after each dimension.
    pub padding: Array<i64>,
    /// Whether a partly filled last window counts.
    pub ceil_mode: bool,
    /// Whether an average counts the padding.
    pub count_include_pad: bool,
    /// The dimensions of the argument, such as `NCHW`.
    pub layout: Str,
    /// The dimensions of the result.
    pub out_layout: Str,
}

/// Attributes of `max_pool3d` and `avg_pool3d`.
///
/// TVM 0.25 `relax.attrs.Pool3DAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.Pool3DAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct Pool3DAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The extent of the window per spatial dimension.
    pub pool_size: Array<i64>,
    /// The step of the window per spatial dimension, in elements.
    pub strides: Array<i64>,
    /// The distance between neighbouring window elements per spatial dimension; 1 is dense.
    pub dilation: Array<i64>,
    /// The padding: one number for all sides, one per dimension, or the numbers before each dimension followed by the
    /// numbers after each dimension.
    pub padding: Array<i64>,
    /// Whether a partly filled last window counts.
    pub ceil_mode: bool,
    /// Whether an average counts the padding.
    pub count_include_pad: bool,
    /// The dimensions of the argument, such as `NCDHW`.
    pub layout: Str,
    /// The dimensions of the result.
    pub out_layout: Str,
}

/// Attributes of `adaptive_avg_pool1d`, which chooses the windows for a given extent of the result.
///
/// TVM 0.25 `relax.attrs.AdaptivePool1DAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.AdaptivePool1DAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct AdaptivePool1DAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The extent of the result; none keeps the extent of the argument.
    pub output_size: Option<Array<i64>>,
    /// The dimensions of the argument, such as `NCW`.
    pub layout: Str,
    /// The dimensions of the result.
    pub out_layout: Str,
}

/// Attributes of `adaptive_avg_pool2d`, which chooses the windows for given extents of the result.
///
/// TVM 0.25 `relax.attrs.AdaptivePool2DAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.AdaptivePool2DAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct AdaptivePool2DAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// Height and width of the result, or one number for both; none keeps the extents of the argument.
    pub output_size: Option<Array<i64>>,
    /// The dimensions of the argument, such as `NCHW`.
    pub layout: Str,
    /// The dimensions of the result.
    pub out_layout: Str,
}

/// Attributes of `adaptive_avg_pool3d`, which chooses the windows for given extents of the result.
///
/// TVM 0.25 `relax.attrs.AdaptivePool3DAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.AdaptivePool3DAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct AdaptivePool3DAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// Depth, height and width of the result, or one number for all; none keeps the extents of the argument.
    pub output_size: Option<Array<i64>>,
    /// The dimensions of the argument, such as `NCDHW`.
    pub layout: Str,
    /// The dimensions of the result.
    pub out_layout: Str,
}
