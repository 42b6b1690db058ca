//! Normalizations.

use ndarray::ArrayD;
use object_core::prelude::*;
use object_ir::attrs::{BatchNormAttrs, GroupNormAttrs, InstanceNormAttrs, LayerNormAttrs, RMSNormAttrs};

use super::arrays::{mapped, reshaped, zip};
use super::evaluation::Evaluation;
use super::nn::mean_over;
use super::vectors::{is_float32, map_rows, row_length, sum};
use crate::value::Tensor;

/// The elements minus their mean, divided by the root of their variance plus `epsilon`, over the dimensions `axes`.
fn standardized(call: &Evaluation<'_>, x: &ArrayD<f64>, axes: &[usize], epsilon: f64) -> Result<ArrayD<f64>, Error> {
    let centred = zip(call, x, &mean_over(call, x, axes)?, |x, mean| x - mean)?;
    let variance = mean_over(call, &mapped(call, &centred, |x| x * x)?, axes)?;
    zip(call, &centred, &variance, |x, variance| x / (variance + epsilon).sqrt())
}

/// A parameter, whose dimensions are the dimensions `axes` of a tensor of the shape `dims` in this order, in a shape that
/// broadcasts to it.
fn along(call: &Evaluation<'_>, parameter: &Tensor, dims: &[usize], axes: &[usize]) -> Result<ArrayD<f64>, Error> {
    let expected: Vec<usize> = axes.iter().map(|axis| dims[*axis]).collect();
    if parameter.dims() != expected {
        return Err(call.invalid(format!("expected a parameter of the shape {expected:?}, got {:?}", parameter.dims())));
    }
    let mut order: Vec<usize> = (0..axes.len()).collect();
    order.sort_by_key(|place| axes[*place]);
    let wide: Vec<usize> = (0..dims.len()).map(|axis| if axes.contains(&axis) { dims[axis] } else { 1 }).collect();
    reshaped(call, &parameter.floats(call.meter())?.permuted_axes(order), &wide)
}

/// The elements of a parameter of `length` elements.
fn row_of(call: &Evaluation<'_>, parameter: &Tensor, length: usize) -> Result<Vec<f64>, Error> {
    if parameter.len() != length {
        return Err(call.invalid(format!("expected a parameter of {length} elements, got {:?}", parameter.dims())));
    }
    if is_float32(parameter) {
        return Ok(parameter.read::<f32>()?.iter().map(|number| f64::from(*number)).collect());
    }
    Ok(parameter.floats(call.meter())?.into_raw_vec_and_offset().0)
}

/// The elements times `gamma`, the second argument, plus `beta`, the third.
fn scaled(call: &Evaluation<'_>, x: &ArrayD<f64>, axes: &[usize]) -> Result<ArrayD<f64>, Error> {
    let (gamma, beta) =
        (along(call, call.tensor(1)?, x.shape(), axes)?, along(call, call.tensor(2)?, x.shape(), axes)?);
    zip(call, &zip(call, x, &gamma, |x, gamma| x * gamma)?, &beta, |x, beta| x + beta)
}

pub(crate) fn layer_norm(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<LayerNormAttrs>()?);
    let axes = call.axes(Some(&attrs.axes), x.rank())?;
    if let Some(length) = row_length(x, &axes) {
        let (gamma, beta) = (row_of(call, call.tensor(1)?, length)?, row_of(call, call.tensor(2)?, length)?);
        return map_rows(call, x, length, |row: &mut [f64]| {
            let mean = sum(row, |x| x) / length as f64;
            let root = (sum(row, |x| (x - mean) * (x - mean)) / length as f64 + attrs.epsilon).sqrt();
            row.iter_mut().zip(&gamma).zip(&beta).for_each(|((x, gamma), beta)| *x = (*x - mean) / root * gamma + beta);
        });
    }
    let normalized = standardized(call, &x.floats(call.meter())?, &axes, attrs.epsilon)?;
    call.floats(x.dtype(), &scaled(call, &normalized, &axes)?)
}

pub(crate) fn instance_norm(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<InstanceNormAttrs>()?);
    let axes = call.axes(Some(&attrs.axes), x.rank())?;
    let channel = call.axis(attrs.channel_axis, x.rank())?;
    let normalized = standardized(call, &x.floats(call.meter())?, &axes, attrs.epsilon)?;
    call.floats(x.dtype(), &scaled(call, &normalized, &[channel])?)
}

pub(crate) fn group_norm(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<GroupNormAttrs>()?);
    let axes = call.axes(Some(&attrs.axes), x.rank())?;
    let channel = call.axis(attrs.channel_axis, x.rank())?;
    let dims = x.dims();
    let groups = usize::try_from(attrs.num_groups).ok().filter(|groups| *groups > 0 && dims[channel] % groups == 0);
    let groups = groups.ok_or_else(|| {
        call.invalid(format!("expected a number of groups that divides {}, got {}", dims[channel], attrs.num_groups))
    })?;
    // The channels become groups and the channels of a group, which count in the statistics.
    let mut grouped = dims.clone();
    grouped.splice(channel..=channel, [groups, dims[channel] / groups]);
    let shifted = axes.iter().map(|axis| if *axis > channel { axis + 1 } else { *axis });
    let axes: Vec<usize> = shifted.filter(|axis| *axis != channel).chain([channel + 1]).collect();
    let normalized = standardized(call, &reshaped(call, &x.floats(call.meter())?, &grouped)?, &axes, attrs.epsilon)?;
    call.floats(x.dtype(), &scaled(call, &reshaped(call, &normalized, &dims)?, &[channel])?)
}

pub(crate) fn rms_norm(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<RMSNormAttrs>()?);
    let axes = call.axes(Some(&attrs.axes), x.rank())?;
    if let Some(length) = row_length(x, &axes) {
        let weight = row_of(call, call.tensor(1)?, length)?;
        return map_rows(call, x, length, |row: &mut [f64]| {
            let root = (sum(row, |x| x * x) / length as f64 + attrs.epsilon).sqrt();
            row.iter_mut().zip(&weight).for_each(|(x, weight)| *x = *x / root * weight);
        });
    }
    let numbers = x.floats(call.meter())?;
    let squares = mean_over(call, &mapped(call, &numbers, |x| x * x)?, &axes)?;
    let normalized = zip(call, &numbers, &squares, |x, square| x / (square + attrs.epsilon).sqrt())?;
    let weight = along(call, call.tensor(1)?, &x.dims(), &axes)?;
    call.floats(x.dtype(), &zip(call, &normalized, &weight, |x, weight| x * weight)?)
}

pub(crate) fn batch_norm(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<BatchNormAttrs>()?);
    let axis = call.axis(attrs.axis, x.rank())?;
    let (dims, numbers) = (x.dims(), x.floats(call.meter())?);
    let of = |index: usize| along(call, call.tensor(index)?, &dims, &[axis]);
    let (moving_mean, moving_variance) = (of(3)?, of(4)?);
    let others: Vec<usize> = (0..x.rank()).filter(|other| *other != axis).collect();
    let (mean, variance) = if attrs.training {
        let mean = mean_over(call, &numbers, &others)?;
        let squares = zip(call, &numbers, &mean, |x, mean| (x - mean).powi(2))?;
        let variance = mean_over(call, &squares, &others)?;
        (mean, variance)
    } else {
        (moving_mean.clone(), moving_variance.clone())
    };
    let centred = zip(call, &numbers, &mean, |x, mean| x - mean)?;
    let mut result = zip(call, &centred, &variance, |x, variance| x / (variance + attrs.epsilon).sqrt())?;
    if attrs.scale {
        result = zip(call, &result, &of(1)?, |x, gamma| x * gamma)?;
    }
    if attrs.center {
        result = zip(call, &result, &of(2)?, |x, beta| x + beta)?;
    }
    let moved = |moving: &ArrayD<f64>, batch: &ArrayD<f64>, index: usize| {
        let momentum = if attrs.training { attrs.momentum } else { 0.0 };
        let numbers = zip(call, moving, batch, |old, new| old * (1.0 - momentum) + new * momentum)?;
        call.floats(call.tensor(index)?.dtype(), &reshaped(call, &numbers, &[dims[axis]])?)
    };
    let (mean, variance) = (moved(&moving_mean, &mean, 3)?, moved(&moving_variance, &variance, 4)?);
    Ok(call.pack(vec![call.floats(x.dtype(), &result)?, mean, variance]))
}
