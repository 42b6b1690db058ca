//! Elements that are repeated, summed up or reversed (TVM 0.25 `src/relax/op/tensor/manipulate.cc`).

use object_core::prelude::*;
use object_ir::attrs::{FlipAttrs, OneHotAttrs, RepeatAttrs, TileAttrs};
use object_ir::ir::{PrimExpr, PrimValue, StructInfo};
use object_ir::tir::mul;

use crate::op::axes::axis;
use crate::op::checks::{check_integers, check_size, dimensions, shaped_by, written_dims, wrong_rank};
use crate::op::describe::describe_expr;
use crate::op::dims::{
    DimRefs, Dims, constant, dim, product, rank_of, tensor, tensor_of, written_rank, written_values,
};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Attributes, Prim, Shape, Tensor};

operators! {
    /// The tensor with its elements repeated, so that it has the given shape.
    fn broadcast_to = "relax.broadcast_to"(x: Tensor, shape: Shape), Pure, infer_broadcast_to;
    /// The sum over the dimensions along which a tensor of the shape of `collapse_target` broadcasts to `data`.
    fn collapse_sum_like = "relax.collapse_sum_like"(data: Tensor, collapse_target: Tensor), Pure,
        infer_collapse_sum_like;
    /// The sum over the dimensions along which a tensor of the given shape broadcasts to `data`.
    fn collapse_sum_to = "relax.collapse_sum_to"(data: Tensor, shape: Shape), Pure, infer_collapse_sum_to;
    /// Each element several times, along an axis or in one dimension.
    fn repeat = "relax.repeat"(data: Tensor, attrs: Attributes<RepeatAttrs>), Pure, infer_repeat;
    /// The whole tensor several times along each dimension.
    fn tile = "relax.tile"(data: Tensor, attrs: Attributes<TileAttrs>), Pure, infer_tile;
    /// The tensor with the elements along an axis in the reverse order.
    fn flip = "relax.flip"(data: Tensor, attrs: Attributes<FlipAttrs>), Pure, infer_flip;
    /// `on_value` at the index that each element is, and `off_value` elsewhere, along a new axis of the size `depth`.
    fn one_hot = "relax.one_hot"(indices: Tensor, on_value: Prim, off_value: Prim, attrs: Attributes<OneHotAttrs>), Pure,
        infer_one_hot;
}

fn infer_broadcast_to(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x, target) = (call.tensor(0)?, call.shape(1)?);
    let (given, values) = (Dims::of(x), target.values.as_deref());
    let target_rank = Dims::of_rank(target.ndim).rank();
    if let (Some(rank), Some(most)) = (given.rank(), target_rank)
        && rank > most
    {
        return Err(wrong_rank(call, 0, &format!("at most {}, as `shape` has", dimensions(most)), rank));
    }
    if let (Dims::Known(given), Some(values)) = (given, values) {
        for (place, (size, expected)) in (0..given.len()).rev().zip(given.iter().rev().zip(values.iter().rev())) {
            if constant(size) != Some(1) {
                check_size(call, 0, place, [size, expected], "the size in `shape`, or 1")?;
            }
        }
    }
    shaped_by(call, 1, x.dtype, x.vdevice.clone())
}

fn infer_collapse_sum_like(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, target) = (call.tensor(0)?, call.tensor(1)?);
    if let (Dims::Known(data), Dims::Known(target)) = (Dims::of(data), Dims::of(target)) {
        check_collapse(call, &data, &target)?;
    }
    Ok(tensor_of(target.shape.clone(), data.dtype, target.vdevice.clone(), target.ndim))
}

fn infer_collapse_sum_to(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let data = call.tensor(0)?;
    if let (Dims::Known(data), Some(target)) = (Dims::of(data), call.shape(1)?.values.as_deref()) {
        check_collapse(call, &data, target)?;
    }
    shaped_by(call, 1, data.dtype, data.vdevice.clone())
}

/// Checks that a tensor of the shape `target` broadcasts to the shape `data`, as far as the dimensions of `data` reach.
fn check_collapse(call: &OpCall<'_>, data: &[PrimExpr], target: &[PrimExpr]) -> Result<(), Error> {
    for (distance, (size, expected)) in data.iter().rev().zip(target.iter().rev()).enumerate() {
        if constant(expected) == Some(1) || call.analyzer().prove_equal(size, expected).is_true() {
            continue;
        }
        let place = data.len() - 1 - distance;
        let (size, expected) = (describe_expr(size), describe_expr(expected));
        let message = format!(
            "dimension {place}: expected the size {expected} of the target, or a target of size 1, got {size}; `MatchCast` states a size"
        );
        return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
    }
    Ok(())
}

fn infer_repeat(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, attrs) = (call.tensor(0)?, call.attrs::<RepeatAttrs>()?);
    check_repeats(call, &[attrs.repeats])?;
    let (dims, rank) = (written_values(data), written_rank(data));
    let place = match (attrs.axis, rank) {
        (Some(given), Some(rank)) => Some(axis(call, "axis", given, rank)?),
        _ => None,
    };
    let times = |size: &PrimExpr| mul(size, attrs.repeats).map(|size| call.analyzer().simplify(&size));
    let of = |dims: &[&PrimExpr]| call.result_of(dims, data.dtype, data.vdevice.clone());
    let rank = match (dims, attrs.axis) {
        (Some(dims), None) => return Ok(of(&[&times(&product(dims)?)?])),
        (Some(dims), Some(_)) => {
            let place = place.unwrap_or_default();
            let size = times(&dims[place])?;
            let mut dims: DimRefs<'_> = dims.iter().collect();
            dims[place] = &size;
            return Ok(of(&dims));
        }
        (None, None) => Some(1),
        (None, Some(_)) if attrs.repeats == 1 => return Ok(call.info(0).clone()),
        (None, Some(_)) => rank,
    };
    Ok(tensor(rank.into(), data.dtype, data.vdevice.clone()))
}

fn infer_tile(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, repeats) = (call.tensor(0)?, call.attrs::<TileAttrs>()?.repeats.iter().collect::<Vec<_>>());
    check_repeats(call, &repeats)?;
    let dims = match written_dims(data) {
        Dims::Known(dims) => {
            let rank = dims.len().max(repeats.len());
            let mut tiled = Vec::with_capacity(rank);
            // Both are aligned at their ends, and filled with 1.
            for place in 0..rank {
                let size = (place + dims.len()).checked_sub(rank).map(|place| &dims[place]);
                let times = (place + repeats.len()).checked_sub(rank).map(|place| repeats[place]);
                tiled.push(match (size, times) {
                    (Some(size), Some(times)) => call.analyzer().simplify(&mul(size, times)?),
                    (Some(size), None) => size.clone(),
                    (None, times) => dim(times.unwrap_or(1)),
                });
            }
            Dims::Known(tiled)
        }
        Dims::Rank(rank) if repeats.len() <= rank && repeats.iter().all(|times| *times == 1) => {
            return Ok(call.info(0).clone());
        }
        Dims::Rank(rank) => Dims::Rank(rank.max(repeats.len())),
        Dims::Unknown => Dims::Unknown,
    };
    Ok(tensor(dims, data.dtype, data.vdevice.clone()))
}

fn check_repeats(call: &OpCall<'_>, repeats: &[i64]) -> Result<(), Error> {
    match repeats.iter().find(|times| **times < 0) {
        Some(times) => Err(call.attribute_error("repeats", format!("expected at least 0, got {times}"))),
        None => Ok(()),
    }
}

fn infer_flip(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    if let Some(rank) = rank_of(call.tensor(0)?) {
        axis(call, "axis", call.attrs::<FlipAttrs>()?.axis, rank)?;
    }
    Ok(call.info(0).clone())
}

fn infer_one_hot(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (indices, attrs) = (call.tensor(0)?, call.attrs::<OneHotAttrs>()?);
    let (dtype, other) = (constant_dtype(call, 1)?, constant_dtype(call, 2)?);
    if dtype != other {
        let message = format!("expected a value of the type {dtype} of `on_value`, got {other}");
        return Err(call.argument_error(ErrorKind::TypeMismatch, 2, message));
    }
    check_integers(call, 0)?;
    if attrs.depth < 1 {
        return Err(call.attribute_error("depth", format!("expected at least 1, got {}", attrs.depth)));
    }
    let dims = match written_dims(indices) {
        Dims::Known(mut dims) => {
            let place = axis(call, "axis", attrs.axis, dims.len() + 1)?;
            dims.insert(place, dim(attrs.depth));
            Dims::Known(dims)
        }
        dims => dims.rank().map(|rank| rank + 1).into(),
    };
    Ok(tensor(dims, dtype, indices.vdevice.clone()))
}

/// The type of the scalar at `index`, which has to be a `PrimValue`.
fn constant_dtype(call: &OpCall<'_>, index: usize) -> Result<DataType, Error> {
    match call.arg(index).downcast_ref::<PrimValue>() {
        Some(prim) => Ok(prim.value.dtype),
        None => {
            Err(call.argument_error(ErrorKind::TypeMismatch, index, "expected a `PrimValue`, got another expression"))
        }
    }
}
