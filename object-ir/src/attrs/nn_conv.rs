//! Attributes of convolutions.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Attributes of `conv1d`.
///
/// TVM 0.25 `relax.attrs.Conv1DAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.Conv1DAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct Conv1DAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The step of the window per spatial dimension, in elements.
    pub strides: Array<i64>,
    /// The padding with zeros: one number for all sides, one per dimension, or the numbers before each dimension
    /// followed by the numbers after each dimension.
    pub padding: Array<i64>,
    /// The distance between neighbouring kernel elements per spatial dimension; 1 is dense.
    pub dilation: Array<i64>,
    /// The number of groups of channels; each group is convolved independently.
    pub groups: i64,
    /// The dimensions of the data, such as `NCW`.
    pub data_layout: Str,
    /// The dimensions of the kernel, such as `OIW`.
    pub kernel_layout: Str,
    /// The dimensions of the result.
    pub out_layout: Str,
    /// The element type of the result; void takes the element type of the arguments.
    pub out_dtype: DataType,
}

/// Attributes of `conv2d`.
///
/// TVM 0.25 `relax.attrs.Conv2DAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.Conv2DAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct Conv2DAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The step of the window per spatial dimension, in elements.
    pub strides: Array<i64>,
    /// The padding with zeros: one number for all sides, one per dimension, or the numbers before each dimension
    /// followed by the numbers after each dimension.
    pub padding: Array<i64>,
    /// The distance between neighbouring kernel elements per spatial dimension; 1 is dense.
    pub dilation: Array<i64>,
    /// The number of groups of channels; each group is convolved independently.
    pub groups: i64,
    /// The dimensions of the data, such as `NCHW`.
    pub data_layout: Str,
    /// The dimensions of the kernel, such as `OIHW`.
    pub kernel_layout: Str,
    /// The dimensions of the result.
    pub out_layout: Str,
    /// The element type of the result; void takes the element type of the arguments.
    pub out_dtype: DataType,
}

/// Attributes of `conv3d`.
///
/// TVM 0.25 `relax.attrs.Conv3DAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.Conv3DAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct Conv3DAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The step of the window per spatial dimension, in elements.
    pub strides: Array<i64>,
    /// The padding with zeros: one number for all sides, one per dimension, or the numbers before each dimension
    /// followed by the numbers after each dimension.
    pub padding: Array<i64>,
    /// The distance between neighbouring kernel elements per spatial dimension; 1 is dense.
    pub dilation: Array<i64>,
    /// The number of groups of channels; each group is convolved independently.
    pub groups: i64,
    /// The dimensions of the data, such as `NCDHW`.
    pub data_layout: Str,
    /// The dimensions of the kernel, such as `OIDHW`.
    pub kernel_layout: Str,
    /// The dimensions of the result.
    pub out_layout: Str,
    /// The element type of the result; void takes the element type of the arguments.
    pub out_dtype: DataType,
}

/// Attributes of `conv1d_transpose`.
///
/// TVM 0.25 `relax.attrs.Conv1DTransposeAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.Conv1DTransposeAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct Conv1DTransposeAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The step of the window per spatial dimension, in elements.
    pub strides: Array<i64>,
    /// The padding with zeros: one number for all sides, one per dimension, or the numbers before each dimension
    /// followed by the numbers after each dimension.
    pub padding: Array<i64>,
    /// Zeros added to the end of each spatial dimension of the result.
    pub output_padding: Array<i64>,
    /// The distance between neighbouring kernel elements per spatial dimension; 1 is dense.
    pub dilation: Array<i64>,
    /// The number of groups of channels; each group is convolved independently.
    pub groups: i64,
    /// The dimensions of the data, such as `NCW`.
    pub data_layout: Str,
    /// The dimensions of the kernel, such as `OIW`.
    pub kernel_layout: Str,
    /// The dimensions of the result.
    pub out_layout: Str,
    /// The element type of the result; void takes the element type of the arguments.
    pub out_dtype: DataType,
}

/// Attributes of `conv2d_transpose`.
///
/// TVM 0.25 `relax.attrs.Conv2DTransposeAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.Conv2DTransposeAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct Conv2DTransposeAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The step of the window per spatial dimension, in elements.
    pub strides: Array<i64>,
    /// The padding with zeros: one number for all sides, one per dimension, or the numbers before each dimension
    /// followed by the numbers after each dimension.
    pub padding: Array<i64>,
    /// Zeros added to the end of each spatial dimension of the result.
    pub output_padding: Array<i64>,
    /// The distance between neighbouring kernel elements per spatial dimension; 1 is dense.
    pub dilation: Array<i64>,
    /// The number of groups of channels; each group is convolved independently.
    pub groups: i64,
    /// The dimensions of the data, such as `NCHW`.
    pub data_layout: Str,
    /// The dimensions of the kernel, such as `OIHW`.
    pub kernel_layout: Str,
    /// The dimensions of the result.
    pub out_layout: Str,
    /// The element type of the result; void takes the element type of the arguments.
    pub out_dtype: DataType,
}

/// Attributes of `conv3d_transpose`.
///
/// TVM 0.25 `relax.attrs.Conv3DTransposeAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.Conv3DTransposeAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct Conv3DTransposeAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The step of the window per spatial dimension, in elements.
    pub strides: Array<i64>,
    /// The padding with zeros: one number for all sides, one per dimension, or the numbers before each dimension
    /// followed by the numbers after each dimension.
    pub padding: Array<i64>,
    /// Zeros added to the end of each spatial dimension of the result.
    pub output_padding: Array<i64>,
    /// The distance between neighbouring kernel elements per spatial dimension; 1 is dense.
    pub dilation: Array<i64>,
    /// The number of groups of channels; each group is convolved independently.
    pub groups: i64,
    /// The dimensions of the data, such as `NCDHW`.
    pub data_layout: Str,
    /// The dimensions of the kernel, such as `OIDHW`.
    pub kernel_layout: Str,
    /// The dimensions of the result.
    pub out_layout: Str,
    /// The element type of the result; void takes the element type of the arguments.
    pub out_dtype: DataType,
}
