//! Reductions and scans (TVM 0.25 `src/relax/op/tensor/statistical.cc`).

use object_core::prelude::*;

use super::axes::axes;
use super::dims::{Dims, dim, tensor};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Defaults, Tensor};
use crate::attrs::StatisticalAttrs;
use crate::ir::expr::StructInfo;

operators! {
    /// The sum over some dimensions.
    fn sum = "relax.sum"(x: Tensor, attrs: Defaults<StatisticalAttrs>), Pure, reduction;
}

/// A reduction removes dimensions, or keeps them with extent 1.
fn reduction(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<StatisticalAttrs>()?);
    let axis = attrs.axis.as_ref().map(Array::to_vec);
    let dims = reduced(call, &Dims::of(x), axis.as_deref(), attrs.keepdims)?;
    Ok(tensor(dims, x.dtype, x.vdevice.clone()))
}

/// The dimensions of `dims` without `axis`, or without all if there is no `axis`; with extent 1 if the result keeps
/// them.
pub(super) fn reduced(call: &OpCall<'_>, dims: &Dims, axis: Option<&[i64]>, keepdims: bool) -> Result<Dims, Error> {
    let Some(axis) = axis else {
        return Ok(match dims.rank() {
            _ if !keepdims => Dims::Known(Vec::new()),
            Some(rank) => Dims::Known(vec![dim(1); rank]),
            None => Dims::Unknown,
        });
    };
    let Some(rank) = dims.rank() else { return Ok(Dims::Unknown) };
    let removed = axes(call, "axis", axis, rank)?;
    let Dims::Known(dims) = dims else {
        return Ok(Dims::Rank(if keepdims { rank } else { rank - removed.len() }));
    };
    let mut is_removed = vec![false; rank];
    removed.iter().for_each(|&position| is_removed[position] = true);
    let kept = dims.iter().zip(is_removed).filter_map(|(extent, is_removed)| match is_removed {
        false => Some(extent.clone()),
        true => keepdims.then(|| dim(1)),
    });
    Ok(Dims::Known(kept.collect()))
}
