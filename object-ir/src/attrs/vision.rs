//! Attributes of operators for object detection.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Of `all_class_non_max_suppression`.
///
/// TVM 0.25 `relax.attrs.AllClassNonMaximumSuppressionAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.AllClassNonMaximumSuppressionAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
pub struct AllClassNonMaximumSuppressionAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The form of the result: `onnx` or `tensorflow`.
    pub output_format: Str,
}

/// Of `get_valid_counts`: boxes with a good score.
///
/// TVM 0.25 `relax.attrs.GetValidCountsAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.GetValidCountsAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
pub struct GetValidCountsAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The score that a box must exceed.
    pub score_threshold: f64,
    /// Where a box has its class; -1 if nowhere.
    pub id_index: i64,
    /// Where a box has its score.
    pub score_index: i64,
}

/// Of `non_max_suppression`: overlapping boxes are dropped.
///
/// TVM 0.25 `relax.attrs.NonMaximumSuppressionAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.NonMaximumSuppressionAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
pub struct NonMaximumSuppressionAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// How many boxes to keep; -1 for all.
    pub max_output_size: i64,
    /// Boxes that overlap by more than this share are dropped.
    pub iou_threshold: f64,
    /// Whether boxes of different classes compete.
    pub force_suppress: bool,
    /// How many of the best boxes to look at; -1 for all.
    pub top_k: i64,
    /// Where a box has its four coordinates.
    pub coord_start: i64,
    /// Where a box has its score.
    pub score_index: i64,
    /// Where a box has its class; -1 if nowhere.
    pub id_index: i64,
    /// Whether the result names the boxes instead of copying them.
    pub return_indices: bool,
    /// Whether the boxes that stay come first in the result.
    pub invalid_to_bottom: bool,
    /// How strongly scores of overlapping boxes are lowered instead; 0 drops them.
    pub soft_nms_sigma: f64,
    /// Boxes with a lower score are dropped.
    pub score_threshold: f64,
}

/// Of `roi_align`: regions of a feature map, interpolated to one size.
///
/// TVM 0.25 `relax.attrs.ROIAlignAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.ROIAlignAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
pub struct ROIAlignAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// Height and width of the result.
    pub pooled_size: Array<i64>,
    /// From the coordinates of a region to those of the feature map.
    pub spatial_scale: f64,
    /// How many points to sample per cell and direction; not positive for as many as needed.
    pub sample_ratio: i64,
    /// Whether coordinates are moved by half a pixel to be exact.
    pub aligned: bool,
    /// The dimensions of the feature map, such as `NCHW`.
    pub layout: Str,
    /// How samples are combined: `avg` or `max`.
    pub mode: Str,
}

/// Of `roi_pool`: regions of a feature map, pooled to one size.
///
/// TVM 0.25 `relax.attrs.ROIPoolAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.ROIPoolAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
pub struct ROIPoolAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// Height and width of the result.
    pub pooled_size: Array<i64>,
    /// From the coordinates of a region to those of the feature map.
    pub spatial_scale: f64,
    /// The dimensions of the feature map, such as `NCHW`.
    pub layout: Str,
}

/// Of `multibox_transform_loc`: predicted offsets become boxes.
///
/// TVM 0.25 `relax.attrs.MultiboxTransformLocAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.MultiboxTransformLocAttrs", parent = AttrsNode)]
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
