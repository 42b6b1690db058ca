//! Operators that search: positions of extremes, intervals, choices, distinct elements.

use std::cmp::Ordering;

use ndarray::{ArrayD, Axis, Dimension as _};
use object_core::prelude::*;
use object_ir::attrs::{ArgmaxArgminAttrs, BucketizeAttrs};

use super::arrays::{array, broadcast, broadcast_dims, mapped, reduce, reshaped};
use super::evaluation::Evaluation;
use super::sorting::{float_order, sorted_positions};
use crate::value::{Numbers, shaped};

/// The position of the first element that no other one exceeds, in the order of `exceeds`.
fn position<T: Copy>(row: &[T], exceeds: impl Fn(T, T) -> bool) -> i128 {
    let best = (0..row.len()).reduce(|best, next| if exceeds(row[next], row[best]) { next } else { best });
    best.unwrap_or_default() as i128
}

fn extreme(
    call: &Evaluation<'_>,
    of_float: fn(f64, f64) -> bool,
    of_int: fn(i128, i128) -> bool,
) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<ArgmaxArgminAttrs>()?);
    let axes = match attrs.axis {
        Some(axis) => vec![call.axis(axis, x.rank())?],
        None => (0..x.rank()).collect(),
    };
    let positions = match x.numbers(call.meter())? {
        Numbers::Float(numbers) => reduce(call, &numbers, &axes, attrs.keepdims, |row| position(row, of_float))?,
        Numbers::Int(numbers) => reduce(call, &numbers, &axes, attrs.keepdims, |row| position(row, of_int))?,
    };
    call.integers(DataType::int(64), &positions)
}

pub(crate) fn argmax(call: &Evaluation<'_>) -> Result<Any, Error> {
    extreme(call, |a, b| a > b, |a, b| a > b)
}

pub(crate) fn argmin(call: &Evaluation<'_>) -> Result<Any, Error> {
    extreme(call, |a, b| a < b, |a, b| a < b)
}

pub(crate) fn bucketize(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, boundaries, attrs) = (call.tensor(0)?, call.tensor(1)?, call.attrs::<BucketizeAttrs>()?);
    let boundaries = boundaries.floats(call.meter())?;
    let boundaries: Vec<f64> = boundaries.iter().copied().collect();
    let interval = |x: f64| boundaries.partition_point(|bound| if attrs.right { *bound <= x } else { *bound < x });
    let dtype = DataType::int(if attrs.out_int32 { 32 } else { 64 });
    call.integers(dtype, &mapped(call, &x.floats(call.meter())?, |x| interval(*x) as i128)?)
}

pub(crate) fn where_(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (condition, a, b) = (call.tensor(0)?, call.tensor(1)?, call.tensor(2)?);
    let dims = broadcast_dims(call, &a.dims(), &b.dims())?;
    let dims = broadcast_dims(call, &condition.dims(), &dims)?;
    let (of_a, of_b) = (a.places(0, call.meter())?, b.places(a.len(), call.meter())?);
    let condition = condition.floats(call.meter())?;
    let choices = broadcast(call, &condition, &dims)?;
    let (of_a, of_b) = (broadcast(call, &of_a, &dims)?, broadcast(call, &of_b, &dims)?);
    let places = choices.iter().zip(of_a.iter().zip(of_b.iter()));
    let places = places.map(|(choice, (a, b))| if *choice != 0.0 { *a } else { *b });
    call.moved(&[a.clone(), b.clone()], &array(call, &dims, places)?)
}

pub(crate) fn nonzero(call: &Evaluation<'_>) -> Result<Any, Error> {
    let x = call.tensor(0)?.floats(call.meter())?;
    call.room_for::<usize>(&[x.iter().filter(|x| **x != 0.0).count(), x.ndim() + 3])?;
    let found: Vec<Vec<usize>> = x.indexed_iter().filter(|(_, x)| **x != 0.0).map(|(at, _)| index_of(&at)).collect();
    // A tensor of rank 0 counts as one of rank 1.
    let rank = x.ndim().max(1);
    call.room_for::<i128>(&[rank, found.len()])?;
    let positions = (0..rank).flat_map(|axis| found.iter().map(move |at| at.get(axis).copied().unwrap_or(0) as i128));
    call.integers(DataType::int(64), &shaped(&[rank, found.len()], positions.collect())?)
}

fn index_of(dims: &ndarray::IxDyn) -> Vec<usize> {
    (0..dims.ndim()).map(|axis| dims[axis]).collect()
}

/// The distinct slices along an axis, in increasing order or in the order of their first occurrence.
pub(crate) fn unique(call: &Evaluation<'_>) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    let axis = match call.value(5) {
        Any::None => None,
        _ => Some(call.axis(call.scalar(5)?.int(), x.rank())?),
    };
    // Integers of 64 bits are not exact as floating-point numbers.
    let keys: ArrayD<Key> = match x.numbers(call.meter())? {
        Numbers::Float(numbers) => mapped(call, &numbers, |it| Key::Float(*it))?,
        Numbers::Int(numbers) => mapped(call, &numbers, |it| Key::Int(*it))?,
    };
    let places = x.places(0, call.meter())?;
    // As in numpy, NaN equals NaN among elements, but not in slices.
    let is_equal: fn(&[Key], &[Key]) -> bool = match axis {
        None => |a, b| Key::order(a, b).is_eq(),
        Some(_) => |a, b| a == b,
    };
    let (keys, places, axis) = match axis {
        Some(axis) => (keys, places, axis),
        None => (reshaped(call, &keys, &[keys.len()])?, reshaped(call, &places, &[places.len()])?, 0),
    };
    call.room_for::<Key>(keys.shape())?;
    // The numbers of each slice: its memory, its place in the orders, and what the results say about it.
    call.room_for::<[usize; 16]>(&[keys.shape()[axis]])?;
    let slices: Vec<Vec<Key>> = keys.axis_iter(Axis(axis)).map(|slice| slice.iter().copied().collect()).collect();
    let order = sorted_positions(&slices, false, |a, b| Key::order(a, b));
    let mut firsts: Vec<usize> = Vec::new();
    let mut counts: Vec<i128> = Vec::new();
    let mut inverse = vec![0_i128; slices.len()];
    for position in order {
        let is_new = firsts.last().is_none_or(|first| !is_equal(&slices[*first], &slices[position]));
        if is_new {
            firsts.push(position);
            counts.push(0);
        }
        if let Some(count) = counts.last_mut() {
            *count += 1;
        }
        inverse[position] = counts.len() as i128 - 1;
    }
    if call.scalar(1)?.int() == 0 {
        let order = sorted_positions(&firsts, false, usize::cmp);
        let mut new = vec![0_i128; order.len()];
        order.iter().enumerate().for_each(|(position, old)| new[*old] = position as i128);
        inverse.iter_mut().for_each(|old| *old = new[usize::try_from(*old).unwrap_or_default()]);
        (firsts, counts) = order.iter().map(|old| (firsts[*old], counts[*old])).unzip();
    }
    call.room_for::<usize>(places.shape())?;
    let places = places.select(Axis(axis), &firsts);
    let mut results = vec![call.moved(std::slice::from_ref(x), &places)?];
    let vector = |numbers: Vec<i128>| call.integers(DataType::int(64), &shaped(&[numbers.len()], numbers)?);
    if call.scalar(2)?.int() != 0 {
        results.push(vector(firsts.iter().map(|first| *first as i128).collect())?);
    }
    if call.scalar(3)?.int() != 0 {
        results.push(vector(inverse)?);
    }
    if call.scalar(4)?.int() != 0 {
        results.push(vector(counts)?);
    }
    Ok(if results.len() == 1 { results.remove(0) } else { call.pack(results) })
}

/// An element as a key of a sort.
#[derive(Clone, Copy, PartialEq)]
enum Key {
    Float(f64),
    Int(i128),
}

impl Key {
    /// The order of two slices of one length: by the first elements that differ.
    fn order(a: &[Key], b: &[Key]) -> Ordering {
        let of_elements = a.iter().zip(b).map(|pair| match pair {
            (Key::Float(a), Key::Float(b)) => float_order(a, b),
            (Key::Int(a), Key::Int(b)) => a.cmp(b),
            (Key::Float(_), Key::Int(_)) => Ordering::Less,
            (Key::Int(_), Key::Float(_)) => Ordering::Greater,
        });
        of_elements.fold(Ordering::Equal, Ordering::then)
    }
}

pub(crate) fn multinomial_from_uniform(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (prob, sample, rows) = (
        call.tensor(0)?.floats(call.meter())?,
        call.tensor(1)?.floats(call.meter())?,
        call.tensor(2)?.indices(call.meter())?,
    );
    let dtype = call.attrs::<object_ir::attrs::MultinomialFromUniformAttrs>()?.dtype;
    let (batch, classes) = match prob.shape() {
        [batch, classes] => (*batch, *classes),
        other => return Err(call.invalid(format!("expected probabilities of rank 2, got {other:?}"))),
    };
    call.room_for::<i128>(sample.shape())?;
    let mut drawn = Vec::new();
    for (uniform, row) in sample.iter().zip(rows.iter()) {
        let row = usize::try_from(*row).ok().filter(|row| *row < batch);
        let row = row.ok_or_else(|| call.invalid(format!("expected the number of one of {batch} rows")))?;
        let mut total = 0.0;
        // The first class whose cumulative probability exceeds the sample.
        let class = (0..classes).find(|class| {
            total += prob[[row, *class]];
            total > *uniform
        });
        drawn.push(class.unwrap_or(classes.saturating_sub(1)) as i128);
    }
    call.integers(dtype, &shaped(&[drawn.len(), 1], drawn)?)
}
