//! Tensors with elements at indices replaced (TVM 0.25 `src/relax/op/tensor/manipulate.cc`).

use object_core::prelude::*;
use object_ir::attrs::{IndexPutAttrs, ScatterElementsAttrs, ScatterNDAttrs, SliceScatterAttrs};
use object_ir::ir::{PrimExpr, PrimValue, StructInfo, TensorStructInfo, TupleStructInfo};
use object_ir::tir::fold::is_integer;
use object_ir::tir::{add, floor_div, less, sub};
use smallvec::smallvec;

use crate::op::axes::axis;
use crate::op::checks::{
    check_integers, check_rank, check_same_elements, check_size, require_same_elements, written_dims,
};
use crate::op::describe::{describe_dims, describe_expr};
use crate::op::dims::{Dims, constant, rank_of, tensor, tensor_of};
use crate::op::op_call::{OpCall, Tensors};
use crate::op::operator::operators;
use crate::op::parameter::{Any, Defaults, Prim, Tensor};
use crate::op::signature::ArgumentKind;

operators! {
    /// The tensor with the elements at `indices`, a tensor of indices for each dimension, replaced by `values`.
    fn index_put = "relax.index_put"(data: Tensor, indices: Any, values: Tensor, attrs: Defaults<IndexPutAttrs>), Pure,
        infer_index_put;
    /// The tensor with an element replaced for each element of `updates`: the element at the same place but for the axis,
    /// where its place is the element of `indices`. The default axis is 0.
    fn scatter_elements = "relax.scatter_elements"(
        data: Tensor, indices: Tensor, updates: Tensor, attrs: Defaults<ScatterElementsAttrs>
    ), Pure, infer_scatter_elements;
    /// The tensor with the slices at the places that the last dimension of `indices` lists replaced by `updates`.
    fn scatter_nd = "relax.scatter_nd"(data: Tensor, indices: Tensor, updates: Tensor, attrs: Defaults<ScatterNDAttrs>),
        Pure, infer_scatter_nd;
    /// The tensor with the slices from `start` to `end` along an axis, `step` apart, replaced by `src`. The default axis is
    /// 0.
    fn slice_scatter = "relax.slice_scatter"(
        input: Tensor, src: Tensor, start: Prim, end: Prim, step: Prim, attrs: Defaults<SliceScatterAttrs>
    ), Pure, infer_slice_scatter;
}

/// A tensor of the shape of `data`, without a variable as its shape.
fn like(data: &TensorStructInfo) -> StructInfo {
    tensor(written_dims(data), data.dtype, data.vdevice.clone())
}

fn infer_index_put(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let data = call.tensor(0)?;
    let indices: Tensors<'_> = match call.info(1).downcast_ref::<TupleStructInfo>() {
        Some(_) => call.tensors(1)?,
        None => {
            let single = call.info(1).downcast_ref::<TensorStructInfo>();
            smallvec![single.ok_or_else(|| call.wrong_kind(1, ArgumentKind::Tensors))?]
        }
    };
    let Some(rank) = rank_of(data) else { return Ok(like(data)) };
    for (place, index) in indices.iter().enumerate() {
        let wrong = |expected: &str, given: String| {
            let message = format!("member {place}: expected {expected}, got {given}");
            Err(call.argument_error(ErrorKind::TypeMismatch, 1, message))
        };
        if index.ndim == 0 {
            return wrong("at least 1 dimension", "a tensor without dimensions".into());
        }
        if !index.dtype.is_void() && !is_integer(index.dtype) {
            return wrong("elements that are integers", index.dtype.to_string());
        }
    }
    if indices.len() != rank {
        let message =
            format!("expected {rank} tensors of indices, one for each dimension of `data`, got {}", indices.len());
        return Err(call.argument_error(ErrorKind::TypeMismatch, 1, message));
    }
    check_same_elements(call, 0, 2)?;
    Ok(like(data))
}

fn infer_scatter_elements(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, indices, updates) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
    let Some(rank) = rank_of(data) else { return Ok(like(data)) };
    if rank_of(indices).is_some() && rank_of(updates).is_some() {
        check_rank(call, 1, rank)?;
        check_rank(call, 2, rank)?;
    }
    axis(call, "axis", call.attrs::<ScatterElementsAttrs>()?.axis, rank)?;
    check_same_elements(call, 0, 2)?;
    check_integers(call, 1)?;
    if let (Dims::Known(indices), Dims::Known(updates)) = (written_dims(indices), written_dims(updates)) {
        for (place, (given, expected)) in updates.iter().zip(&indices).enumerate() {
            check_size(call, 2, place, [given, expected], "the size of `indices`")?;
        }
    }
    Ok(like(data))
}

fn infer_scatter_nd(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let data = call.tensor(0)?;
    if data.dtype.is_void() {
        let message = "expected a tensor with a known type of elements; `MatchCast` states it";
        return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
    }
    require_same_elements(call, 0, 2)?;
    check_integers(call, 1)?;
    let dims_of = |index| call.tensor(index).map(|tensor| written_dims(tensor));
    if let (Dims::Known(dims), Dims::Known(indices), Dims::Known(updates)) = (dims_of(0)?, dims_of(1)?, dims_of(2)?) {
        check_updates(call, &dims, &indices, &updates)?;
    }
    Ok(like(data))
}

/// Checks that updates have the dimensions of the indices without the last one, and then the dimensions of the slices.
fn check_updates(
    call: &OpCall<'_>,
    data: &[PrimExpr],
    indices: &[PrimExpr],
    updates: &[PrimExpr],
) -> Result<(), Error> {
    let last = indices.split_last().and_then(|(last, front)| Some((constant(last)?, front)));
    let Some((length, front)) = last else {
        let message = format!("expected a last dimension of known size, got {}", describe_dims(indices));
        return Err(call.argument_error(ErrorKind::TypeMismatch, 1, message));
    };
    let Some(slice) = usize::try_from(length).ok().and_then(|length| data.get(length..)) else {
        let message = format!("expected a last dimension of at most {} places of `data`, got {length}", data.len());
        return Err(call.argument_error(ErrorKind::TypeMismatch, 1, message));
    };
    let expected = [front, slice].concat();
    if call.analyzer().prove_shape_equal(&expected, updates).is_true() {
        return Ok(());
    }
    let (expected, updates) = (describe_dims(&expected), describe_dims(updates));
    let message = format!("expected the shape {expected}, got {updates}; `MatchCast` states a shape");
    Err(call.argument_error(ErrorKind::TypeMismatch, 2, message))
}

fn infer_slice_scatter(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, src) = (call.tensor(0)?, call.tensor(1)?);
    let Some(rank) = rank_of(data) else { return Ok(like(data)) };
    let place = axis(call, "axis", call.attrs::<SliceScatterAttrs>()?.axis, rank)?;
    check_rank(call, 1, rank)?;
    check_same_elements(call, 0, 1)?;
    let [start, end, step] = [integer(call, 2)?, integer(call, 3)?, integer(call, 4)?];
    if call.analyzer().prove(&less(step, 1)?).is_true() {
        let message = format!("expected at least 1, got {}", describe_expr(step));
        return Err(call.argument_error(ErrorKind::OutOfRange, 4, message));
    }
    if call.analyzer().prove(&less(end, start)?).is_true() {
        let message = format!("expected at least `start`, {}, got {}", describe_expr(start), describe_expr(end));
        return Err(call.argument_error(ErrorKind::OutOfRange, 3, message));
    }
    if let (Dims::Known(dims), Dims::Known(given)) = (written_dims(data), written_dims(src)) {
        let slices = floor_div(sub(add(sub(end, start)?, step)?, 1)?, step)?;
        for (dimension, (given, expected)) in given.iter().zip(&dims).enumerate() {
            let (expected, meaning) =
                if dimension == place { (&slices, "the number of slices") } else { (expected, "the size of `input`") };
            check_size(call, 1, dimension, [given, expected], meaning)?;
        }
    }
    Ok(tensor_of(data.shape.clone(), data.dtype, data.vdevice.clone(), data.ndim))
}

/// The integer at `index`, which has to be a `PrimValue`.
fn integer<'a>(call: &OpCall<'a>, index: usize) -> Result<&'a PrimExpr, Error> {
    let value = call.arg(index).downcast_ref::<PrimValue>().map(|prim| &prim.value);
    value.filter(|value| is_integer(value.dtype)).ok_or_else(|| {
        call.argument_error(
            ErrorKind::TypeMismatch,
            index,
            "expected a `PrimValue` with an integer, got another expression",
        )
    })
}
