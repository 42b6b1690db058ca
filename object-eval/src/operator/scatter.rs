//! Operators that replace elements at indices.

use ndarray::{ArrayD, IxDyn};
use object_core::prelude::*;
use object_ir::attrs::{IndexPutAttrs, ScatterElementsAttrs, ScatterNDAttrs, SliceScatterAttrs, TakeAttrs};

use super::arrays::{broadcast, filled, from_index, mapped, reshaped, unravel};
use super::evaluation::Evaluation;
use super::gather::{broadcast_indices, listed};
use crate::value::{Numbers, Tensor};

/// Changes elements of the data: `writes` are pairs of a position in the data and a position in the updates, both in C
/// order. `reduction` says how an update combines with the old element.
fn updated(
    call: &Evaluation<'_>,
    updates: &Tensor,
    reduction: &str,
    writes: impl IntoIterator<Item = (usize, usize)>,
) -> Result<Any, Error> {
    fn write<T: Copy>(
        data: &mut ArrayD<T>,
        updates: &ArrayD<T>,
        writes: impl IntoIterator<Item = (usize, usize)>,
        f: impl Fn(T, T) -> T,
    ) {
        let updates = updates.as_slice().unwrap_or_default();
        let data = data.as_slice_mut().unwrap_or_default();
        for (place, update) in writes {
            data[place] = f(data[place], updates[update]);
        }
    }
    let data = call.tensor(0)?;
    let of_float: fn(f64, f64) -> f64 = match reduction {
        "update" => |_, new| new,
        "add" => |old, new| old + new,
        "mul" => |old, new| old * new,
        "mean" => |old, new| (old + new) / 2.0,
        "max" => f64::max,
        "min" => f64::min,
        other => return Err(call.invalid(format!("expected update, add, mul, mean, max or min, got `{other}`"))),
    };
    let of_int: fn(i128, i128) -> i128 = match reduction {
        "update" => |_, new| new,
        "add" => |old, new| old.wrapping_add(new),
        "mul" => |old, new| old.wrapping_mul(new),
        "mean" => |old, new| (old + new) / 2,
        "max" => i128::max,
        _ => i128::min,
    };
    match (data.numbers(call.meter())?, updates.numbers(call.meter())?) {
        (Numbers::Float(mut numbers), Numbers::Float(updates)) => {
            write(&mut numbers, &updates, writes, of_float);
            call.floats(data.dtype(), &numbers)
        }
        (Numbers::Int(mut numbers), Numbers::Int(updates)) => {
            write(&mut numbers, &updates, writes, of_int);
            call.integers(data.dtype(), &numbers)
        }
        _ => Err(call.error(ErrorKind::TypeMismatch, "expected updates of the element type of the data")),
    }
}

pub(crate) fn scatter_elements(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (data, indices, updates) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
    let attrs = call.attrs::<ScatterElementsAttrs>()?;
    let axis = call.axis(attrs.axis, data.rank())?;
    if indices.shape() != updates.shape() || indices.rank() != data.rank() {
        return Err(call.invalid("expected indices and updates of one shape, with the rank of the data"));
    }
    let (sizes, places) = (data.dims(), data.places(0, call.meter())?);
    call.room_for::<(usize, usize)>(&indices.dims())?;
    let mut writes = Vec::with_capacity(indices.len());
    for (update, index) in indices.indices(call.meter())?.iter().enumerate() {
        let mut at = unravel(update, &indices.dims());
        let from_start = if *index < 0 { index + sizes[axis] as i64 } else { *index };
        at[axis] = usize::try_from(from_start).unwrap_or(usize::MAX);
        let place = places
            .get(IxDyn(&at))
            .ok_or_else(|| call.invalid(format!("the index {index} is outside of the data, of shape {sizes:?}")))?;
        writes.push((*place, update));
    }
    updated(call, updates, &attrs.reduction, writes)
}

pub(crate) fn scatter_nd(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (data, indices, updates) = (call.tensor(0)?, call.tensor(1)?.indices(call.meter())?, call.tensor(2)?);
    let sizes = data.dims();
    let Some((count, outer)) = indices.shape().split_last() else {
        return Err(call.invalid("expected indices of at least 1 dimension"));
    };
    let slice: usize = sizes.get(*count..).unwrap_or_default().iter().product();
    let total: usize = outer.iter().product();
    let expected = call.room_for::<(usize, usize)>(&[total, slice])?;
    if expected != updates.len() {
        return Err(call.invalid(format!("expected {expected} updates, got {}", updates.len())));
    }
    let places = data.places(0, call.meter())?;
    let mut writes = Vec::new();
    for position in (0..total).filter(|_| slice > 0) {
        let mut at = listed(call, &indices, &unravel(position, outer), &sizes)?;
        at.resize(sizes.len(), 0);
        let first = places[IxDyn(&at)];
        writes.extend((0..slice).map(|offset| (first + offset, position * slice + offset)));
    }
    updated(call, updates, &call.attrs::<ScatterNDAttrs>()?.reduction, writes)
}

pub(crate) fn index_put(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (data, values) = (call.tensor(0)?, call.tensor(2)?);
    let tensors = match call.tensor(1) {
        Ok(single) => vec![single.clone()],
        Err(_) => call.tensors(1)?,
    };
    if tensors.len() > data.rank() {
        return Err(call.invalid(format!(
            "expected at most {} tensors of indices, got {}",
            data.rank(),
            tensors.len()
        )));
    }
    let (outer, indices) = broadcast_indices(call, &tensors)?;
    let sizes = data.dims();
    let dims: Vec<usize> = outer.iter().chain(&sizes[tensors.len()..]).copied().collect();
    let slice: usize = sizes[tensors.len()..].iter().product();
    let of_values = values.places(0, call.meter())?;
    let of_values = broadcast(call, &of_values, &dims)?;
    let mut of_values = of_values.iter().copied();
    let mut writes = Vec::with_capacity(call.room_for::<(usize, usize)>(&dims)?);
    for element in 0..outer.iter().product() {
        let mut place = 0;
        for (index, size) in indices.iter().zip(&sizes) {
            let index = index[element];
            let from_start = if index < 0 { index + *size as i64 } else { index };
            let position = usize::try_from(from_start).ok().filter(|position| position < size);
            place = place * size
                + position
                    .ok_or_else(|| call.invalid(format!("expected an index of one of {size} elements, got {index}")))?;
        }
        writes.extend((place * slice..(place + 1) * slice).zip(of_values.by_ref().take(slice)));
    }
    let reduction = if call.attrs::<IndexPutAttrs>()?.accumulate { "add" } else { "update" };
    updated(call, values, reduction, writes)
}

pub(crate) fn slice_scatter(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (input, source) = (call.tensor(0)?, call.tensor(1)?);
    let axis = call.axis(call.attrs::<SliceScatterAttrs>()?.axis, input.rank())?;
    let size = input.shape()[axis];
    let in_range = |index: i64| (if index < 0 { index + size } else { index }).clamp(0, size);
    let (start, end, step) = (in_range(call.scalar(2)?.int()), in_range(call.scalar(3)?.int()), call.scalar(4)?.int());
    if step < 1 {
        return Err(call.invalid(format!("expected a step of at least 1, got {step}")));
    }
    let of_source = source.places(input.len(), call.meter())?;
    let of_input = input.places(0, call.meter())?;
    let place = |at: &[usize]| {
        let distance = at[axis] as i64 - start;
        if distance < 0 || at[axis] as i64 >= end || distance % step != 0 {
            return Some(of_input[IxDyn(at)]);
        }
        let mut from = at.to_vec();
        from[axis] = usize::try_from(distance / step).unwrap_or_default();
        of_source.get(IxDyn(&from)).copied()
    };
    let places = from_index(call, &input.dims(), place)?;
    if places.iter().any(Option::is_none) || source.dtype() != input.dtype() {
        return Err(call.invalid("expected a source with the shape of the slice and the element type of the input"));
    }
    call.moved(&[input.clone(), source.clone()], &mapped(call, &places, |it| it.unwrap_or_default())?)
}

/// The gradient of `take`: each slice of the first argument is added to the slices of zeros that an index names.
pub(crate) fn take_backward(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (grad, x, indices) =
        (call.tensor(0)?.floats(call.meter())?, call.tensor(1)?, call.tensor(2)?.indices(call.meter())?);
    let axis = call.attrs::<TakeAttrs>()?.axis.map(|axis| call.axis(axis, x.rank())).transpose()?;
    let mut dims = if axis.is_some() { x.dims() } else { vec![x.len()] };
    let axis = axis.unwrap_or(0);
    let mut result: ArrayD<f64> = filled(call, &dims, 0.0)?;
    dims.splice(axis..=axis, indices.shape().iter().copied());
    if grad.shape() != dims {
        return Err(call.invalid(format!("expected a gradient of the shape {dims:?}, got {:?}", grad.shape())));
    }
    for (position, number) in grad.iter().enumerate() {
        let at = unravel(position, &dims);
        let index = indices[IxDyn(&at[axis..axis + indices.ndim()])];
        let size = result.shape()[axis] as i64;
        let target = usize::try_from(if index < 0 { index + size } else { index }).unwrap_or(usize::MAX);
        let place: Vec<usize> =
            at[..axis].iter().chain([&target]).chain(&at[axis + indices.ndim()..]).copied().collect();
        match result.get_mut(IxDyn(&place)) {
            Some(sum) => *sum += number,
            None => return Err(call.invalid(format!("expected an index of one of {size} elements, got {index}"))),
        }
    }
    call.floats(x.dtype(), &reshaped(call, &result, &x.dims())?)
}
