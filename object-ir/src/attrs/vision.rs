//! Attributes of operators for object detection.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Attributes of `all_class_non_max_suppression`.
///
/// TVM 0.25 `relax.attrs.AllClassNonMaximumSuppressionAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.AllClassNonMaximumSuppressionAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct AllClassNonMaximumSuppressionAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The form of the result: `onnx` or `tensorflow`.
    pub output_format: Str,
}

/// Attributes of `get_valid_counts`, which selects boxes by score.
///
/// TVM 0.25 `relax.attrs.GetValidCountsAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.GetValidCountsAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct GetValidCountsAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The score that a box must exceed.
    pub score_threshold: f64,
    /// The position of the class in a box; -1 if a box has none.
    pub id_index: i64,
    /// The position of the score in a box.
    pub score_index: i64,
}

/// Attributes of `non_max_suppression`, which drops overlapping boxes.
///
/// TVM 0.25 `relax.attrs.NonMaximumSuppressionAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.NonMaximumSuppressionAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct NonMaximumSuppressionAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The number of boxes to keep; -1 for all.
    pub max_output_size: i64,
    /// Boxes that overlap by more than this share are dropped.
    pub iou_threshold: f64,
    /// Whether a box suppresses boxes of other classes.
    pub force_suppress: bool,
    /// The number of boxes with the best scores to consider; -1 for all.
    pub top_k: i64,
    /// The position of the four coordinates in a box.
    pub coord_start: i64,
    /// The position of the score in a box.
    pub score_index: i64,
    /// The position of the class in a box; -1 if a box has none.
    pub id_index: i64,
    /// Whether the result has the indices of the boxes instead of the boxes.
    pub return_indices: bool,
    /// Whether the boxes that stay come first in the result.
    pub invalid_to_bottom: bool,
    /// How much the scores of overlapping boxes are reduced; 0 drops the boxes.
    pub soft_nms_sigma: f64,
    /// Boxes with a lower score are dropped.
    pub score_threshold: f64,
}

/// Attributes of `roi_align`, which interpolates regions of a feature map to one size.
///
/// TVM 0.25 `relax.attrs.ROIAlignAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.ROIAlignAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct ROIAlignAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// Height and width of the result.
    pub pooled_size: Array<i64>,
    /// The factor from coordinates of a region to coordinates of the feature map.
    pub spatial_scale: f64,
    /// The number of points to sample per cell and direction; as many as needed if not positive.
    pub sample_ratio: i64,
    /// Whether coordinates are moved by half a pixel.
    pub aligned: bool,
    /// The dimensions of the feature map, such as `NCHW`.
    pub layout: Str,
    /// How samples are combined: `avg` or `max`.
    pub mode: Str,
}

/// Attributes of `roi_pool`, which pools regions of a feature map to one size.
///
/// TVM 0.25 `relax.attrs.ROIPoolAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.ROIPoolAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct ROIPoolAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// Height and width of the result.
    pub pooled_size: Array<i64>,
    /// The factor from coordinates of a region to coordinates of the feature map.
    pub spatial_scale: f64,
    /// The dimensions of the feature map, such as `NCHW`.
    pub layout: Str,
}

/// Attributes of `multibox_transform_loc`, which turns predicted offsets into boxes.
///
/// TVM 0.25 `relax.attrs.MultiboxTransformLocAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.MultiboxTransformLocAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct MultiboxTransformLocAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// Whether boxes are cut at the image border.
    pub clip: bool,
    /// Boxes with a lower score count as background.
    pub threshold: f64,
    /// The factors on the four predicted offsets.
    pub variances: Array<f64>,
    /// Whether the background class stays in the scores.
    pub keep_background: bool,
}

impl Default for AllClassNonMaximumSuppressionAttrs {
    /// The format of ONNX.
    fn default() -> Self {
        AllClassNonMaximumSuppressionAttrs::new("onnx")
    }
}

impl Default for GetValidCountsAttrs {
    /// No least score; the class is element 0, the score element 1.
    fn default() -> Self {
        GetValidCountsAttrs::new(0.0, 0, 1)
    }
}

impl Default for NonMaximumSuppressionAttrs {
    /// All boxes that overlap by at most half within a class; the result has indices.
    fn default() -> Self {
        NonMaximumSuppressionAttrs::new(-1, 0.5, false, -1, 2, 1, 0, true, false, 0.0, 0.0)
    }
}

impl Default for MultiboxTransformLocAttrs {
    /// No limits, and variances of 1.
    fn default() -> Self {
        MultiboxTransformLocAttrs::new(false, 0.0, [1.0; 4], true)
    }
}
