//! Selection and decoding of boxes (TVM 0.25 `src/relax/op/vision/nms.cc` and `multibox_transform_loc.cc`).

use object_core::prelude::*;
use object_ir::attrs::{
    AllClassNonMaximumSuppressionAttrs, GetValidCountsAttrs, MultiboxTransformLocAttrs, NonMaximumSuppressionAttrs,
};
use object_ir::ir::{PrimExpr, StructInfo, VDevice};
use object_ir::tir::mul;

use crate::op::checks::{
    check_elements, check_multiple, check_rank, check_same_elements, check_size, require_rank, written_dims,
};
use crate::op::describe::describe_expr;
use crate::op::dims::{Dims, constant, dim, tensor, tuple};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Defaults, Tensor};

operators! {
    /// The boxes of all classes that overlap no better box of their class too much. The format `onnx` gives the selected
    /// rows of batch, class and box, and their number; the format `tensorflow` gives the indices, the scores, and the
    /// number of each batch.
    fn all_class_non_max_suppression = "relax.vision.all_class_non_max_suppression"(
        boxes: Tensor, scores: Tensor, max_output_boxes_per_class: Tensor, iou_threshold: Tensor,
        score_threshold: Tensor, attrs: Defaults<AllClassNonMaximumSuppressionAttrs>
    ), Pure, infer_all_class_nms;
    /// The boxes whose score is above a threshold, before the others: their number in each batch, the boxes, and their
    /// indices.
    fn get_valid_counts = "relax.vision.get_valid_counts"(data: Tensor, attrs: Defaults<GetValidCountsAttrs>), Pure,
        infer_valid_counts;
    /// The boxes that overlap no better box too much.
    fn non_max_suppression = "relax.vision.non_max_suppression"(
        data: Tensor, valid_count: Tensor, indices: Tensor, attrs: Defaults<NonMaximumSuppressionAttrs>
    ), Pure, infer_nms;
    /// The boxes that offsets from anchors describe, and the scores of their classes.
    fn multibox_transform_loc = "relax.vision.multibox_transform_loc"(
        cls_pred: Tensor, loc_pred: Tensor, anchor: Tensor, attrs: Defaults<MultiboxTransformLocAttrs>
    ), Pure, infer_multibox;
}

const INT32: DataType = DataType::int(32);
const INT64: DataType = DataType::int(64);

/// A result with the given dimensions, or with `rank` dimensions if they are unknown.
fn of(dims: Option<Vec<PrimExpr>>, rank: usize, dtype: DataType, vdevice: Option<&VDevice>) -> StructInfo {
    tensor(dims.map_or(Dims::Rank(rank), Dims::Known), dtype, vdevice.cloned())
}

fn infer_all_class_nms(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let attrs = call.attrs::<AllClassNonMaximumSuppressionAttrs>()?;
    require_rank(call, 0, 3)?;
    require_rank(call, 1, 3)?;
    let (boxes, vdevice) = (call.tensor(0)?, call.tensor(0)?.vdevice.as_ref());
    let (box_dims, scores) = (Dims::of(boxes), Dims::of(call.tensor(1)?));
    let batch = box_dims.known().map(|dims| dims[0].clone());
    let each = match (&box_dims, &scores) {
        (Dims::Known(boxes), Dims::Known(scores)) => Some(mul(&scores[1], &boxes[1])?),
        _ => None,
    };
    let all = batch.clone().zip(each);
    if &*attrs.output_format == "onnx" {
        // The values decide about the number of rows. TVM 0.25 infers the largest number.
        return Ok(tuple([of(None, 2, INT64, vdevice), of(Some(vec![dim(1)]), 1, INT64, vdevice)]));
    }
    let scores = all.map(|(batch, each)| vec![batch, each]);
    let indices = scores.clone().map(|dims| [dims, vec![dim(2)]].concat());
    Ok(tuple([
        of(indices, 3, INT64, vdevice),
        of(scores, 2, DataType::float(32), vdevice),
        of(batch.map(|batch| vec![batch]), 1, INT64, vdevice),
    ]))
}

fn infer_valid_counts(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, attrs) = (call.tensor(0)?, call.attrs::<GetValidCountsAttrs>()?);
    check_rank(call, 0, 3)?;
    let (dims, vdevice) = (known(written_dims(data)), data.vdevice.as_ref());
    if let Some(dims) = &dims {
        check_place(call, "score_index", attrs.score_index, 0, &dims[2])?;
        check_place(call, "id_index", attrs.id_index, -1, &dims[2])?;
    }
    let first = |count: usize| dims.as_ref().map(|dims| dims[..count].to_vec());
    Ok(tuple([of(first(1), 1, INT32, vdevice), of(first(3), 3, data.dtype, vdevice), of(first(2), 2, INT32, vdevice)]))
}

fn infer_nms(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, attrs) = (call.tensor(0)?, call.attrs::<NonMaximumSuppressionAttrs>()?);
    for (index, rank) in [(0, 3), (1, 1), (2, 2)] {
        check_rank(call, index, rank)?;
    }
    for index in [1, 2] {
        check_elements(call, index, "int32", |dtype| dtype == INT32)?;
    }
    let (dims, vdevice) = (known(written_dims(data)), data.vdevice.as_ref());
    if let Some(dims) = &dims {
        for index in [1, 2] {
            let Dims::Known(sizes) = written_dims(call.tensor(index)?) else { continue };
            for (place, (given, expected)) in sizes.iter().zip(dims).enumerate() {
                require_size(call, index, place, [given, expected])?;
            }
        }
        check_place(call, "score_index", attrs.score_index, 0, &dims[2])?;
        check_place(call, "coord_start", attrs.coord_start, 0, &dims[2])?;
        check_place(call, "coord_start", attrs.coord_start.saturating_add(3), 0, &dims[2])?;
        check_place(call, "id_index", attrs.id_index, -1, &dims[2])?;
    }
    let first = |count: usize| dims.as_ref().map(|dims| dims[..count].to_vec());
    let boxes = of(first(3), 3, data.dtype, vdevice);
    if !attrs.return_indices {
        return Ok(boxes);
    }
    let counts = first(1).map(|batch| [batch, vec![dim(1)]].concat());
    let (indices, counts) = (of(first(2), 2, INT32, vdevice), of(counts, 2, INT32, vdevice));
    Ok(if attrs.soft_nms_sigma > 0.0 { tuple([boxes, indices, counts]) } else { tuple([indices, counts]) })
}

fn infer_multibox(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    for (index, rank) in [(0, 3), (1, 2), (2, 3)] {
        check_rank(call, index, rank)?;
        check_same_elements(call, 0, index)?;
    }
    let dims_of = |index| call.tensor(index).map(|tensor| known(written_dims(tensor)));
    let (classes, offsets, anchors) = (dims_of(0)?, dims_of(1)?, dims_of(2)?);
    if let Some(offsets) = &offsets {
        check_multiple(call, 1, 1, [&offsets[1], &dim(4)], "4 numbers for each anchor")?;
    }
    if let Some(anchors) = &anchors {
        check_size(call, 2, 0, [&anchors[0], &dim(1)], "all batches have the same anchors")?;
        check_size(call, 2, 2, [&anchors[2], &dim(4)], "two corners")?;
    }
    if let (Some(classes), Some(offsets)) = (&classes, &offsets) {
        check_size(call, 1, 0, [&offsets[0], &classes[0]], "the batch of `cls_pred`")?;
        check_size(call, 1, 1, [&offsets[1], &mul(&classes[2], 4)?], "4 numbers for each anchor")?;
    }
    if let (Some(classes), Some(anchors)) = (&classes, &anchors) {
        check_size(call, 2, 1, [&anchors[1], &classes[2]], "the anchors of `cls_pred`")?;
    }
    let (data, vdevice) = (call.tensor(0)?, call.tensor(0)?.vdevice.as_ref());
    let boxes = classes.as_ref().map(|dims| vec![dims[0].clone(), dims[2].clone(), dim(4)]);
    Ok(tuple([of(boxes, 3, data.dtype, vdevice), of(classes, 3, data.dtype, vdevice)]))
}

fn known(dims: Dims) -> Option<Vec<PrimExpr>> {
    if let Dims::Known(dims) = dims { Some(dims) } else { None }
}

/// Checks that an attribute is the place of an element, from `least` to below `size`, if `size` is a constant.
fn check_place(
    call: &OpCall<'_>,
    attribute: &'static str,
    place: i64,
    least: i64,
    size: &PrimExpr,
) -> Result<(), Error> {
    match constant(size) {
        Some(size) if place < least || place >= size => {
            let message = format!("expected a place from {least} to below {size}, got {place}");
            Err(call.attribute_error(attribute, message))
        }
        _ => Ok(()),
    }
}

/// Checks that the analyzer proves that a dimension has the expected size.
fn require_size(call: &OpCall<'_>, index: usize, place: usize, [given, expected]: [&PrimExpr; 2]) -> Result<(), Error> {
    if call.analyzer().prove_equal(given, expected).is_true() {
        return Ok(());
    }
    let (given, expected) = (describe_expr(given), describe_expr(expected));
    let message =
        format!("dimension {place}: expected the size {expected} of `data`, got {given}; `MatchCast` states it");
    Err(call.argument_error(ErrorKind::TypeMismatch, index, message))
}
