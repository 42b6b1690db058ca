//! Slices (TVM 0.25 `src/relax/op/tensor/index.cc`).

use object_core::counted;
use object_core::prelude::*;
use object_ir::attrs::StridedSliceAttrs;
use object_ir::ir::{ObjectStructInfo, PrimExpr, PrimStructInfo, StructInfo, TupleStructInfo};
use object_ir::tir::{Max, Min, Mul, Sub, add, and, ceil_div, less, less_equal, max, min, mul, neg, select, sub};

use crate::op::axes::positions;
use crate::op::checks::{check_elements, require_rank, written_dims};
use crate::op::describe::{describe, describe_dims};
use crate::op::dims::{Dims, constant, dim, rank_of, tensor};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Any, Defaults, Optional, Tensor};

operators! {
    /// The elements from `begin` to `end`, `strides` apart, along some axes. Indices are tuples of integers; they count
    /// from the end if they are negative. The default stride is 1.
    fn strided_slice = "relax.strided_slice"(
        x: Tensor, axes: Any, begin: Any, end: Any, strides: Optional<Any>, attrs: Defaults<StridedSliceAttrs>
    ), Pure, infer_strided_slice;
    /// The elements from `begin` to `end`, `strides` apart, along all axes. Indices are vectors of type `int64`.
    fn dynamic_strided_slice = "relax.dynamic_strided_slice"(x: Tensor, begin: Tensor, end: Tensor, strides: Tensor), Pure,
        infer_dynamic_strided_slice;
}

const AXES: usize = 1;
const BEGIN: usize = 2;
const END: usize = 3;
const STRIDES: usize = 4;

fn infer_strided_slice(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let x = call.tensor(0)?;
    let lists = (AXES..call.len()).map(|index| integers(call, index)).collect::<Result<Vec<_>, _>>()?;
    let of = |dims| Ok(call.result(dims, x.dtype, x.vdevice.clone()));
    let unknown = Dims::of_rank(x.ndim);
    if x.shape.is_none() {
        return of(unknown);
    }
    let Some(lists) = lists.into_iter().collect::<Option<Vec<_>>>() else { return of(unknown) };
    let Some(given) = lists[0].iter().map(constant).collect::<Option<Vec<_>>>() else { return of(unknown) };
    for (index, list) in lists.iter().enumerate() {
        if list.len() != given.len() {
            let message = format!(
                "expected {}, as many as in `axes`, got {}",
                counted(given.len(), "integer"),
                describe_dims(list)
            );
            return Err(call.argument_error(ErrorKind::TypeMismatch, AXES + index, message));
        }
    }
    let Dims::Known(mut dims) = Dims::of(x) else {
        return if given.is_empty() { Ok(call.info(0).clone()) } else { of(unknown) };
    };
    let is_inside = call.attrs::<StridedSliceAttrs>()?.assume_inbound;
    let axes = positions(&given, dims.len());
    let axes = axes.map_err(|reason| call.argument_error(ErrorKind::OutOfRange, AXES, reason))?;
    for (place, axis) in axes.into_iter().enumerate() {
        let [begin, end] = [BEGIN, END].map(|index| &lists[index - AXES][place]);
        let stride = lists.get(STRIDES - AXES).map_or_else(|| dim(1), |strides| strides[place].clone());
        if constant(&stride) == Some(0) {
            return Err(call.argument_error(ErrorKind::OutOfRange, STRIDES, "expected strides other than 0, got 0"));
        }
        let indices = [begin, end, &stride];
        let known = if is_inside {
            constant_length(call, indices).map(dim)
        } else {
            match last_elements(call, &dims[axis], indices)? {
                Some(length) => Some(length),
                None => between_constants(call, &dims[axis], indices)?,
            }
        };
        let length = match known {
            Some(length) => length,
            None => {
                let length = length(call, &dims[axis], indices, is_inside)?;
                if is_inside {
                    call.analyzer().simplify_under(&inside(&dims[axis], begin, end)?, &length)
                } else {
                    call.analyzer().simplify(&length)
                }
            }
        };
        if let Some(length) = constant(&length).filter(|length| *length < 0) {
            let message =
                format!("expected an index at or after `begin` for axis {axis}, got a slice of the length {length}");
            return Err(call.argument_error(ErrorKind::OutOfRange, END, message));
        }
        dims[axis] = length;
    }
    of(Dims::Known(dims))
}

/// The integers in the tuple at `index`; `None` if they are unknown.
///
/// # Errors
/// Names the argument if it is not a tuple of scalars of type `int64`.
fn integers(call: &OpCall<'_>, index: usize) -> Result<Option<Vec<PrimExpr>>, Error> {
    let info = call.info(index);
    if info.is::<ObjectStructInfo>() {
        return Ok(None);
    }
    let int64 = DataType::int(64);
    let members = info.downcast_ref::<TupleStructInfo>().and_then(|tuple| {
        let prims = tuple.fields.as_slice().iter().map(|field| field.downcast_ref::<PrimStructInfo>());
        prims
            .map(|prim| prim.filter(|prim| prim.dtype == int64).map(|prim| prim.value.clone()))
            .collect::<Option<Vec<_>>>()
    });
    let Some(values) = members else {
        let message = format!("expected a tuple of scalars of type int64, got {}", describe(info));
        return Err(call.argument_error(ErrorKind::TypeMismatch, index, message));
    };
    Ok(values.into_iter().collect())
}

/// The number of elements from `begin` to `end`, which are in the dimension, if it is a constant for a simple reason.
fn constant_length(call: &OpCall<'_>, [begin, end, stride]: [&PrimExpr; 3]) -> Option<i64> {
    let distance = call.analyzer().constant_difference(end, begin).filter(|distance| *distance >= 0)?;
    let stride = constant(stride).filter(|stride| *stride > 0)?;
    Some(distance / stride + i64::from(distance % stride > 0))
}

/// The number of elements from `begin`, a number of elements before the end of a dimension of unknown size, to the end. It
/// is in the form that the analyzer would give it.
fn last_elements(
    call: &OpCall<'_>,
    size: &PrimExpr,
    [begin, end, stride]: [&PrimExpr; 3],
) -> Result<Option<PrimExpr>, Error> {
    let distance = |index| call.analyzer().constant_difference(index, size);
    if constant(stride) != Some(1) || !call.analyzer().is_free(size) || distance(end).is_none_or(|after| after < 0) {
        return Ok(None);
    }
    let Some(count) = distance(begin).and_then(i64::checked_neg).filter(|count| *count > 0) else { return Ok(None) };
    let from_end = sub(mul(size, 2)?, count)?;
    let from_start = select(&less(size, count)?, from_end, sub(size, count)?)?;
    Ok(Some(sub(size, max(from_start, 0)?)?))
}

/// A slice of a dimension of the length `size`: it has as many elements as there are from `begin` to `end`, which is
/// `min(end, size) - min(begin, size)`.
struct Window {
    size: PrimExpr,
    begin: i64,
    end: i64,
    /// Whether the length is written as `max(size - begin, 0)`, as the ends of slices that count from the end are.
    counts_from_end: bool,
}

impl Window {
    /// The elements that `dim` counts.
    fn of(dim: &PrimExpr) -> Self {
        let whole = || Window { size: dim.clone(), begin: 0, end: i64::MAX, counts_from_end: false };
        Window::of_slice(dim).unwrap_or_else(whole)
    }

    /// The elements that `dim` counts, if it is the length of a slice.
    fn of_slice(dim: &PrimExpr) -> Option<Self> {
        if let Some(rest) = dim.downcast_ref::<Max>() {
            let difference = rest.a.downcast_ref::<Sub>().filter(|_| constant(&rest.b) == Some(0))?;
            let begin = constant(&difference.b).filter(|begin| *begin > 0)?;
            return Some(Window { size: difference.a.clone(), begin, end: i64::MAX, counts_from_end: true });
        }
        let Some(difference) = dim.downcast_ref::<Sub>() else {
            return at_most(dim).map(|(end, size)| Window { size, begin: 0, end, counts_from_end: false });
        };
        let ((end, size), (begin, same)) = (at_most(&difference.a)?, at_most(&difference.b)?);
        let is_window = begin <= end && structural_equal(&size, &same);
        is_window.then_some(Window { size, begin, end, counts_from_end: false })
    }

    /// As many elements as there are from `begin` to `end` of these elements: a slice of a slice has the length of a slice of
    /// the whole, so a chain of slices has one form of constant size. `None` if the indices are not constants, the stride is
    /// not positive, or the slice is from an index that counts from the end to one that counts from the start.
    fn slice(self, [begin, end, stride]: [&PrimExpr; 3]) -> Option<Self> {
        constant(stride).filter(|stride| *stride > 0)?;
        let at = |distance: i64| self.begin.saturating_add(distance).min(self.end);
        let (begin, end) = (constant(begin)?, constant(end)?);
        let counts_from_end = self.counts_from_end || end < 0;
        let (begin, end) = match (begin >= 0, end >= 0) {
            (true, true) => (at(begin), at(end)),
            // The elements that are left out at the end could as well be left out at the start.
            (true, false) => (at(begin.saturating_add(end.checked_neg()?)), self.end),
            (false, false) => (at(end.checked_neg()?), at(begin.checked_neg()?)),
            (false, true) => (at(end) == self.end).then_some((self.begin, at(begin.checked_neg()?)))?,
        };
        Some(Window { begin, end, size: self.size, counts_from_end })
    }
}

/// The numbers `most` and `size`, if `expr` is `min(most, size)`. The analyzer writes `min(4, n * 2)` as `min(2, n) * 2`.
fn at_most(expr: &PrimExpr) -> Option<(i64, PrimExpr)> {
    if let Some(product) = expr.downcast_ref::<Mul>() {
        let factor = constant(&product.b).filter(|factor| *factor > 0)?;
        let (most, size) = least(&product.a)?;
        return Some((most.checked_mul(factor)?, mul(size, factor).ok()?));
    }
    least(expr).map(|(most, size)| (most, size.clone()))
}

/// The operands of a minimum of a number that is not negative and a dimension.
fn least(expr: &PrimExpr) -> Option<(i64, &PrimExpr)> {
    let min = expr.downcast_ref::<Min>()?;
    constant(&min.a).filter(|most| *most >= 0).map(|most| (most, &min.b))
}

/// The number of elements between two places in a dimension of unknown size, in the form that the analyzer would give it.
fn between_constants(call: &OpCall<'_>, size: &PrimExpr, indices: [&PrimExpr; 3]) -> Result<Option<PrimExpr>, Error> {
    let window = Window::of(size).slice(indices).filter(|it| call.analyzer().is_free(&it.size) && it.begin < it.end);
    let Some(window) = window.filter(|_| constant(indices[2]) == Some(1)) else { return Ok(None) };
    if window.counts_from_end && window.end == i64::MAX {
        return max(sub(&window.size, window.begin)?, 0).map(Some);
    }
    let end = min(window.end, &window.size)?;
    if window.begin == 0 { Ok(Some(end)) } else { sub(end, min(window.begin, &window.size)?).map(Some) }
}

/// The number of elements from `begin` to `end`.
fn length(
    call: &OpCall<'_>,
    size: &PrimExpr,
    [begin, end, stride]: [&PrimExpr; 3],
    is_inside: bool,
) -> Result<PrimExpr, Error> {
    if is_inside {
        return ceil_div(sub(end, begin)?, stride);
    }
    let window = Window::of(size).slice([begin, end, stride]);
    let places = window.map(|window| (dim(window.begin), dim(window.end), window.size));
    let (begin, end, size) = places.as_ref().map_or((begin, end, size), |(begin, end, size)| (begin, end, size));
    let (begin, end) = (clamped(call, begin, size, stride)?, clamped(call, end, size, stride)?);
    let is_backward = less(stride, 0)?;
    select(&is_backward, ceil_div(sub(&begin, &end)?, neg(stride)?)?, ceil_div(sub(&end, &begin)?, stride)?)
}

/// An index as a place in the dimension or at one of its ends.
fn clamped(call: &OpCall<'_>, index: &PrimExpr, size: &PrimExpr, stride: &PrimExpr) -> Result<PrimExpr, Error> {
    if constant(stride).is_some_and(|stride| stride > 0)
        && let Some(distance) = call.analyzer().constant_difference(index, size)
    {
        // A size is not negative, so an index at the end or after it is the end. One before it stays before it, also if it
        // counts from the end.
        return if distance >= 0 { Ok(size.clone()) } else { max(from_start(index, size)?, 0) };
    }
    let is_backward = less(stride, 0)?;
    let least = select(&is_backward, -1, 0)?;
    let most = select(&is_backward, sub(size, 1)?, size)?;
    min(max(from_start(index, size)?, least)?, most)
}

/// An index counted from the start.
fn from_start(index: &PrimExpr, size: &PrimExpr) -> Result<PrimExpr, Error> {
    select(&less(index, 0)?, add(index, size)?, index)
}

/// The condition that both indices are in the dimension or at its end.
fn inside(size: &PrimExpr, begin: &PrimExpr, end: &PrimExpr) -> Result<PrimExpr, Error> {
    let place = |index: &PrimExpr| and(&less_equal(0, index)?, &less_equal(index, size)?);
    and(&place(begin)?, &place(end)?)
}

fn infer_dynamic_strided_slice(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let x = call.tensor(0)?;
    let Some(rank) = rank_of(x) else { return Ok(tensor(Dims::Unknown, x.dtype, x.vdevice.clone())) };
    for index in 1..call.len() {
        require_rank(call, index, 1)?;
        let dims = written_dims(call.tensor(index)?);
        let length = dims.known().and_then(|dims| constant(&dims[0]));
        let length = length.and_then(|length| usize::try_from(length).ok());
        if length != Some(rank) {
            let given = dims.known().map_or("an unknown number".into(), describe_dims);
            let message = format!("expected {rank} indices, one for each dimension of `x`, got {given}");
            return Err(call.argument_error(ErrorKind::TypeMismatch, index, message));
        }
        check_elements(call, index, "int64", |dtype| dtype == DataType::int(64))?;
    }
    Ok(tensor(Dims::Rank(rank), x.dtype, x.vdevice.clone()))
}
