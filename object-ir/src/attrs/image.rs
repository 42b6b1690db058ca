//! Attributes of operators on images.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;
use crate::ir::expr::FloatImm;

/// Attributes of `resize2d`.
///
/// TVM 0.25 `relax.attrs.Resize2DAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.Resize2DAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct Resize2DAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The region to resize, where the coordinate transformation uses one.
    pub roi: Array<FloatImm>,
    /// The dimensions of the image, such as `NCHW`.
    pub layout: Str,
    /// How to interpolate: `nearest_neighbor`, `linear` or `cubic`.
    pub method: Str,
    /// The map from coordinates of the result to coordinates of the argument: `half_pixel`, `align_corners`,
    /// `asymmetric` and so on.
    pub coordinate_transformation_mode: Str,
    /// How `nearest_neighbor` rounds: `round`, `floor`, `ceil` and so on.
    pub rounding_method: Str,
    /// The parameter of cubic interpolation.
    pub cubic_alpha: f64,
    /// Whether cubic interpolation leaves out points beyond the border; 1 for yes.
    pub cubic_exclude: i64,
    /// The value beyond the border, where the coordinate transformation reads there.
    pub extrapolation_value: f64,
    /// The element type of the result; void takes the element type of the argument.
    pub out_dtype: DataType,
}

/// Attributes of `resize3d`.
///
/// TVM 0.25 `relax.attrs.Resize3DAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.Resize3DAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct Resize3DAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The region to resize, where the coordinate transformation uses one.
    pub roi: Array<FloatImm>,
    /// The dimensions of the volume, such as `NCDHW`.
    pub layout: Str,
    /// How to interpolate: `nearest_neighbor`, `linear` or `cubic`.
    pub method: Str,
    /// The map from coordinates of the result to coordinates of the argument: `half_pixel`, `align_corners`,
    /// `asymmetric` and so on.
    pub coordinate_transformation_mode: Str,
    /// How `nearest_neighbor` rounds: `round`, `floor`, `ceil` and so on.
    pub rounding_method: Str,
    /// The parameter of cubic interpolation.
    pub cubic_alpha: f64,
    /// Whether cubic interpolation leaves out points beyond the border; 1 for yes.
    pub cubic_exclude: i64,
    /// The value beyond the border, where the coordinate transformation reads there.
    pub extrapolation_value: f64,
    /// The element type of the result; void takes the element type of the argument.
    pub out_dtype: DataType,
}

/// Attributes of `grid_sample`, which reads an image at given positions.
///
/// TVM 0.25 `relax.attrs.GridSampleAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.GridSampleAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct GridSampleAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// How to interpolate: `nearest`, `bilinear` or `bicubic`.
    pub method: Str,
    /// The dimensions of the image, such as `NCHW`.
    pub layout: Str,
    /// The values outside of the image: `zeros`, `border` or `reflection`.
    pub padding_mode: Str,
    /// Whether the positions -1 and 1 are the centres of the corner pixels; otherwise they are the outer edges.
    pub align_corners: bool,
}

impl Default for Resize2DAttrs {
    /// Linear interpolation between the centres of pixels, channels first.
    fn default() -> Self {
        Resize2DAttrs::new(roi(4), "NCHW", "linear", "half_pixel", "round", -0.75, 0, 0.0, DataType::void())
    }
}

impl Default for Resize3DAttrs {
    /// Linear interpolation between the centres of pixels, channels first.
    fn default() -> Self {
        Resize3DAttrs::new(roi(6), "NCDHW", "linear", "half_pixel", "", -0.75, 0, 0.0, DataType::void())
    }
}

impl Default for GridSampleAttrs {
    /// Linear interpolation, zeros outside, channels first.
    fn default() -> Self {
        GridSampleAttrs::new("bilinear", "NCHW", "zeros", false)
    }
}

/// A region of interest that is not used.
fn roi(numbers: usize) -> Array<FloatImm> {
    Array::new(vec![FloatImm::new(DataType::float(32), 0.0); numbers])
}
