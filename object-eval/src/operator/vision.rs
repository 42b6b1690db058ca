//! Regions and boxes of images.

use ndarray::{ArrayD, IxDyn};
use object_core::prelude::*;
use object_ir::attrs::{
    AllClassNonMaximumSuppressionAttrs, GetValidCountsAttrs, MultiboxTransformLocAttrs, NonMaximumSuppressionAttrs,
    ROIAlignAttrs, ROIPoolAttrs,
};

use super::arrays::{array, filled, from_index, lanes};
use super::evaluation::Evaluation;
use super::nn::softmax_of;
use super::sorting::{float_order, sorted_positions};
use crate::value::shaped;

/// The value of an image at a point between elements.
fn bilinear(at: &dyn Fn(usize, usize) -> f64, (y, x): (f64, f64), (height, width): (usize, usize)) -> f64 {
    if y < -1.0 || x < -1.0 || y > height as f64 || x > width as f64 {
        return 0.0;
    }
    let (y, x) = (y.clamp(0.0, height as f64 - 1.0), x.clamp(0.0, width as f64 - 1.0));
    let (top, left) = (y.floor() as usize, x.floor() as usize);
    let (bottom, right) = ((top + 1).min(height - 1), (left + 1).min(width - 1));
    let (down, along) = (y - y.floor(), x - x.floor());
    let upper = at(top, left) * (1.0 - along) + at(top, right) * along;
    let lower = at(bottom, left) * (1.0 - along) + at(bottom, right) * along;
    upper * (1.0 - down) + lower * down
}

/// The image that a region names.
fn image_of(call: &Evaluation<'_>, rois: &ArrayD<f64>, region: usize, images: usize) -> Result<usize, Error> {
    let number = rois[[region, 0]];
    Some(number as usize)
        .filter(|image| number >= 0.0 && *image < images)
        .ok_or_else(|| call.invalid(format!("expected the number of one of {images} images, got {number}")))
}

pub(crate) fn roi_align(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<ROIAlignAttrs>()?);
    let (data, rois, dims) = (x.floats(call.meter())?, call.tensor(1)?.floats(call.meter())?, call.result_dims()?);
    let is_last = &*attrs.layout == "NHWC";
    let data = if is_last { data.permuted_axes(IxDyn(&[0, 3, 1, 2])) } else { data };
    let target = if is_last { [dims[0], dims[3], dims[1], dims[2]] } else { [dims[0], dims[1], dims[2], dims[3]] };
    let (height, width) = (data.shape()[2], data.shape()[3]);
    let images = (0..target[0]).map(|region| image_of(call, &rois, region, data.shape()[0]));
    let images: Vec<usize> = images.collect::<Result<_, _>>()?;
    let takes_average = &*attrs.mode == "avg";
    let result = from_index(call, &target, |at| {
        let edge = |index: usize| rois[[at[0], index]] * attrs.spatial_scale;
        let (left, top) = (edge(1), edge(2));
        let least = if attrs.aligned { f64::NEG_INFINITY } else { 1.0 };
        let cell_height = (edge(4) - top).max(least) / target[2] as f64;
        let cell_width = (edge(3) - left).max(least) / target[3] as f64;
        let points = |size: f64| if attrs.sample_ratio > 0 { attrs.sample_ratio as f64 } else { size.ceil() };
        let (rows, columns) = (points(cell_height), points(cell_width));
        let image = |y: usize, x: usize| data[[images[at[0]], at[1], y, x]];
        let mut values = Vec::new();
        for row in 0..rows.max(0.0) as usize {
            for column in 0..columns.max(0.0) as usize {
                let y = top + at[2] as f64 * cell_height + (row as f64 + 0.5) * cell_height / rows;
                let x = left + at[3] as f64 * cell_width + (column as f64 + 0.5) * cell_width / columns;
                values.push(bilinear(&image, (y, x), (height, width)));
            }
        }
        match takes_average {
            true => values.iter().sum::<f64>() / (rows * columns),
            false => values.into_iter().fold(x.element().float_range().0, f64::max),
        }
    })?;
    let order: &[usize] = if is_last { &[0, 2, 3, 1] } else { &[0, 1, 2, 3] };
    call.floats(x.dtype(), &result.permuted_axes(IxDyn(order)))
}

pub(crate) fn roi_pool(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<ROIPoolAttrs>()?);
    let (data, rois, dims) = (x.floats(call.meter())?, call.tensor(1)?.floats(call.meter())?, call.result_dims()?);
    let (height, width) = (data.shape()[2] as i64, data.shape()[3] as i64);
    let images = (0..dims[0]).map(|region| image_of(call, &rois, region, data.shape()[0]));
    let images: Vec<usize> = images.collect::<Result<_, _>>()?;
    let result = from_index(call, &dims, |at| {
        // The bounds have single precision as in TVM, because rounding is not continuous.
        let edge = |index: usize| ((rois[[at[0], index]] * attrs.spatial_scale) as f32 + 0.5).floor() as i64;
        let range = |begin: i64, end: i64, cell: usize, cells: usize, size: i64| {
            let width = (end - begin + 1).max(1) as f32 / cells as f32;
            let from = (cell as f32 * width).floor() as i64 + begin;
            let to = ((cell + 1) as f32 * width).ceil() as i64 + begin;
            from.clamp(0, size)..to.clamp(0, size)
        };
        let rows = range(edge(2), edge(4), at[2], dims[2], height);
        let columns = range(edge(1), edge(3), at[3], dims[3], width);
        if rows.is_empty() || columns.is_empty() {
            return 0.0;
        }
        let values = rows.flat_map(|row| columns.clone().map(move |column| (row as usize, column as usize)));
        values.map(|(row, column)| data[[images[at[0]], at[1], row, column]]).fold(f64::NEG_INFINITY, f64::max)
    })?;
    call.floats(x.dtype(), &result)
}

pub(crate) fn multibox_transform_loc(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (predictions, attrs) = (call.tensor(0)?, call.attrs::<MultiboxTransformLocAttrs>()?);
    call.inferred()?;
    let (offsets, anchors) = (call.tensor(1)?.floats(call.meter())?, call.tensor(2)?.floats(call.meter())?);
    let [batch, _, count] = predictions.dims()[..] else { return Err(call.invalid("expected predictions of rank 3")) };
    let variance = |index: usize| attrs.variances.get(index).unwrap_or(1.0);
    let boxes = from_index(call, &[batch, count, 4], |at| {
        let anchor = |index: usize| anchors[[0, at[1], index]];
        let offset = |index: usize| offsets[[at[0], at[1] * 4 + index]] * variance(index);
        // Rows come before columns in the result: the least row, the least column, the greatest ones.
        let (low, high, of_centre) = if at[2] % 2 == 0 { (anchor(1), anchor(3), 1) } else { (anchor(0), anchor(2), 0) };
        let centre = offset(of_centre) * (high - low) + (low + high) / 2.0;
        let half = 0.5 * offset(of_centre + 2).exp() * (high - low);
        let edge = if at[2] < 2 { centre - half } else { centre + half };
        if attrs.clip { edge.clamp(0.0, 1.0) } else { edge }
    })?;
    let mut scores = lanes(call, &predictions.floats(call.meter())?, 1, softmax_of)?;
    for (at, score) in scores.indexed_iter_mut() {
        if *score < attrs.threshold || (at[1] == 0 && !attrs.keep_background) {
            *score = 0.0;
        }
    }
    let dtype = predictions.dtype();
    Ok(call.pack(vec![call.floats(dtype, &boxes)?, call.floats(dtype, &scores)?]))
}

/// The place of a value in a box.
fn place_in(call: &Evaluation<'_>, index: i64, length: usize) -> Result<usize, Error> {
    usize::try_from(index)
        .ok()
        .filter(|index| *index < length)
        .ok_or_else(|| call.invalid(format!("expected a place in a box of {length} numbers, got {index}")))
}

pub(crate) fn get_valid_counts(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<GetValidCountsAttrs>()?);
    let [batch, count, length] = x.dims()[..] else { return Err(call.invalid("expected boxes of rank 3")) };
    let (data, score) = (x.floats(call.meter())?, place_in(call, attrs.score_index, length)?);
    let class = (attrs.id_index >= 0).then(|| place_in(call, attrs.id_index, length)).transpose()?;
    let (mut counts, mut boxes) = (vec![0_i128; batch], filled(call, &[batch, count, length], -1.0)?);
    let mut indices = filled(call, &[batch, count], -1_i128)?;
    for (image, valid) in counts.iter_mut().enumerate() {
        for index in 0..count {
            let is_valid = data[[image, index, score]] > attrs.score_threshold
                && class.is_none_or(|class| data[[image, index, class]] >= 0.0);
            if is_valid {
                let place = *valid as usize;
                (0..length).for_each(|part| boxes[[image, place, part]] = data[[image, index, part]]);
                indices[[image, place]] = index as i128;
                *valid += 1;
            }
        }
    }
    let int = DataType::int(32);
    let counts = call.integers(int, &array(call, &[batch], counts)?)?;
    Ok(call.pack(vec![counts, call.floats(x.dtype(), &boxes)?, call.integers(int, &indices)?]))
}

/// The share that the intersection of two boxes has of their union. Boxes are two corners.
fn overlap(a: [f64; 4], b: [f64; 4]) -> f64 {
    let sorted = |it: [f64; 4]| [it[0].min(it[2]), it[1].min(it[3]), it[0].max(it[2]), it[1].max(it[3])];
    let (a, b) = (sorted(a), sorted(b));
    let width = (a[2].min(b[2]) - a[0].max(b[0])).max(0.0);
    let height = (a[3].min(b[3]) - a[1].max(b[1])).max(0.0);
    let area = |it: [f64; 4]| (it[2] - it[0]) * (it[3] - it[1]);
    let union = area(a) + area(b) - width * height;
    if union <= 0.0 { 0.0 } else { width * height / union }
}

/// A box under selection.
#[derive(Clone)]
struct Candidate {
    numbers: Vec<f64>,
    /// The position in the input; `None` once the box is suppressed.
    index: Option<usize>,
}

/// The selection of boxes of one image.
struct Selection<'a> {
    attrs: &'a NonMaximumSuppressionAttrs,
    score: usize,
    class: Option<usize>,
    corner: usize,
}

impl Selection<'_> {
    fn overlap(&self, a: &Candidate, b: &Candidate) -> f64 {
        let corners = |it: &Candidate| std::array::from_fn(|part| it.numbers[self.corner + part]);
        overlap(corners(a), corners(b))
    }

    /// Whether a box competes with another one.
    fn competes(&self, a: &Candidate, b: &Candidate) -> bool {
        self.attrs.force_suppress || self.class.is_none_or(|class| a.numbers[class] == b.numbers[class])
    }

    fn has_room(&self, selected: usize) -> bool {
        usize::try_from(self.attrs.max_output_size).map_or(true, |most| most == 0 || selected < most)
    }

    /// Suppresses the boxes that overlap a better one too much. Boxes are sorted by score.
    fn hard(&self, boxes: &mut [Candidate]) {
        let mut selected = 0;
        for at in 0..boxes.len() {
            if boxes[at].numbers[self.score] <= 0.0 || !self.has_room(selected) {
                boxes[at] = Candidate { numbers: vec![-1.0; boxes[at].numbers.len()], index: None };
                continue;
            }
            selected += 1;
            let (before, after) = boxes.split_at_mut(at + 1);
            let best = &before[at];
            for other in after.iter_mut().filter(|other| other.numbers[self.score] > 0.0) {
                if self.competes(best, other) && self.overlap(best, other) >= self.attrs.iou_threshold {
                    other.numbers[self.score] = -1.0;
                    other.index = None;
                }
            }
        }
    }

    /// Selects the best box again and again, and reduces the scores of boxes that overlap it. Returns the number of
    /// selected boxes, which come first.
    fn soft(&self, boxes: &mut [Candidate]) -> usize {
        let (threshold, scale) = (self.attrs.score_threshold, -0.5 / self.attrs.soft_nms_sigma);
        let mut selected = 0;
        while selected < boxes.len() && self.has_room(selected) {
            let eligible = (selected..boxes.len())
                .filter(|at| boxes[*at].index.is_some() && boxes[*at].numbers[self.score] > threshold);
            let best = eligible.reduce(|best, next| {
                if boxes[next].numbers[self.score] > boxes[best].numbers[self.score] { next } else { best }
            });
            let Some(best) = best else { break };
            boxes.swap(selected, best);
            let (before, after) = boxes.split_at_mut(selected + 1);
            let best = &before[selected];
            for other in after {
                if other.index.is_none() || other.numbers[self.score] <= threshold || !self.competes(best, other) {
                    continue;
                }
                let overlap = self.overlap(best, other);
                if overlap >= self.attrs.iou_threshold {
                    other.index = None;
                } else {
                    other.numbers[self.score] *= (scale * overlap * overlap).exp();
                    if other.numbers[self.score] <= threshold {
                        other.index = None;
                    }
                }
            }
            selected += 1;
        }
        selected
    }
}

pub(crate) fn non_max_suppression(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<NonMaximumSuppressionAttrs>()?);
    let [batch, count, length] = x.dims()[..] else { return Err(call.invalid("expected boxes of rank 3")) };
    let (data, valid, indices) =
        (x.floats(call.meter())?, call.tensor(1)?.indices(call.meter())?, call.tensor(2)?.ints(call.meter())?);
    if valid.shape() != [batch] || indices.shape() != [batch, count] {
        return Err(call.invalid("expected a number and indices of boxes for each image"));
    }
    place_in(call, attrs.coord_start + 3, length)?;
    let selection = Selection {
        attrs,
        score: place_in(call, attrs.score_index, length)?,
        class: (attrs.id_index >= 0).then(|| place_in(call, attrs.id_index, length)).transpose()?,
        corner: place_in(call, attrs.coord_start, length)?,
    };
    // The boxes of the result, the candidates of an image with their numbers and their order, and the chosen indices.
    call.room_for::<f64>(&[batch, count, length])?;
    call.room_for::<f64>(&[count, length])?;
    call.room_for::<(Candidate, [usize; 4])>(&[count])?;
    call.room_for::<i128>(&[batch, count + 1])?;
    let is_soft = attrs.soft_nms_sigma > 0.0;
    let (mut boxes, mut chosen, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for image in 0..batch {
        let valid = usize::try_from(valid[[image]]).unwrap_or(0).min(count);
        let scores: Vec<f64> = (0..valid).map(|index| data[[image, index, selection.score]]).collect();
        let kept = usize::try_from(attrs.top_k).ok().filter(|most| *most > 0).map_or(valid, |most| most.min(valid));
        let candidate = |index: usize| Candidate {
            numbers: (0..length).map(|part| data[[image, index, part]]).collect(),
            index: Some(index),
        };
        let mut candidates: Vec<Candidate> =
            sorted_positions(&scores, true, float_order).into_iter().take(kept).map(candidate).collect();
        let nothing = Candidate { numbers: vec![-1.0; length], index: None };
        if is_soft {
            let selected = selection.soft(&mut candidates);
            candidates.truncate(selected);
        } else {
            selection.hard(&mut candidates);
        }
        if attrs.invalid_to_bottom && !attrs.return_indices {
            candidates.retain(|it| it.numbers[selection.score] >= 0.0);
        }
        let found: Vec<usize> = candidates.iter().filter_map(|it| it.index).collect();
        counts.push(found.len() as i128);
        chosen.extend(found.iter().map(|index| indices[[image, *index]]));
        chosen.extend(std::iter::repeat_n(-1, count - found.len()));
        candidates.resize(count, nothing);
        boxes.extend(candidates.into_iter().flat_map(|it| it.numbers));
    }
    let boxes = call.floats(x.dtype(), &shaped(&[batch, count, length], boxes)?)?;
    if !attrs.return_indices {
        return Ok(boxes);
    }
    let int = DataType::int(32);
    let (chosen, counts) = (shaped(&[batch, count], chosen)?, shaped(&[batch, 1], counts)?);
    let (chosen, counts) = (call.integers(int, &chosen)?, call.integers(int, &counts)?);
    Ok(call.pack(if is_soft { vec![boxes, chosen, counts] } else { vec![chosen, counts] }))
}

pub(crate) fn all_class_non_max_suppression(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (boxes, scores) = (call.tensor(0)?.floats(call.meter())?, call.tensor(1)?.floats(call.meter())?);
    let most = usize::try_from(call.scalar(2)?.int()).unwrap_or(0);
    let (threshold, least_score) = (call.scalar(3)?.float(), call.scalar(4)?.float());
    let [batch, classes, count] = scores.shape()[..] else { return Err(call.invalid("expected scores of rank 3")) };
    if boxes.shape() != [batch, count, 4] {
        return Err(call.invalid(format!("expected boxes of the shape {:?}", [batch, count, 4])));
    }
    let corners = |image: usize, index: usize| std::array::from_fn(|part| boxes[[image, index, part]]);
    // The places and the order of the boxes of a class.
    call.room_for::<[usize; 4]>(&[count])?;
    // For each image and class the selected boxes, the best ones first.
    let select = |image: usize, class: usize| {
        let of_class: Vec<f64> = (0..count).map(|index| scores[[image, class, index]]).collect();
        let mut selected: Vec<usize> = Vec::new();
        for index in sorted_positions(&of_class, true, float_order) {
            let is_free = |other: &usize| overlap(corners(image, index), corners(image, *other)) < threshold;
            if selected.len() < most && of_class[index] > least_score && selected.iter().all(is_free) {
                selected.push(index);
            }
        }
        selected
    };
    let long = DataType::int(64);
    if &*call.attrs::<AllClassNonMaximumSuppressionAttrs>()?.output_format == "onnx" {
        let mut rows = Vec::new();
        for (image, class) in (0..batch).flat_map(|image| (0..classes).map(move |class| (image, class))) {
            let selected = select(image, class);
            call.room_for::<[i128; 3]>(&[selected.len()])?;
            rows.extend(selected.into_iter().flat_map(|index| [image, class, index].map(|it| it as i128)));
        }
        let total = rows.len() / 3;
        let rows = call.integers(long, &shaped(&[total, 3], rows)?)?;
        return Ok(call.pack(vec![rows, call.integers(long, &array(call, &[1], [total as i128])?)?]));
    }
    call.room_for::<[i128; 3]>(&[batch, classes, count])?;
    let (mut indices, mut best, mut totals) = (Vec::new(), Vec::new(), Vec::new());
    for image in 0..batch {
        let selected: Vec<(usize, usize)> =
            (0..classes).flat_map(|class| select(image, class).into_iter().map(move |index| (class, index))).collect();
        totals.push(selected.len() as i128);
        let rest = classes * count - selected.len();
        indices.extend(selected.iter().flat_map(|(class, index)| [*class as i128, *index as i128]));
        indices.extend(std::iter::repeat_n(0, rest * 2));
        best.extend(selected.iter().map(|(class, index)| scores[[image, *class, *index]]));
        best.extend(std::iter::repeat_n(0.0, rest));
    }
    let total = classes * count;
    Ok(call.pack(vec![
        call.integers(long, &shaped(&[batch, total, 2], indices)?)?,
        call.floats(DataType::float(32), &shaped(&[batch, total], best)?)?,
        call.integers(long, &shaped(&[batch], totals)?)?,
    ]))
}
