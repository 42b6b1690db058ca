//! Normalization layers (TVM 0.25 `src/relax/op/nn/nn.cc`).

use object_core::prelude::*;
use object_ir::attrs::{BatchNormAttrs, GroupNormAttrs, InstanceNormAttrs, LayerNormAttrs, RMSNormAttrs};
use object_ir::ir::{PrimExpr, StructInfo};

use crate::arith::Proof;
use crate::op::axes::{axes, axis};
use crate::op::checks::{check_multiple, check_size, require_rank, require_same_elements, written_dims};
use crate::op::dims::{DimRefs, Dims, dim, tensor, tuple, written_rank, written_values};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Attributes, Defaults, Tensor};
use crate::op::unary::require_float;
use crate::struct_info::written::is_same_dim;

operators! {
    /// Normalizes each channel over the batch. The result is a tuple: the normalized data, and the new running mean and
    /// variance.
    fn batch_norm = "relax.nn.batch_norm"(
        data: Tensor, gamma: Tensor, beta: Tensor, moving_mean: Tensor, moving_var: Tensor,
        attrs: Attributes<BatchNormAttrs>
    ), Pure, infer_batch_norm;
    /// Normalizes over some axes.
    fn layer_norm = "relax.nn.layer_norm"(data: Tensor, gamma: Tensor, beta: Tensor, attrs: Attributes<LayerNormAttrs>),
        Pure, infer_layer_norm;
    /// Normalizes each group of channels over some axes.
    fn group_norm = "relax.nn.group_norm"(data: Tensor, gamma: Tensor, beta: Tensor, attrs: Attributes<GroupNormAttrs>),
        Pure, infer_group_norm;
    /// Normalizes each channel over some axes.
    fn instance_norm = "relax.nn.instance_norm"(
        data: Tensor, gamma: Tensor, beta: Tensor, attrs: Attributes<InstanceNormAttrs>
    ), Pure, infer_instance_norm;
    /// Divides by the root of the mean of the squares over some axes, and multiplies by `weight`.
    fn rms_norm = "relax.nn.rms_norm"(data: Tensor, weight: Tensor, attrs: Defaults<RMSNormAttrs>), Pure, infer_rms_norm;
}

fn infer_batch_norm(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let data = call.tensor(0)?;
    if agrees_on(call, "axis", &[call.attrs::<BatchNormAttrs>()?.axis])? {
        return Ok(tuple([0, 3, 4].map(|index| call.info(index).clone())));
    }
    let of = |dims| tensor(dims, data.dtype, data.vdevice.clone());
    Ok(tuple([of(Dims::of_rank(data.ndim)), of(Dims::Rank(1)), of(Dims::Rank(1))]))
}

fn infer_layer_norm(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    normalized(call, &call.attrs::<LayerNormAttrs>()?.axes.iter().collect::<Vec<_>>())
}

fn infer_rms_norm(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    normalized(call, &call.attrs::<RMSNormAttrs>()?.axes.iter().collect::<Vec<_>>())
}

/// The structural information of the data, without a shape if the analyzer cannot prove that the sizes agree.
fn normalized(call: &OpCall<'_>, given: &[i64]) -> Result<StructInfo, Error> {
    let data = call.tensor(0)?;
    if agrees_on(call, "axes", given)? {
        return Ok(call.info(0).clone());
    }
    Ok(tensor(Dims::of_rank(data.ndim), data.dtype, data.vdevice.clone()))
}

/// Checks all arguments, and whether the analyzer proves that the parameters have the sizes of the data on the axes
/// `given`.
fn agrees_on(call: &OpCall<'_>, attribute: &'static str, given: &[i64]) -> Result<bool, Error> {
    require_float(call, 0)?;
    let data = call.tensor(0)?;
    let places = written_rank(data).map(|rank| axes(call, attribute, given, rank)).transpose()?;
    // The sizes that are known first; others are compared with them.
    let mut expected: Option<DimRefs<'_>> = match (written_values(data), places) {
        (Some(dims), Some(places)) => Some(places.iter().map(|place| &dims[*place]).collect()),
        _ => None,
    };
    for index in 1..call.len() {
        require_same_elements(call, 0, index)?;
        require_rank(call, index, given.len())?;
    }
    let mut is_proved = true;
    for index in 1..call.len() {
        let Some(sizes) = written_values(call.tensor(index)?) else { continue };
        let Some(expected) = &expected else {
            expected = Some(sizes.iter().collect());
            continue;
        };
        for (place, (size, expected)) in sizes.iter().zip(expected.iter().copied()).enumerate() {
            if is_same_dim(size, expected) {
                continue;
            }
            check_size(call, index, place, [size, expected], "the size of the data on the axis")?;
            is_proved &= call.analyzer().prove_equal(size, expected) == Proof::True;
        }
    }
    Ok(is_proved)
}

fn infer_group_norm(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let attrs = call.attrs::<GroupNormAttrs>()?;
    if attrs.num_groups < 1 {
        let message = format!("expected at least 1, got {}", attrs.num_groups);
        return Err(call.attribute_error("num_groups", message));
    }
    require_float(call, 0)?;
    let channels = channels(call, attrs.channel_axis, &attrs.axes.iter().collect::<Vec<_>>())?;
    if let Some((place, channels)) = &channels {
        check_multiple(call, 0, *place, [channels, &dim(attrs.num_groups)], "`num_groups`")?;
    }
    with_channels(call, channels.as_ref().map(|(_, channels)| channels))
}

fn infer_instance_norm(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let attrs = call.attrs::<InstanceNormAttrs>()?;
    let channels = channels(call, attrs.channel_axis, &attrs.axes.iter().collect::<Vec<_>>())?;
    with_channels(call, channels.as_ref().map(|(_, channels)| channels))
}

/// The place and the size of the dimension of channels, if the size is known. Normalization runs over other dimensions.
fn channels(call: &OpCall<'_>, channel_axis: i64, given: &[i64]) -> Result<Option<(usize, PrimExpr)>, Error> {
    let dims = written_dims(call.tensor(0)?);
    let Some(rank) = dims.rank() else { return Ok(None) };
    let place = axis(call, "channel_axis", channel_axis, rank)?;
    if axes(call, "axes", given, rank)?.contains(&place) {
        let message = format!("expected axes without the axis of channels, {place}, got {given:?}");
        return Err(call.attribute_error("axes", message));
    }
    Ok(dims.known().map(|dims| (place, dims[place].clone())))
}

/// The structural information of the data, after a check of the parameters, which have one element per channel.
fn with_channels(call: &OpCall<'_>, channels: Option<&PrimExpr>) -> Result<StructInfo, Error> {
    for index in 1..call.len() {
        require_same_elements(call, 0, index)?;
        require_rank(call, index, 1)?;
        if let (Some(channels), Dims::Known(sizes)) = (channels, written_dims(call.tensor(index)?)) {
            check_size(call, index, 0, [&sizes[0], channels], "the channels of the data")?;
        }
    }
    Ok(call.info(0).clone())
}
