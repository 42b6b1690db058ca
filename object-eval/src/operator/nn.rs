//! Activations, attention and losses.

use ndarray::{ArrayD, Dimension as _, IxDyn};
use object_core::prelude::*;
use object_ir::attrs::{AttentionAttrs, LeakyReluAttrs, NLLLossAttrs, PReluAttrs, SoftmaxAttrs, SoftplusAttrs};

use super::arrays::{array, from_index, lanes, reduce, zip};
use super::create::constant;
use super::evaluation::Evaluation;
use super::exponential::exp;
use super::linear_algebra::float_matrices;
use super::vectors::{RowFunction, greatest, map, map_rows, row_length, sum};
use crate::value::{counted, shaped};

pub(crate) fn leakyrelu(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, alpha) = (call.tensor(0)?, call.attrs::<LeakyReluAttrs>()?.alpha);
    map(call, x, |x| if x > 0.0 { x } else { x * alpha })
}

pub(crate) fn softplus(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<SoftplusAttrs>()?);
    let (beta, threshold) = (attrs.beta, attrs.threshold);
    let softplus = |x: f64| if beta * x > threshold { x } else { (beta * x).exp().ln_1p() / beta };
    map(call, x, softplus)
}

pub(crate) fn prelu(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, alpha) = (call.tensor(0)?, call.tensor(1)?.floats(call.meter())?);
    let axis = call.axis(call.attrs::<PReluAttrs>()?.axis, x.rank())?;
    if alpha.ndim() != 1 || (alpha.len() != 1 && alpha.len() != x.dims()[axis]) {
        return Err(call.invalid(format!("expected {} slopes, got the shape {:?}", x.dims()[axis], alpha.shape())));
    }
    let mut numbers = x.floats(call.meter())?;
    for (at, x) in numbers.indexed_iter_mut() {
        if *x <= 0.0 {
            // One slope serves all positions.
            *x *= alpha[IxDyn(&[at[axis] % alpha.len()])];
        }
    }
    call.floats(x.dtype(), &numbers)
}

/// A run is an inference, which keeps all elements: the tensor itself, and a mask of ones (TVM 0.27
/// python/tvm/relax/transform/legalize_ops/nn.py; TVM 0.25 compiles no call of the operator).
pub(crate) fn dropout(call: &Evaluation<'_>) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    Ok(call.pack(vec![x.clone().into(), constant(call, x.shape(), x.dtype(), 1)?]))
}

/// Replaces the elements of a lane by their exponentials, divided by the sum of these.
struct Softmax;

impl RowFunction for Softmax {
    #[inline(always)]
    fn apply(&self, lane: &mut [f64]) {
        let greatest = greatest(lane);
        lane.iter_mut().for_each(|x| *x = exp(*x - greatest));
        let sum = sum(lane, |x| x);
        lane.iter_mut().for_each(|x| *x /= sum);
    }
}

/// The exponentials of a lane, divided by their sum.
pub(super) fn softmax_of(lane: &[f64]) -> Vec<f64> {
    let mut lane = lane.to_vec();
    Softmax.apply(&mut lane);
    lane
}

/// Replaces the elements of a lane by the logarithms of the results of [`Softmax`].
struct LogSoftmax;

impl RowFunction for LogSoftmax {
    #[inline(always)]
    fn apply(&self, lane: &mut [f64]) {
        let greatest = greatest(lane);
        let logarithm = sum(lane, |x| exp(x - greatest)).ln();
        lane.iter_mut().for_each(|x| *x = *x - greatest - logarithm);
    }
}

fn along_axis(call: &Evaluation<'_>, f: impl RowFunction) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    let axis = call.axis(call.attrs::<SoftmaxAttrs>()?.axis, x.rank())?;
    if let Some(length) = row_length(x, &[axis]) {
        return map_rows(call, x, length, f);
    }
    let of_lane = |lane: &[f64]| {
        let mut lane = lane.to_vec();
        f.apply(&mut lane);
        lane
    };
    call.floats(x.dtype(), &lanes(call, &x.floats(call.meter())?, axis, of_lane)?)
}

pub(crate) fn softmax(call: &Evaluation<'_>) -> Result<Any, Error> {
    along_axis(call, Softmax)
}

pub(crate) fn log_softmax(call: &Evaluation<'_>) -> Result<Any, Error> {
    along_axis(call, LogSoftmax)
}

/// Attention, with the bias `bias` if there is one.
fn attend(call: &Evaluation<'_>, bias: Option<&ArrayD<f64>>) -> Result<Any, Error> {
    let (query, attrs) = (call.tensor(0)?, call.attrs::<AttentionAttrs>()?);
    if attrs.window_size.is_some() {
        return Err(call.error(ErrorKind::Call, "the evaluator does not run attention in a sliding window"));
    }
    call.inferred()?;
    // (batch, sequence, heads, size) to (batch, heads, sequence, size), and the keys to columns.
    let of_heads = |index: usize, order: [usize; 4]| -> Result<ArrayD<f64>, Error> {
        Ok(call.tensor(index)?.floats(call.meter())?.permuted_axes(IxDyn(&order)))
    };
    let (query_heads, keys) = (of_heads(0, [0, 2, 1, 3])?, of_heads(1, [0, 2, 3, 1])?);
    let values = of_heads(2, [0, 2, 1, 3])?;
    let size = query.dims()[3] as f64;
    let scale = attrs.scale.as_ref().map_or(1.0 / size.sqrt(), |scale| scale.value);
    let mut scores = float_matrices(call, &query_heads, &keys)?.mapv_into(|score| score * scale);
    if let Some(bias) = bias {
        scores = zip(call, &scores, bias, |score, bias| score + bias)?;
    }
    let (queries, keys) = (scores.shape()[2] as i64, scores.shape()[3] as i64);
    let offset = match attrs.causal_mask.as_deref() {
        None => None,
        Some("TopLeft") => Some(0),
        Some("BottomRight") => Some((queries - keys).abs()),
        Some(other) => return Err(call.invalid(format!("expected `TopLeft` or `BottomRight`, got `{other}`"))),
    };
    if let Some(offset) = offset {
        for (at, score) in scores.indexed_iter_mut() {
            if at[3] as i64 > at[2] as i64 + offset {
                *score = f64::NEG_INFINITY;
            }
        }
    }
    let result = float_matrices(call, &lanes(call, &scores, 3, softmax_of)?, &values)?;
    call.floats(query.dtype(), &result.permuted_axes(IxDyn(&[0, 2, 1, 3])))
}

pub(crate) fn attention(call: &Evaluation<'_>) -> Result<Any, Error> {
    attend(call, None)
}

pub(crate) fn attention_bias(call: &Evaluation<'_>) -> Result<Any, Error> {
    attend(call, Some(&call.tensor(3)?.floats(call.meter())?))
}

pub(crate) fn cross_entropy_with_logits(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, labels) = (call.tensor(0)?, call.tensor(1)?.floats(call.meter())?);
    let products = zip(call, &x.floats(call.meter())?, &labels, |x, y| x * y)?;
    let batch = if x.rank() > 1 { x.dims()[0] as f64 } else { 1.0 };
    call.floats(x.dtype(), &array(call, &[], [-products.sum() / batch])?)
}

/// The predictions, the targets and the weights of a loss: predictions `(N, C, ...)`, targets `(N, ...)`.
struct Classes {
    predictions: ArrayD<f64>,
    targets: ArrayD<i64>,
    weights: Vec<f64>,
    /// The dimension of the classes.
    axis: usize,
}

impl Classes {
    /// Reads arguments from `first` on.
    fn of(call: &Evaluation<'_>, first: usize) -> Result<Classes, Error> {
        let (predictions, targets) =
            (call.tensor(first)?.floats(call.meter())?, call.tensor(first + 1)?.indices(call.meter())?);
        let axis = usize::from(predictions.ndim() > 1);
        let Some(classes) = predictions.shape().get(axis).copied() else {
            return Err(call.invalid("expected predictions of at least 1 dimension"));
        };
        let mut outer = predictions.shape().to_vec();
        outer.remove(axis);
        if outer != targets.shape() {
            return Err(call.invalid(format!("expected targets of the shape {outer:?}, got {:?}", targets.shape())));
        }
        let weights = match call.optional_tensor(first + 2)? {
            Some(weights) => weights.floats(call.meter())?.iter().copied().collect(),
            None => vec![1.0; classes],
        };
        if weights.len() != classes {
            return Err(call.invalid(format!("expected {classes} weights, got {}", weights.len())));
        }
        Ok(Classes { predictions, targets, weights, axis })
    }

    /// The weight of a target: 0 for the target to ignore.
    fn weight(&self, call: &Evaluation<'_>, target: i64, ignored: i64) -> Result<f64, Error> {
        if target == ignored {
            return Ok(0.0);
        }
        let weight = usize::try_from(target).ok().and_then(|target| self.weights.get(target));
        weight.copied().ok_or_else(|| {
            call.invalid(format!("expected a target below {}, or {ignored}, got {target}", self.weights.len()))
        })
    }

    /// The weights of all targets.
    fn target_weights(&self, call: &Evaluation<'_>, ignored: i64) -> Result<ArrayD<f64>, Error> {
        call.room_for::<f64>(self.targets.shape())?;
        let weights = self.targets.iter().map(|target| self.weight(call, *target, ignored));
        shaped(self.targets.shape(), weights.collect::<Result<_, _>>()?)
    }
}

pub(crate) fn nll_loss(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (classes, attrs) = (Classes::of(call, 0)?, call.attrs::<NLLLossAttrs>()?);
    let weights = classes.target_weights(call, attrs.ignore_index)?;
    let losses = weights.indexed_iter().map(|(at, weight)| {
        let mut place: Vec<usize> = (0..at.ndim()).map(|axis| at[axis]).collect();
        place.insert(classes.axis, usize::try_from(classes.targets[&at]).unwrap_or(0));
        // A target to ignore need not be a class.
        if *weight == 0.0 { 0.0 } else { -classes.predictions[IxDyn(&place)] * weight }
    });
    let losses = counted(weights.shape(), losses, call.meter())?;
    let dtype = call.tensor(0)?.dtype();
    match &*attrs.reduction {
        "none" => call.floats(dtype, &losses),
        "sum" => call.floats(dtype, &array(call, &[], [losses.sum()])?),
        _ => call.floats(dtype, &array(call, &[], [losses.sum() / weights.sum()])?),
    }
}

pub(crate) fn nll_loss_backward(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (grad, classes) = (call.tensor(0)?.floats(call.meter())?, Classes::of(call, 1)?);
    let attrs = call.attrs::<NLLLossAttrs>()?;
    let weights = classes.target_weights(call, attrs.ignore_index)?;
    let divisor = if &*attrs.reduction == "mean" { weights.sum() } else { 1.0 };
    let grad = grad.broadcast(weights.raw_dim()).ok_or_else(|| call.invalid("the gradient has another shape"))?;
    let result = from_index(call, classes.predictions.shape(), |at| {
        let mut outer = at.to_vec();
        let class = outer.remove(classes.axis) as i64;
        let outer = IxDyn(&outer);
        if classes.targets[&outer] == class { -weights[&outer] * grad[&outer] / divisor } else { 0.0 }
    })?;
    call.floats(call.tensor(1)?.dtype(), &result)
}

/// The mean of the elements over the dimensions `axes`, which stay with size 1.
pub(super) fn mean_over(call: &Evaluation<'_>, array: &ArrayD<f64>, axes: &[usize]) -> Result<ArrayD<f64>, Error> {
    reduce(call, array, axes, true, |row| row.iter().sum::<f64>() / row.len() as f64)
}
