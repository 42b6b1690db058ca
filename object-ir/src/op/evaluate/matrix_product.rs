//! Products of matrices of `float32` with few rows on the left, without copies of the matrix on the right.
//!
//! Products of more rows go through arrays of `f64` and the blocked product of `matrixmultiply`, which first copies both
//! matrices. With few rows, the copies take longer than the product.
//!
//! Sums have 64 bits, and products of two numbers of `float32` have at most 48 significant bits, so each product is exact.

use std::array::from_fn;

use object_core::prelude::*;
use pulp::{Arch, Simd, WithSimd};
use smallvec::SmallVec;

use super::super::evaluation::Evaluation;
use super::arrays::{advance, broadcast_dims};
use super::vectors::is_float32;
use crate::eval::value::{Ordered, PerDimension, Tensor};

/// The greatest number of rows on the left, unless the matrices are small.
const MAX_ROWS: usize = 24;

/// The greatest number of products of a small pair of matrices.
const SMALL: usize = 1 << 15;

/// The least number of rows for which it takes less time to copy the columns of the matrix on the right into rows.
const MANY: usize = 9;

/// The number of rows on the left that a pass over the matrix on the right serves.
const ROWS: usize = 4;

/// A matrix in memory: its size, and the distance of two neighbours in a column and in a row.
#[derive(Clone, Copy)]
struct Matrix {
    rows: usize,
    columns: usize,
    down: usize,
    right: usize,
}

/// The dimensions of an operand before its matrix.
struct Outer {
    dims: PerDimension,
    strides: PerDimension,
}

impl Outer {
    /// The dimensions before the matrix of an operand.
    fn of(view: &Ordered<'_>) -> Outer {
        let (mut dims, mut strides) = (view.dims(), view.strides());
        dims.truncate(dims.len().saturating_sub(2));
        strides.truncate(dims.len());
        Outer { dims, strides }
    }
}

/// The matrix in the last two dimensions of an operand; a vector is a column. `None` without dimensions.
fn matrix_of(view: &Ordered<'_>) -> Option<Matrix> {
    let last = view.rank().checked_sub(1)?;
    let (size, stride) = (view.size(last), view.stride(last));
    Some(match last.checked_sub(1) {
        Some(first) => Matrix { rows: view.size(first), columns: size, down: view.stride(first), right: stride },
        None => Matrix { rows: size, columns: 1, down: stride, right: 0 },
    })
}

/// The matrix of an operand with the rows of all its matrices, if the distance of all neighbours is the same.
fn joined(view: &Ordered<'_>, matrix: Matrix) -> Option<Matrix> {
    let outer = (0..view.rank().saturating_sub(2)).rev().map(|axis| (view.size(axis), view.stride(axis)));
    outer.filter(|(size, _)| *size != 1).try_fold(matrix, |matrix, (size, stride)| match matrix.rows {
        1 => Some(Matrix { rows: size, down: stride, ..matrix }),
        rows if stride == matrix.down * rows => Some(Matrix { rows: rows * size, ..matrix }),
        _ => None,
    })
}

/// Whether the product takes less time here than with copies of the matrices.
fn is_suitable(left: Matrix, right: Matrix) -> bool {
    left.rows <= MAX_ROWS || left.rows * left.columns * right.columns <= SMALL
}

/// The product of two operands of `float32`, as `matmul` defines it. `None` for operands that this file does not multiply.
pub(super) fn product(call: &Evaluation<'_>, a: &Ordered<'_>, b: &Ordered<'_>) -> Result<Option<Any>, Error> {
    if !is_float32(a.tensor()) || !is_float32(b.tensor()) {
        return Ok(None);
    }
    let (Some(left), Some(right)) = (matrix_of(a), matrix_of(b)) else { return Ok(None) };
    // A vector on the left is a row.
    let left = match a.rank() {
        1 => Matrix { rows: 1, columns: left.rows, down: 0, right: left.down },
        _ => left,
    };
    if left.columns != right.rows {
        return Ok(None);
    }
    // One matrix on the right serves the rows of all matrices on the left.
    if b.rank() <= 2
        && let Some(left) = joined(a, left)
    {
        let shape = (0..a.rank() - 1).map(|axis| a.size(axis));
        let shape: Shape64 = shape.chain((b.rank() > 1).then_some(right.columns)).map(|size| size as i64).collect();
        let none = Outer { dims: PerDimension::new(), strides: PerDimension::new() };
        return product_of(call, (a, &none, left), (b, &none, right), &[], &shape);
    }
    let (outer_a, outer_b) = (Outer::of(a), Outer::of(b));
    let outer = broadcast_dims(call, &outer_a.dims, &outer_b.dims)?;
    let rows = (a.rank() > 1).then_some(left.rows);
    let sizes = outer.iter().copied().chain(rows).chain((b.rank() > 1).then_some(right.columns));
    let shape: Shape64 = sizes.map(|size| size as i64).collect();
    product_of(call, (a, &outer_a, left), (b, &outer_b, right), &outer, &shape)
}

/// The shape of a result.
type Shape64 = SmallVec<[i64; 6]>;

/// An operand with its dimensions before the matrix, and its matrix.
type Operand<'a> = (&'a Ordered<'a>, &'a Outer, Matrix);

fn product_of(
    call: &Evaluation<'_>,
    (a, outer_a, left): Operand<'_>,
    (b, outer_b, right): Operand<'_>,
    outer: &[usize],
    shape: &[i64],
) -> Result<Option<Any>, Error> {
    if !is_suitable(left, right) {
        return Ok(None);
    }
    call.check_room(shape)?;
    call.work(&[outer.iter().product(), left.rows, right.columns, left.columns])?;
    let fill = |of_a: &[f32], of_b: &[f32]| {
        Tensor::filled::<f32>(shape, call.meter(), |to| {
            if !to.is_empty() && left.columns > 0 {
                Arch::new().dispatch(Products { a: of_a, b: of_b, left, right, outer, outer_a, outer_b, to });
            }
        })
    };
    Ok(Some(a.tensor().read_with::<f32, _>(b.tensor(), fill)??.into()))
}

/// The place of the first element of the matrix at `index`, to which the dimensions of the operand broadcast.
fn first(outer: &Outer, index: &[usize]) -> usize {
    let own = outer.dims.iter().zip(&outer.strides).rev().zip(index.iter().rev());
    own.map(|((size, stride), index)| if *size == 1 { 0 } else { index * stride }).sum()
}

/// Products of pairs of matrices.
struct Products<'a> {
    a: &'a [f32],
    b: &'a [f32],
    left: Matrix,
    right: Matrix,
    /// The dimensions of the result before its matrices.
    outer: &'a [usize],
    outer_a: &'a Outer,
    outer_b: &'a Outer,
    to: &'a mut [f32],
}

impl WithSimd for Products<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Products { left, right, outer, .. } = self;
        let mut numbers = vec![0.0; left.rows * left.columns];
        let is_by_columns = right.down == 1 && left.rows < MANY;
        let width = if is_by_columns { 1 } else { 2 * S::F64_LANES };
        let mut tile = vec![0.0; right.rows * width];
        let mut index: PerDimension = outer.iter().map(|_| 0).collect();
        for to in self.to.chunks_exact_mut(left.rows * right.columns) {
            numbers_of(&self.a[first(self.outer_a, &index)..], left, &mut numbers);
            let b = &self.b[first(self.outer_b, &index)..];
            if is_by_columns {
                by_columns(simd, &numbers, b, right, &mut tile, to);
            } else {
                by_tiles(simd, &numbers, b, right, &mut tile, to);
            }
            advance(&mut index, outer);
        }
    }
}

/// Writes the elements of a matrix row by row.
#[inline(always)]
fn numbers_of(from: &[f32], matrix: Matrix, to: &mut [f64]) {
    for (number, to) in to.chunks_exact_mut(matrix.columns).enumerate() {
        let from = &from[number * matrix.down..];
        match matrix.right {
            1 => to.iter_mut().zip(from).for_each(|(to, x)| *to = (*x).into()),
            stride => (0..matrix.columns).for_each(|column| to[column] = from[column * stride].into()),
        }
    }
}

/// Multiplies by a matrix whose columns lie in memory in one piece: each element is a sum of products of two slices. `b`
/// has room for a column.
#[inline(always)]
fn by_columns<S: Simd>(simd: S, a: &[f64], from: &[f32], right: Matrix, b: &mut [f64], to: &mut [f32]) {
    let Matrix { rows: inner, columns, right, .. } = right;
    let rows = to.len() / columns;
    for column in 0..columns {
        b.iter_mut().zip(&from[column * right..][..inner]).for_each(|(to, x)| *to = (*x).into());
        let mut first = 0;
        while first + ROWS <= rows {
            let sums = dots::<S, ROWS>(simd, &a[first * inner..], b);
            (0..ROWS).for_each(|row| to[(first + row) * columns + column] = sums[row] as f32);
            first += ROWS;
        }
        for row in first..rows {
            let [sum] = dots::<S, 1>(simd, &a[row * inner..], b);
            to[row * columns + column] = sum as f32;
        }
    }
}

/// Multiplies by some columns of the matrix after the other, which are copied row by row to `tile`.
#[inline(always)]
fn by_tiles<S: Simd>(simd: S, a: &[f64], from: &[f32], right: Matrix, tile: &mut [f64], to: &mut [f32]) {
    let Matrix { rows: inner, columns, down, right } = right;
    let down = down.max(1);
    let (rows, width) = (to.len() / columns, tile.len() / inner);
    for column in (0..columns).step_by(width) {
        let count = width.min(columns - column);
        if right == 1 {
            for (row, to) in tile.chunks_exact_mut(width).enumerate() {
                to.iter_mut().zip(&from[row * down + column..][..count]).for_each(|(to, x)| *to = (*x).into());
            }
        } else {
            let from = |number: usize| &from[(column + number) * right..][..(inner - 1) * down + 1];
            let mut number = 0;
            while down == 1 && number + 4 <= count {
                // Four columns at a time, because the loop takes about as long for one.
                let [a, b, c, d] = [0, 1, 2, 3].map(|other| from(number + other));
                let columns = a.iter().zip(b).zip(c).zip(d);
                for (to, (((a, b), c), d)) in tile.chunks_exact_mut(width).zip(columns) {
                    to[number..number + 4].copy_from_slice(&[*a, *b, *c, *d].map(f64::from));
                }
                number += 4;
            }
            for number in number..count {
                let rows = tile.chunks_exact_mut(width).zip(from(number).iter().step_by(down));
                rows.for_each(|(to, x)| to[number] = (*x).into());
            }
        }
        let mut first = 0;
        while first + ROWS <= rows {
            let sums = multiples::<S, ROWS>(simd, &a[first * inner..], tile);
            (0..ROWS).for_each(|row| store::<S>(&sums[row], &mut to[(first + row) * columns + column..][..count]));
            first += ROWS;
        }
        for row in first..rows {
            let [sums] = multiples::<S, 1>(simd, &a[row * inner..], tile);
            store::<S>(&sums, &mut to[row * columns + column..][..count]);
        }
    }
}

/// The sums of products of `b` with each of `R` rows of as many elements.
#[inline(always)]
fn dots<S: Simd, const R: usize>(simd: S, a: &[f64], b: &[f64]) -> [f64; R] {
    let (of_b, rest) = S::as_simd_f64s(b);
    let (pairs, single) = of_b.as_chunks::<2>();
    let rows: [_; R] = from_fn(|row| S::as_simd_f64s(&a[row * b.len()..][..b.len()]));
    // All slices have this length, so the loop checks no index.
    let count = pairs.len();
    let pairs_of_rows: [_; R] = from_fn(|row| &rows[row].0.as_chunks::<2>().0[..count]);
    let mut sums = [[simd.splat_f64s(0.0); 2]; R];
    for at in 0..count {
        let [first, second] = pairs[at];
        for row in 0..R {
            let a = pairs_of_rows[row][at];
            sums[row][0] = simd.mul_add_e_f64s(a[0], first, sums[row][0]);
            sums[row][1] = simd.mul_add_e_f64s(a[1], second, sums[row][1]);
        }
    }
    let mut results = [0.0; R];
    for row in 0..R {
        let [mut sum, other] = sums[row];
        let (of_row, rest_of_row) = rows[row];
        if let [last] = single {
            sum = simd.mul_add_e_f64s(of_row[of_b.len() - 1], *last, sum);
        }
        results[row] = simd.reduce_sum_f64s(simd.add_f64s(sum, other));
        for at in 0..rest.len() {
            results[row] += rest_of_row[at] * rest[at];
        }
    }
    results
}

/// For each of `R` rows of numbers the sum of the rows of a tile, each times the number of its position.
#[inline(always)]
fn multiples<S: Simd, const R: usize>(simd: S, a: &[f64], tile: &[f64]) -> [[S::f64s; 2]; R] {
    let (tile, _) = S::as_simd_f64s(tile);
    let (tile, _) = tile.as_chunks::<2>();
    // All slices have this length, so the loop checks no index.
    let count = tile.len();
    let rows: [_; R] = from_fn(|row| &a[row * count..][..count]);
    let mut sums = [[simd.splat_f64s(0.0); 2]; R];
    for at in 0..count {
        let [first, second] = tile[at];
        for row in 0..R {
            let factor = simd.splat_f64s(rows[row][at]);
            sums[row][0] = simd.mul_add_e_f64s(factor, first, sums[row][0]);
            sums[row][1] = simd.mul_add_e_f64s(factor, second, sums[row][1]);
        }
    }
    sums
}

/// Writes as many numbers as there are places.
#[inline(always)]
fn store<S: Simd>(sums: &[S::f64s; 2], to: &mut [f32]) {
    let numbers: &[f64] = bytemuck::cast_slice(sums);
    to.iter_mut().zip(numbers).for_each(|(to, sum)| *to = *sum as f32);
}
