//! The same elements in other dimensions (TVM 0.25 `src/relax/op/tensor/manipulate.cc`).

use std::borrow::Cow;

use object_core::prelude::*;
use object_ir::attrs::{ExpandDimsAttrs, LayoutTransformAttrs, PermuteDimsAttrs, SqueezeAttrs};
use object_ir::ir::{PrimExpr, StructInfo, Var};
use smallvec::SmallVec;

use super::index_map::mapped_shape;
use crate::op::axes::{Positions, axes};
use crate::op::checks::{dimensions, known_rank, shaped_by, written_dims, wrong_rank};
use crate::op::describe::{describe_dims, describe_expr};
use crate::op::dims::{
    DimRefs, Dims, constant, dim, product, rank_of, shape_values, tensor, written_rank, written_values,
};
use crate::op::new_shape::{completed, open_dimensions};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Attributes, Defaults, NewShape, Tensor};

operators! {
    /// The elements in a new shape, which has the same number of elements. One dimension may be -1: it has the size that is
    /// missing. The dimension 0 is the dimension of `x` at the same place, if the structural information of `x` has it.
    fn reshape = "relax.reshape"(x: Tensor, shape: NewShape), Pure, infer_reshape, sharding reshaped_parts;
    /// The elements in one dimension.
    fn flatten = "relax.flatten"(x: Tensor), Pure, infer_flatten;
    /// The tensor with new dimensions of size 1 at some places of the result.
    fn expand_dims = "relax.expand_dims"(x: Tensor, attrs: Attributes<ExpandDimsAttrs>), Pure, infer_expand_dims;
    /// The tensor without some dimensions of size 1, by default without all of them.
    fn squeeze = "relax.squeeze"(x: Tensor, attrs: Defaults<SqueezeAttrs>), Pure, infer_squeeze;
    /// The tensor with its dimensions in another order, by default in the reverse order.
    fn permute_dims = "relax.permute_dims"(x: Tensor, attrs: Defaults<PermuteDimsAttrs>), Pure, infer_permute_dims, sharding permuted_parts;
    /// The tensor with each element moved by an index map.
    fn layout_transform = "relax.layout_transform"(x: Tensor, attrs: Attributes<LayoutTransformAttrs>), Pure,
        infer_layout_transform;
}

fn infer_reshape(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x, target) = (call.tensor(0)?, call.shape(1)?);
    let values = target.values.as_deref();
    let mut new = Cow::Borrowed(values.unwrap_or_default());
    let open = open_dimensions(&new);
    if open > 1 {
        let message = format!("expected at most one dimension -1, got {}", describe_dims(&new));
        return Err(call.argument_error(ErrorKind::OutOfRange, 1, message));
    }
    if open == 1 {
        // TVM's constructor replaces the dimension.
        let known = shape_values(x).and_then(|given| completed(given, &new, call.analyzer()));
        let Some(known) = known else { return Ok(tensor(Dims::Rank(new.len()), x.dtype, x.vdevice.clone())) };
        new = Cow::Owned(known);
    }
    let values = values.map(|_| &*new);
    if let (Some(given), Some(values)) = (shape_values(x), values)
        && !call.analyzer().have_equal_products(given, values)
    {
        let (before, after) = (product(given)?, product(values)?);
        if call.analyzer().prove_equal(&before, &after).is_false() {
            let (before, after) = (describe_expr(&before), describe_expr(&after));
            let (given, values) = (describe_dims(given), describe_dims(values));
            let message =
                format!("expected a shape of {before} elements, as {given} has, got {values} of {after} elements");
            return Err(call.argument_error(ErrorKind::TypeMismatch, 1, message));
        }
    }
    match values {
        Some(values) if open > 0 || call.arg(1).is::<Var>() => {
            Ok(call.result_of(&values.iter().collect::<DimRefs<'_>>(), x.dtype, x.vdevice.clone()))
        }
        _ => shaped_by(call, 1, x.dtype, x.vdevice.clone()),
    }
}

fn infer_flatten(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let x = call.tensor(0)?;
    let dims = match written_dims(x) {
        dims if dims.rank() == Some(1) => return Ok(call.info(0).clone()),
        dims if dims.rank() == Some(0) => Dims::Known(vec![dim(1)]),
        Dims::Known(dims) => Dims::Known(vec![product(&dims)?]),
        _ => Dims::Rank(1),
    };
    Ok(tensor(dims, x.dtype, x.vdevice.clone()))
}

fn infer_expand_dims(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x, given) = (call.tensor(0)?, call.attrs::<ExpandDimsAttrs>()?.axis.iter().collect::<Vec<_>>());
    if given.is_empty() {
        return Ok(call.info(0).clone());
    }
    let dims = written_dims(x);
    let Some(rank) = dims.rank() else { return Ok(tensor(Dims::Unknown, x.dtype, x.vdevice.clone())) };
    let rank = rank + given.len();
    let mut is_new = vec![false; rank];
    axes(call, "axis", &given, rank)?.iter().for_each(|place| is_new[*place] = true);
    let dims = match dims {
        Dims::Known(dims) => {
            let mut old = dims.into_iter();
            Dims::Known(is_new.iter().filter_map(|is_new| if *is_new { Some(dim(1)) } else { old.next() }).collect())
        }
        _ => Dims::Rank(rank),
    };
    Ok(call.result(dims, x.dtype, x.vdevice.clone()))
}

fn infer_squeeze(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<SqueezeAttrs>()?);
    let of = |dims| Ok(tensor(dims, x.dtype, x.vdevice.clone()));
    if attrs.axis.as_ref().is_some_and(Array::is_empty) {
        return Ok(call.info(0).clone());
    }
    let Some(rank) = rank_of(x) else { return of(Dims::Unknown) };
    let given =
        attrs.axis.as_ref().map(|given| axes(call, "axis", &given.iter().collect::<Vec<_>>(), rank)).transpose()?;
    let Dims::Known(dims) = Dims::of(x) else {
        return of(given.map(|given| rank - given.len()).into());
    };
    let mut is_removed = vec![false; rank];
    match &given {
        // A dimension of unknown size has the size 1, because the call says so. Another size is kept, as in TVM.
        Some(given) => {
            given.iter().for_each(|place| is_removed[*place] = constant(&dims[*place]).is_none_or(|size| size == 1));
        }
        None => {
            for (dim, is_removed) in dims.iter().zip(&mut is_removed) {
                let Some(size) = constant(dim) else { return of(Dims::Unknown) };
                *is_removed = size == 1;
            }
        }
    }
    let kept: Vec<PrimExpr> = dims.into_iter().zip(is_removed).filter_map(|(dim, it)| (!it).then_some(dim)).collect();
    if written_dims(x).known().is_some() {
        return of(Dims::Known(kept));
    }
    if kept.len() == rank {
        return Ok(call.info(0).clone());
    }
    of(given.map(|_| kept.len()).into())
}

fn infer_permute_dims(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<PermuteDimsAttrs>()?);
    let dims = written_values(x);
    let order: Positions = match (&attrs.axes, written_rank(x)) {
        (None, None) => return Ok(tensor(Dims::Unknown, x.dtype, x.vdevice.clone())),
        (None, Some(rank)) => (0..rank).rev().collect(),
        (Some(given), _) => {
            let rank = known_rank(call, 0)?;
            if given.len() != rank {
                return Err(wrong_rank(call, 0, &format!("{}, as `axes` has", dimensions(given.len())), rank));
            }
            axes(call, "axes", &given.iter().collect::<SmallVec<[i64; 8]>>(), rank)?
        }
    };
    if order.iter().enumerate().all(|(place, from)| place == *from) {
        return Ok(call.info(0).clone());
    }
    let Some(dims) = dims else { return Ok(tensor(Dims::Rank(order.len()), x.dtype, x.vdevice.clone())) };
    let dims: DimRefs<'_> = order.iter().map(|from| &dims[*from]).collect();
    Ok(call.result_of(&dims, x.dtype, x.vdevice.clone()))
}

fn infer_layout_transform(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<LayoutTransformAttrs>()?);
    if let Some(padding) = attrs.pad_value.as_ref().filter(|padding| padding.value.dtype != x.dtype) {
        let message = format!("expected a value of the type {} of the elements, got {}", x.dtype, padding.value.dtype);
        return Err(call.attribute_error("pad_value", message));
    }
    let (dims, map) = (Dims::of(x), &attrs.index_map);
    if let Some(rank) = dims.rank().filter(|rank| *rank != map.initial_indices.len()) {
        let expected = format!("{}, one for each index of `index_map`", dimensions(map.initial_indices.len()));
        return Err(wrong_rank(call, 0, &expected, rank));
    }
    let dims = match dims {
        Dims::Known(dims) => mapped_shape(call, map, &dims)?,
        _ => Dims::Rank(map.final_indices.len()),
    };
    Ok(tensor(dims, x.dtype, x.vdevice.clone()))
}
