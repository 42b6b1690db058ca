//! Sorting along a dimension. Equal elements keep their order.

use std::cmp::Ordering;

use ndarray::{ArrayD, Axis, Slice};
use object_core::prelude::*;
use object_ir::attrs::{ArgsortAttrs, SortAttrs, TopKAttrs};

use super::arrays::{lanes, mapped};
use super::evaluation::Evaluation;
use crate::value::{Numbers, Places, Tensor, counted};

/// The order of floating-point numbers with equal zeros, in which NaN is the greatest number.
pub(super) fn float_order(a: &f64, b: &f64) -> Ordering {
    a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// The positions of elements in increasing or decreasing order; `compare` is a total order.
pub(crate) fn sorted_positions<T>(row: &[T], descending: bool, compare: impl Fn(&T, &T) -> Ordering) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..row.len()).collect();
    positions.sort_by(|a, b| {
        let order = compare(&row[*a], &row[*b]);
        if descending { order.reverse() } else { order }
    });
    positions
}

/// The sorted positions in each lane along `axis`.
fn positions(call: &Evaluation<'_>, x: &Tensor, axis: usize, descending: bool) -> Result<ArrayD<usize>, Error> {
    match x.numbers(call.meter())? {
        Numbers::Float(numbers) => lanes(call, &numbers, axis, |lane| sorted_positions(lane, descending, float_order)),
        Numbers::Int(numbers) => lanes(call, &numbers, axis, |lane| sorted_positions(lane, descending, i128::cmp)),
    }
}

/// The places of the elements at `positions` along `axis`.
fn places_at(call: &Evaluation<'_>, x: &Tensor, axis: usize, positions: &ArrayD<usize>) -> Result<Places, Error> {
    let places = x.places(0, call.meter())?;
    let chosen = positions.indexed_iter().map(|(mut at, position)| {
        at[axis] = *position;
        places[&at]
    });
    counted(positions.shape(), chosen, call.meter())
}

pub(crate) fn sort(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<SortAttrs>()?);
    let axis = call.axis(attrs.axis, x.rank())?;
    let positions = positions(call, x, axis, attrs.descending)?;
    call.moved(std::slice::from_ref(x), &places_at(call, x, axis, &positions)?)
}

/// The type of positions: `int32` if the attributes leave it out.
fn position_type(dtype: DataType) -> DataType {
    if dtype.is_void() { DataType::int(32) } else { dtype }
}

pub(crate) fn argsort(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<ArgsortAttrs>()?);
    let axis = call.axis(attrs.axis, x.rank())?;
    let positions = positions(call, x, axis, attrs.descending)?;
    call.integers(position_type(attrs.dtype), &mapped(call, &positions, |it| *it as i128)?)
}

pub(crate) fn topk(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<TopKAttrs>()?);
    let axis = call.axis(attrs.axis, x.rank())?;
    let mut positions = positions(call, x, axis, attrs.largest)?;
    let size = positions.shape()[axis];
    if let Some(kept) = usize::try_from(attrs.k).ok().filter(|k| (1..size).contains(k)) {
        positions.slice_axis_inplace(Axis(axis), Slice::from(..kept));
    }
    let values = || call.moved(std::slice::from_ref(x), &places_at(call, x, axis, &positions)?);
    let indices = || call.integers(position_type(attrs.dtype), &mapped(call, &positions, |it| *it as i128)?);
    match &*attrs.ret_type {
        "values" => values(),
        "indices" => indices(),
        _ => Ok(call.pack(vec![values()?, indices()?])),
    }
}
