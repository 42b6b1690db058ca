//! Losses (TVM 0.25 `src/relax/op/nn/nn.cc`).

use object_core::prelude::*;
use object_ir::attrs::NLLLossAttrs;
use object_ir::ir::{PrimExpr, StructInfo};

use crate::op::broadcast::{same_dtype, same_vdevice};
use crate::op::checks::{check_integers, check_rank, check_size, dimensions, written_dims, wrong_rank};
use crate::op::dims::{Dims, tensor};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Defaults, Optional, Tensor};

operators! {
    /// The cross entropy between predictions, which are not normalized, and the probabilities in `labels`: a scalar.
    fn cross_entropy_with_logits = "relax.nn.cross_entropy_with_logits"(predictions: Tensor, labels: Tensor), Pure,
        infer_cross_entropy;
    /// The negative log likelihood of the classes in `targets`: of predictions `(N, C, ...)` and targets `(N, ...)`, or of
    /// predictions `(C,)` and a scalar target. Each class has its own weight, or the weight 1.
    fn nll_loss = "relax.nn.nll_loss"(
        predictions: Tensor, targets: Tensor, weights: Optional<Tensor>, attrs: Defaults<NLLLossAttrs>
    ), Pure, infer_nll_loss;
}

fn infer_cross_entropy(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (dtype, vdevice) = (same_dtype(call, 0, 1)?, same_vdevice(call, 0, 1)?);
    let (predictions, labels) = (Dims::of(call.tensor(0)?), Dims::of(call.tensor(1)?));
    if let Some(rank) = predictions.rank() {
        check_rank(call, 1, rank)?;
    }
    if let (Dims::Known(predictions), Dims::Known(labels)) = (predictions, labels) {
        check_sizes(call, 1, 0, &labels, &predictions)?;
    }
    Ok(tensor(Dims::Known(Vec::new()), dtype, vdevice))
}

fn infer_nll_loss(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let predictions = call.tensor(0)?;
    let has_weights = call.len() == 3;
    let (dtype, vdevice) = if has_weights {
        (same_dtype(call, 0, 2)?, same_vdevice(call, 0, 2)?)
    } else {
        (predictions.dtype, predictions.vdevice.clone())
    };
    check_integers(call, 1)?;
    let (prediction_dims, target_dims) = (Dims::of(predictions), Dims::of(call.tensor(1)?));
    if prediction_dims.rank() == Some(0) {
        return Err(wrong_rank(call, 0, "at least 1 dimension", 0));
    }
    check_target_rank(call, &prediction_dims, &target_dims)?;
    // Without the dimension of classes.
    let mut samples: Option<Vec<PrimExpr>> = prediction_dims.known().map(<[_]>::to_vec);
    let classes = samples.as_mut().map(|dims| dims.remove(dims.len().min(2) - 1));
    if let (Some(samples), Dims::Known(targets)) = (&samples, &target_dims) {
        check_sizes(call, 1, 0, targets, samples)?;
    }
    if has_weights {
        check_rank(call, 2, 1)?;
        if let (Some(classes), Dims::Known(weights)) = (&classes, Dims::of(call.tensor(2)?)) {
            check_size(call, 2, 0, [&weights[0], classes], "the classes of `predictions`")?;
        }
    }
    let dims = match (&*call.attrs::<NLLLossAttrs>()?.reduction, samples) {
        ("none", Some(samples)) if written_dims(predictions).known().is_some() => Dims::Known(samples),
        ("none", _) => prediction_dims.rank().map(|rank| rank - 1).into(),
        ("sum" | "mean", _) => Dims::Known(Vec::new()),
        (given, _) => {
            let message = format!("expected `none`, `sum` or `mean`, got `{given}`");
            return Err(call.attribute_error("reduction", message));
        }
    };
    Ok(tensor(dims, dtype, vdevice))
}

/// Checks that the targets have the dimensions of the predictions except the classes, as far as the ranks are known.
fn check_target_rank(call: &OpCall<'_>, predictions: &Dims, targets: &Dims) -> Result<(), Error> {
    let (Some(predicted), Some(given)) = (predictions.rank(), targets.rank()) else { return Ok(()) };
    // TVM 0.25 tells `(C,)` from `(N, C)`, and a scalar from `(N,)`, only if it knows the sizes.
    let is_known = predictions.known().is_some() && targets.known().is_some();
    let extra = |rank: usize, least: usize| if is_known { rank } else { rank.max(least) };
    if extra(predicted, 2) - 1 == extra(given, 1) {
        return Ok(());
    }
    let expected = format!("{}, as `predictions` without the classes", dimensions(predicted - 1));
    Err(wrong_rank(call, 1, &expected, given))
}

/// Checks the dimensions of the argument at `index` against the dimensions of the argument at `other`.
fn check_sizes(
    call: &OpCall<'_>,
    index: usize,
    other: usize,
    given: &[PrimExpr],
    expected: &[PrimExpr],
) -> Result<(), Error> {
    let meaning = format!("as argument {other}");
    for (place, (given, expected)) in given.iter().zip(expected).enumerate() {
        check_size(call, index, place, [given, expected], &meaning)?;
    }
    Ok(())
}
