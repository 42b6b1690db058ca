//! Reductions and scans (TVM 0.25 `src/relax/op/tensor/statistical.cc`).

use object_core::prelude::*;
use object_ir::attrs::{ScanopAttrs, StatisticalAttrs};
use object_ir::ir::StructInfo;

use super::axes::axes;
use super::dims::{Dims, dim, product, tensor, tuple, with_dtype};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Defaults, Tensor};

operators! {
    /// The greatest element over some dimensions.
    fn max = "relax.max"(x: Tensor, attrs: Defaults<StatisticalAttrs>), Pure, reduction, sharding reduced_parts;
    /// The mean of the elements over some dimensions.
    fn mean = "relax.mean"(x: Tensor, attrs: Defaults<StatisticalAttrs>), Pure, reduction, sharding reduced_parts;
    /// The least element over some dimensions.
    fn min = "relax.min"(x: Tensor, attrs: Defaults<StatisticalAttrs>), Pure, reduction, sharding reduced_parts;
    /// The product of the elements over some dimensions.
    fn prod = "relax.prod"(x: Tensor, attrs: Defaults<StatisticalAttrs>), Pure, reduction, sharding reduced_parts;
    /// The standard deviation of the elements over some dimensions.
    fn std = "relax.std"(x: Tensor, attrs: Defaults<StatisticalAttrs>), Pure, reduction, sharding reduced_parts;
    /// The sum of the elements over some dimensions.
    fn sum = "relax.sum"(x: Tensor, attrs: Defaults<StatisticalAttrs>), Pure, reduction, sharding reduced_parts;
    /// The variance of the elements over some dimensions.
    fn variance = "relax.variance"(x: Tensor, attrs: Defaults<StatisticalAttrs>), Pure, reduction, sharding reduced_parts;
    /// The median of the elements over some dimensions, and its position if there is one dimension.
    fn median = "relax.median"(data: Tensor, attrs: Defaults<StatisticalAttrs>), Pure, median_and_position;

    /// The products of the elements up to each one.
    fn cumprod = "relax.cumprod"(data: Tensor, attrs: Defaults<ScanopAttrs>), Pure, scan;
    /// The sums of the elements up to each one.
    fn cumsum = "relax.cumsum"(data: Tensor, attrs: Defaults<ScanopAttrs>), Pure, scan;
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
        let kept = if keepdims { rank } else { rank - removed.len() };
        return Ok(if kept == 0 { Dims::Known(Vec::new()) } else { Dims::Rank(kept) });
    };
    let mut is_removed = vec![false; rank];
    removed.iter().for_each(|&position| is_removed[position] = true);
    let kept = dims.iter().zip(is_removed).filter_map(|(extent, is_removed)| match is_removed {
        false => Some(extent.clone()),
        true => keepdims.then(|| dim(1)),
    });
    Ok(Dims::Known(kept.collect()))
}

/// The median over one dimension comes with its position.
fn median_and_position(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<StatisticalAttrs>()?);
    let axis = attrs.axis.as_ref().map(Array::to_vec);
    let dims = reduced(call, &Dims::of(x), axis.as_deref(), attrs.keepdims)?;
    let median = tensor(dims.clone(), x.dtype, x.vdevice.clone());
    if axis.is_none_or(|axis| axis.len() > 1) {
        return Ok(median);
    }
    Ok(tuple([median, tensor(dims, DataType::int(64), x.vdevice.clone())]))
}

/// A scan keeps the shape, or runs over the flattened tensor.
fn scan(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<ScanopAttrs>()?);
    let dtype = if attrs.dtype.is_void() { x.dtype } else { attrs.dtype };
    if attrs.axis.is_some() {
        return Ok(with_dtype(x, dtype));
    }
    let dims = match Dims::of(x) {
        Dims::Known(dims) => Dims::Known(vec![product(&dims)?]),
        _ => Dims::Rank(1),
    };
    Ok(tensor(dims, dtype, x.vdevice.clone()))
}
