//! Elements at indices (TVM 0.25 `src/relax/op/tensor/index.cc` and `manipulate.cc`).

use object_core::counted;
use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_ir::attrs::{GatherElementsAttrs, GatherNDAttrs, TakeAttrs};
use object_ir::ir::{PrimStructInfo, StructInfo, TensorStructInfo};
use object_ir::tir::fold::is_integer;

use crate::op::axes::axis;
use crate::op::broadcast::broadcast;
use crate::op::checks::{check_elements, check_rank, some_tensors, written_dims, wrong_rank};
use crate::op::dims::{Dims, constant, rank_of, tensor, tensor_of};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Defaults, Tensor, TensorOrPrim, Tensors};

operators! {
    /// The slices at indices along an axis. Without an axis, the tensor has one dimension.
    fn take = "relax.take"(x: Tensor, indices: TensorOrPrim, attrs: Defaults<TakeAttrs>), Pure, infer_take;
    /// For each index, the element at the same place but for the axis, where its place is the index. The default axis is
    /// 0.
    fn gather_elements = "relax.gather_elements"(data: Tensor, indices: Tensor, attrs: Defaults<GatherElementsAttrs>), Pure,
        infer_gather_elements;
    /// The slices at the places that the last dimension of `indices` lists.
    fn gather_nd = "relax.gather_nd"(data: Tensor, indices: Tensor, attrs: Defaults<GatherNDAttrs>), Pure, infer_gather_nd;
    /// The slices at the places that several tensors of indices list, which broadcast.
    fn index_tensor = "relax.index_tensor"(data: Tensor, indices: Tensors), Pure, infer_index_tensor;
}

fn infer_take(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<TakeAttrs>()?);
    let (indices, dtype) = match call.info(1).downcast_ref::<PrimStructInfo>() {
        Some(prim) => (Dims::Known(Vec::new()), prim.dtype),
        None => (written_dims(call.tensor(1)?), call.tensor(1)?.dtype),
    };
    if !dtype.is_void() && !is_integer(dtype) {
        let message = format!("expected indices that are integers, got {dtype}; `astype` converts a tensor");
        return Err(call.argument_error(ErrorKind::TypeMismatch, 1, message));
    }
    let dims = written_dims(x);
    if attrs.axis.is_none() && dims.rank() != Some(1) {
        let given = dims.rank().map_or("an unknown number".into(), |rank| rank.to_string());
        let message = format!("expected 1 dimension, because there is no `axis`, got {given}");
        return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
    }
    let (Some(rank), Some(index_rank)) = (dims.rank(), indices.rank()) else {
        return Ok(tensor(Dims::Unknown, x.dtype, x.vdevice.clone()));
    };
    let place = attrs.axis.map_or(Ok(0), |given| axis(call, "axis", given, rank))?;
    let dims = match (dims, indices) {
        (Dims::Known(mut dims), Dims::Known(indices)) => {
            dims.splice(place..=place, indices);
            Dims::Known(dims)
        }
        _ => Dims::Rank(rank - 1 + index_rank),
    };
    Ok(tensor(dims, x.dtype, x.vdevice.clone()))
}

fn infer_gather_elements(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, indices) = (call.tensor(0)?, call.tensor(1)?);
    check_elements(call, 1, "signed integers", |dtype| dtype.code == TypeCode::INT)?;
    let (Some(rank), Some(_)) = (rank_of(data), rank_of(indices)) else {
        return Ok(tensor(Dims::Unknown, data.dtype, data.vdevice.clone()));
    };
    axis(call, "axis", call.attrs::<GatherElementsAttrs>()?.axis, rank)?;
    check_rank(call, 1, rank)?;
    Ok(tensor_of(indices.shape.clone(), data.dtype, data.vdevice.clone(), indices.ndim))
}

fn infer_gather_nd(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, batch_dims) = (call.tensor(0)?, call.attrs::<GatherNDAttrs>()?.batch_dims);
    let wrong_batch =
        |expected: &str| call.attribute_error("batch_dims", format!("expected {expected}, got {batch_dims}"));
    check_elements(call, 1, "int64", |dtype| dtype == DataType::int(64))?;
    let batch = usize::try_from(batch_dims).map_err(|_| wrong_batch("at least 0"))?;
    let (dims, indices) = (written_dims(data), written_dims(call.tensor(1)?));
    let of = |dims| Ok(tensor(dims, data.dtype, data.vdevice.clone()));
    let (Some(rank), Some(index_rank)) = (dims.rank(), indices.rank()) else { return of(Dims::Unknown) };
    if index_rank == 0 {
        return Err(wrong_rank(call, 1, "at least 1 dimension", 0));
    }
    let most = rank.min(index_rank - 1);
    if batch > most {
        return Err(wrong_batch(&format!("at most {most}, because `data` and `indices` share no more dimensions")));
    }
    let Some(length) = indices.known().and_then(<[_]>::last).and_then(constant) else { return of(Dims::Unknown) };
    let inner =
        usize::try_from(length).ok().and_then(|length| length.checked_add(batch)).filter(|inner| *inner <= rank);
    let Some(inner) = inner else {
        let dimension = index_rank - 1;
        let message =
            format!("dimension {dimension}: expected at most {} places of `data`, got {length}", rank - batch);
        return Err(call.argument_error(ErrorKind::TypeMismatch, 1, message));
    };
    match (dims, indices) {
        (Dims::Known(dims), Dims::Known(mut result)) => {
            result.pop();
            result.extend(dims.into_iter().skip(inner));
            of(Dims::Known(result))
        }
        _ => of(Dims::Rank(index_rank - 1 + rank - inner)),
    }
}

fn infer_index_tensor(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, indices) = (call.tensor(0)?, some_tensors(call, 1)?);
    let is_index = |dtype: DataType| dtype.is_void() || dtype.code == TypeCode::INT;
    if let Some(place) = indices.iter().position(|index| !is_index(index.dtype)) {
        let given = indices[place].dtype;
        let message = format!("member {place}: expected elements that are signed integers, got {given}");
        return Err(call.argument_error(ErrorKind::TypeMismatch, 1, message));
    }
    let dims = written_dims(data);
    if let Some(rank) = dims.rank().filter(|rank| *rank < indices.len()) {
        let message = format!(
            "expected at most {}, because `data` has as many dimensions, got {}",
            counted(rank, "tensor"),
            indices.len()
        );
        return Err(call.argument_error(ErrorKind::TypeMismatch, 1, message));
    }
    let places = broadcast_indices(call, &indices)?;
    let result = match (places, dims) {
        (Dims::Known(mut places), Dims::Known(dims)) => {
            places.extend(dims.into_iter().skip(indices.len()));
            Dims::Known(places)
        }
        (Dims::Known(places), Dims::Rank(rank)) => Dims::Rank(places.len() + rank - indices.len()),
        _ => Dims::Unknown,
    };
    Ok(tensor(result, data.dtype, data.vdevice.clone()))
}

/// The shape to which tensors of indices broadcast.
fn broadcast_indices(call: &OpCall<'_>, indices: &[&TensorStructInfo]) -> Result<Dims, Error> {
    let mut places = Dims::Known(Vec::new());
    for index in indices {
        places = broadcast(call, 1, &places, &written_dims(index))?;
    }
    Ok(places)
}
