//! Reductions and scans.

use ndarray::ArrayD;
use object_core::prelude::*;
use object_ir::attrs::{ScanopAttrs, StatisticalAttrs};

use super::arrays::{lanes, mapped, reduce, reshaped};
use super::evaluation::Evaluation;
use super::sorting::{float_order, sorted_positions};
use crate::value::{ElementType, Numbers, Tensor};

/// Reduces the dimensions in the attributes.
fn reduction(
    call: &Evaluation<'_>,
    of_float: impl Fn(ElementType, &[f64]) -> f64,
    of_int: impl Fn(ElementType, &[i128]) -> i128,
) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<StatisticalAttrs>()?);
    let axes = call.axes(attrs.axis.as_ref(), x.rank())?;
    let element = x.element();
    match x.numbers(call.meter())? {
        Numbers::Float(numbers) => {
            call.floats(x.dtype(), &reduce(call, &numbers, &axes, attrs.keepdims, |row| of_float(element, row))?)
        }
        Numbers::Int(numbers) => {
            call.integers(x.dtype(), &reduce(call, &numbers, &axes, attrs.keepdims, |row| of_int(element, row))?)
        }
    }
}

fn mean_of(row: &[f64]) -> f64 {
    row.iter().sum::<f64>() / row.len() as f64
}

fn int_mean_of(row: &[i128]) -> i128 {
    row.iter().fold(0_i128, |sum, x| sum.wrapping_add(*x)).checked_div(row.len() as i128).unwrap_or_default()
}

fn variance_of(row: &[f64]) -> f64 {
    let mean = mean_of(row);
    row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / row.len() as f64
}

fn int_variance_of(row: &[i128]) -> i128 {
    let mean = int_mean_of(row);
    let squares: Vec<i128> = row.iter().map(|x| (x - mean).wrapping_mul(x - mean)).collect();
    int_mean_of(&squares)
}

pub(crate) fn sum(call: &Evaluation<'_>) -> Result<Any, Error> {
    reduction(call, |_, row| row.iter().fold(0.0, |sum, x| sum + x), |_, row| row.iter().sum())
}

pub(crate) fn prod(call: &Evaluation<'_>) -> Result<Any, Error> {
    // Elements and results count modulo the range of the type, so the product may wrap at each step.
    reduction(
        call,
        |_, row| row.iter().product(),
        |_, row| row.iter().fold(1, |product: i128, x| product.wrapping_mul(*x)),
    )
}

pub(crate) fn max(call: &Evaluation<'_>) -> Result<Any, Error> {
    let of_float = |element: ElementType, row: &[f64]| {
        row.iter().fold(element.float_range().0, |max, x| if max > *x { max } else { *x })
    };
    reduction(call, of_float, |element, row| row.iter().copied().fold(element.int_range().0, i128::max))
}

pub(crate) fn min(call: &Evaluation<'_>) -> Result<Any, Error> {
    let of_float = |element: ElementType, row: &[f64]| {
        row.iter().fold(element.float_range().1, |min, x| if min < *x { min } else { *x })
    };
    reduction(call, of_float, |element, row| row.iter().copied().fold(element.int_range().1, i128::min))
}

pub(crate) fn mean(call: &Evaluation<'_>) -> Result<Any, Error> {
    reduction(call, |_, row| mean_of(row), |_, row| int_mean_of(row))
}

pub(crate) fn variance(call: &Evaluation<'_>) -> Result<Any, Error> {
    reduction(call, |_, row| variance_of(row), |_, row| int_variance_of(row))
}

pub(crate) fn std(call: &Evaluation<'_>) -> Result<Any, Error> {
    reduction(call, |_, row| variance_of(row).sqrt(), |_, row| (int_variance_of(row) as f64).sqrt() as i128)
}

/// The median and its position: of an even number of elements, the lower one of the two in the middle.
pub(crate) fn median(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<StatisticalAttrs>()?);
    let axes = call.axes(attrs.axis.as_ref(), x.rank())?;
    let middle = |order: &[usize]| order.len().checked_sub(1).map(|last| order[last / 2]);
    let positions: ArrayD<Option<usize>> = match x.numbers(call.meter())? {
        Numbers::Float(numbers) => {
            reduce(call, &numbers, &axes, attrs.keepdims, |row| middle(&sorted_positions(row, false, float_order)))?
        }
        Numbers::Int(numbers) => {
            reduce(call, &numbers, &axes, attrs.keepdims, |row| middle(&sorted_positions(row, false, i128::cmp)))?
        }
    };
    if positions.iter().any(Option::is_none) {
        return Err(call.invalid("no median exists without elements"));
    }
    let positions = mapped(call, &positions, |it| it.unwrap_or_default())?;
    // The places of the elements of each slice, of which the position chooses one.
    let mut chosen = positions.iter();
    let places = reduce(call, &x.places(0, call.meter())?, &axes, attrs.keepdims, |row| {
        row[chosen.next().copied().unwrap_or_default()]
    })?;
    let median = call.moved(std::slice::from_ref(x), &places)?;
    if attrs.axis.as_ref().is_none_or(|axis| axis.len() > 1) {
        return Ok(median);
    }
    let positions = call.integers(DataType::int(64), &mapped(call, &positions, |it| *it as i128)?)?;
    Ok(call.pack(vec![median, positions]))
}

/// The results of a binary function over the elements before each one, and this one if the scan is not exclusive.
fn scan(
    call: &Evaluation<'_>,
    (first_float, of_float): (f64, fn(f64, f64) -> f64),
    (first_int, of_int): (i128, fn(i128, i128) -> i128),
) -> Result<Any, Error> {
    fn run<T: Copy>(
        call: &Evaluation<'_>,
        array: ArrayD<T>,
        axis: Option<usize>,
        exclusive: bool,
        first: T,
        f: fn(T, T) -> T,
    ) -> Result<ArrayD<T>, Error> {
        let array = if axis.is_some() { array } else { reshaped(call, &array, &[array.len()])? };
        lanes(call, &array, axis.unwrap_or(0), |lane| {
            let mut total = first;
            let step = |x: &T| {
                let before = total;
                total = f(total, *x);
                if exclusive { before } else { total }
            };
            lane.iter().map(step).collect()
        })
    }
    let (x, attrs) = (call.tensor(0)?, call.attrs::<ScanopAttrs>()?);
    let dtype = if attrs.dtype.is_void() { x.dtype() } else { attrs.dtype };
    let axis = attrs.axis.map(|axis| call.axis(axis, x.rank())).transpose()?;
    // The elements have the type of the result before they are added up.
    let converted = Tensor::from_numbers(dtype, &x.numbers(call.meter())?, call.meter())?;
    match converted.numbers(call.meter())? {
        Numbers::Float(numbers) => {
            call.floats(dtype, &run(call, numbers, axis, attrs.exclusive, first_float, of_float)?)
        }
        Numbers::Int(numbers) => call.integers(dtype, &run(call, numbers, axis, attrs.exclusive, first_int, of_int)?),
    }
}

pub(crate) fn cumsum(call: &Evaluation<'_>) -> Result<Any, Error> {
    scan(call, (0.0, |a, b| a + b), (0, |a, b| a.wrapping_add(b)))
}

pub(crate) fn cumprod(call: &Evaluation<'_>) -> Result<Any, Error> {
    scan(call, (1.0, |a, b| a * b), (1, |a, b| a.wrapping_mul(b)))
}
