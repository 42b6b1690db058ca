//! Element-wise functions and functions of rows over tensors of `float32`, without arrays between operand and result.
//!
//! The functions compute with numbers of 64 bits and round each result once, as the functions over arrays do. The loops go
//! over slices, so they become the vector instructions of the machine that runs them.

use object_core::prelude::*;
use pulp::{Arch, NullaryFnOnce};
use smallvec::{SmallVec, smallvec};

use super::arrays::broadcast_dims;
use super::evaluation::Evaluation;
use crate::value::{ElementType, Tensor};

/// Whether the functions of this file take the tensor.
pub(super) fn is_float32(tensor: &Tensor) -> bool {
    tensor.element() == ElementType::F32
}

/// Applies `f` to the elements of a tensor of floating-point numbers.
pub(super) fn map(call: &Evaluation<'_>, x: &Tensor, f: impl Fn(f64) -> f64) -> Result<Any, Error> {
    if !is_float32(x) {
        return call.floats(x.dtype(), &x.floats(call.meter())?.mapv_into(f));
    }
    filled_from(call, x, |from, to| Arch::new().dispatch(Map { from, to, f }))
}

/// A tensor of the shape of `x`, whose elements `fill` makes of the elements of `x`.
fn filled_from(call: &Evaluation<'_>, x: &Tensor, fill: impl FnOnce(&[f32], &mut [f32])) -> Result<Any, Error> {
    let from = x.read::<f32>()?;
    Ok(Tensor::filled::<f32>(x.shape().clone(), call.meter(), |to| fill(&from, to))?.into())
}

/// A loop over the elements of a tensor. The loop is a struct instead of a closure: the compiler uses all vector instructions
/// of the machine only in code that it copies into `pulp::Simd::vectorize`, and a closure would be called from there.
struct Map<'a, F> {
    from: &'a [f32],
    to: &'a mut [f32],
    f: F,
}

impl<F: Fn(f64) -> f64> NullaryFnOnce for Map<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Map { from, to, f } = self;
        to.iter_mut().zip(from).for_each(|(to, x)| *to = f(f64::from(*x)) as f32);
    }
}

/// Applies `f` to the pairs of elements of two tensors of `float32`, which broadcast.
pub(super) fn zip(call: &Evaluation<'_>, a: &Tensor, b: &Tensor, f: impl Fn(f64, f64) -> f64) -> Result<Any, Error> {
    let (shape, loops): (Shape, _) = if a.shape() == b.shape() {
        (a.shape().clone(), smallvec![Loop { size: a.len(), a: 1, b: 1 }])
    } else {
        let (of_a, of_b) = (a.sizes(), b.sizes());
        let dims = broadcast_dims(call, &of_a, &of_b)?;
        let loops = loops(&dims, &of_a, &of_b);
        // Results share the object of a shape that they have.
        let of_operand = [(a, &of_a), (b, &of_b)].into_iter().find(|(_, sizes)| **sizes == dims);
        let shape = of_operand.map(|(operand, _)| operand.shape().clone());
        (shape.unwrap_or_else(|| dims.iter().map(|size| *size as i64).collect()), loops)
    };
    let f = |a: f32, b: f32| f(a.into(), b.into()) as f32;
    let fill = |a: &[f32], b: &[f32]| {
        Tensor::filled::<f32>(shape, call.meter(), |to| {
            // Arrays without elements may have any shape, for which there are no loops.
            if !to.is_empty() {
                Arch::new().dispatch(Zip { to, a, b, loops: &loops, f });
            }
        })
    };
    Ok(a.read_with::<f32, _>(b, fill)??.into())
}

/// A loop over a dimension of a result: how often it runs, and the distance of two neighbours in each operand.
#[derive(Clone, Copy)]
struct Loop {
    size: usize,
    a: usize,
    b: usize,
}

/// The loops over the elements of two arrays that broadcast to the shape `dims`, as few as possible. The innermost one has
/// the distances 0 and 1.
fn loops(dims: &[usize], a: &[usize], b: &[usize]) -> SmallVec<[Loop; 6]> {
    let mut loops: SmallVec<[Loop; 6]> = SmallVec::new();
    let size_in =
        |operand: &[usize], axis: usize| (axis + operand.len()).checked_sub(dims.len()).map_or(1, |axis| operand[axis]);
    let (mut stride_a, mut stride_b) = (1, 1);
    for axis in (0..dims.len()).rev().filter(|axis| dims[*axis] != 1) {
        let (size_a, size_b) = (size_in(a, axis), size_in(b, axis));
        let next = Loop {
            size: dims[axis],
            a: if size_a == 1 { 0 } else { stride_a },
            b: if size_b == 1 { 0 } else { stride_b },
        };
        (stride_a, stride_b) = (stride_a * size_a, stride_b * size_b);
        match loops.last_mut() {
            Some(inner) if next.a == inner.a * inner.size && next.b == inner.b * inner.size => inner.size *= next.size,
            _ => loops.push(next),
        }
    }
    if loops.is_empty() {
        loops.push(Loop { size: 1, a: 1, b: 1 });
    }
    loops.reverse();
    loops
}

/// A loop over pairs of elements of two tensors; see [`Map`].
struct Zip<'a, F> {
    to: &'a mut [f32],
    a: &'a [f32],
    b: &'a [f32],
    loops: &'a [Loop],
    f: F,
}

impl<F: Fn(f32, f32) -> f32> NullaryFnOnce for Zip<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Zip { to, a, b, loops, f } = self;
        let Some((inner, outer)) = loops.split_last() else { return };
        let mut index: SmallVec<[usize; 6]> = SmallVec::from_elem(0, outer.len());
        let (mut at_a, mut at_b) = (0, 0);
        for to in to.chunks_exact_mut(inner.size) {
            let (a, b) = (&a[at_a..], &b[at_b..]);
            match (inner.a, inner.b) {
                (1, 1) => to.iter_mut().zip(a).zip(b).for_each(|((to, a), b)| *to = f(*a, *b)),
                (1, _) => {
                    let b = b[0];
                    to.iter_mut().zip(a).for_each(|(to, a)| *to = f(*a, b));
                }
                (_, 1) => {
                    let a = a[0];
                    to.iter_mut().zip(b).for_each(|(to, b)| *to = f(a, *b));
                }
                _ => to.fill(f(a[0], b[0])),
            }
            for (place, it) in index.iter_mut().zip(outer).rev() {
                *place += 1;
                (at_a, at_b) = (at_a + it.a, at_b + it.b);
                if *place < it.size {
                    break;
                }
                (at_a, at_b) = (at_a - it.a * it.size, at_b - it.b * it.size);
                *place = 0;
            }
        }
    }
}

/// The number of elements of a row, if the rows of a tensor of `float32` along the dimensions `axes` lie one after the other
/// in memory.
pub(super) fn row_length(x: &Tensor, axes: &[usize]) -> Option<usize> {
    let first = x.rank().checked_sub(axes.len())?;
    let is_last = is_float32(x) && axes.iter().enumerate().all(|(number, axis)| *axis == first + number);
    is_last.then(|| x.shape()[first..].iter().map(|size| usize::try_from(*size).unwrap_or_default()).product())
}

/// A function that replaces a row by another one.
///
/// The function of a type that implements this trait itself is copied into the loop, so it becomes vector instructions (see
/// [`Map`]) even if it is long and used in several places, which closures do not.
pub(super) trait RowFunction {
    /// Replaces a row.
    fn apply(&self, row: &mut [f64]);
}

impl<F: Fn(&mut [f64])> RowFunction for F {
    #[inline(always)]
    fn apply(&self, row: &mut [f64]) {
        self(row);
    }
}

/// Replaces each row of `length` elements by the row that `f` makes of it.
pub(super) fn map_rows(call: &Evaluation<'_>, x: &Tensor, length: usize, f: impl RowFunction) -> Result<Any, Error> {
    filled_from(call, x, |from, to| Arch::new().dispatch(MapRows { from, to, length, f }))
}

/// A loop over the rows of a tensor; see [`Map`].
struct MapRows<'a, F> {
    from: &'a [f32],
    to: &'a mut [f32],
    length: usize,
    f: F,
}

impl<F: RowFunction> NullaryFnOnce for MapRows<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let MapRows { from, to, length, f } = self;
        let mut row = vec![0.0; length];
        for (from, to) in from.chunks_exact(length.max(1)).zip(to.chunks_exact_mut(length.max(1))) {
            row.iter_mut().zip(from).for_each(|(number, x)| *number = (*x).into());
            f.apply(&mut row);
            to.iter_mut().zip(&row).for_each(|(to, number)| *to = *number as f32);
        }
    }
}

/// The number of sums that a loop over a row computes beside each other.
const LANES: usize = 8;

/// The sum of the results of `f` for the elements of a row.
#[inline(always)]
pub(super) fn sum(row: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    let (chunks, rest) = row.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for chunk in chunks {
        sums.iter_mut().zip(chunk).for_each(|(sum, x)| *sum += f(*x));
    }
    sums.iter().sum::<f64>() + rest.iter().map(|x| f(*x)).sum::<f64>()
}

/// The greatest element of a row that is a number; negative infinity without one.
#[inline(always)]
pub(super) fn greatest(row: &[f64]) -> f64 {
    let more = |a: f64, b: f64| if b > a { b } else { a };
    let (chunks, rest) = row.as_chunks::<LANES>();
    let mut greatest = [f64::NEG_INFINITY; LANES];
    for chunk in chunks {
        greatest.iter_mut().zip(chunk).for_each(|(greatest, x)| *greatest = more(*greatest, *x));
    }
    greatest.iter().chain(rest).copied().fold(f64::NEG_INFINITY, more)
}
