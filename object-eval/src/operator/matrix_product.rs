//! Products of matrices of `float32` with few rows on the left, without copies of the matrix on the right.
//!
//! Products of more rows go through arrays of `f64` and the blocked product of `matrixmultiply`, which first copies both
//! matrices. With few rows, the copies take longer than the product.
//!
//! Sums have 64 bits, and products of two numbers of `float32` have at most 48 significant bits, so each product is exact.

use std::array::from_fn;
use std::cell::Cell;

use object_core::prelude::*;
use pulp::{Arch, Simd, WithSimd};
use smallvec::SmallVec;

use super::arrays::{advance, broadcast_dims};
use super::evaluation::Evaluation;
use super::vectors::is_float32;
use crate::value::{Ordered, PerDimension, Tensor};

/// The greatest number of rows on the left, unless the matrices are small.
const MAX_ROWS: usize = 24;

/// The greatest number of products of a small pair of matrices.
const SMALL: usize = 1 << 15;

/// The least number of rows for which it takes less time to copy the columns of the matrix on the right into rows.
const MANY: usize = 9;

/// The number of rows on the left that a pass over the matrix on the right serves.
const ROWS: usize = 4;

/// The greatest number of numbers in a vector.
const MAX_LANES: usize = 8;

/// The number of elements of columns that are converted at a time, if a column has no more.
const BLOCK: usize = 1 << 11;

/// The greatest number of numbers for which memory stays with the thread.
const MAX_KEPT: usize = 1 << 13;

thread_local! {
    /// Memory for the numbers of a product. Small products would take longer to get it and to fill it with zeros.
    static NUMBERS: Cell<Vec<f64>> = const { Cell::new(Vec::new()) };
}

/// Calls `f` with `count` numbers, which may have any values.
fn with_numbers<R>(count: usize, f: impl FnOnce(&mut [f64]) -> R) -> R {
    let mut numbers = NUMBERS.take();
    if numbers.len() < count {
        numbers = vec![0.0; count];
    }
    let result = f(&mut numbers[..count]);
    if numbers.len() <= MAX_KEPT {
        NUMBERS.set(numbers);
    }
    result
}

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
        let (mut dims, mut strides) = (PerDimension::new(), PerDimension::new());
        for axis in 0..view.rank().saturating_sub(2) {
            dims.push(view.size(axis));
            strides.push(view.stride(axis));
        }
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
    let mut shape = Shape64::new();
    // One matrix on the right serves the rows of all matrices on the left.
    if b.rank() <= 2
        && let Some(left) = joined(a, left)
    {
        for axis in 0..a.rank() - 1 {
            shape.push(a.size(axis) as i64);
        }
        shape.extend((b.rank() > 1).then_some(right.columns as i64));
        let none = Outer { dims: PerDimension::new(), strides: PerDimension::new() };
        return product_of(call, (a, &none, left), (b, &none, right), &[], &shape);
    }
    let (outer_a, outer_b) = (Outer::of(a), Outer::of(b));
    let outer = broadcast_dims(call, &outer_a.dims, &outer_b.dims)?;
    outer.iter().for_each(|size| shape.push(*size as i64));
    shape.extend((a.rank() > 1).then_some(left.rows as i64));
    shape.extend((b.rank() > 1).then_some(right.columns as i64));
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
                let inner = left.columns.next_multiple_of(MAX_LANES);
                let others = if is_by_columns(left, right) { inner.max(BLOCK) } else { 2 * MAX_LANES * inner };
                with_numbers(left.rows * inner + others, |numbers| {
                    let (a, b) = (of_a, of_b);
                    Arch::new().dispatch(Products { a, b, left, right, outer, outer_a, outer_b, numbers, to });
                });
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
    /// Room for the numbers of a matrix on the left and of some columns on the right.
    numbers: &'a mut [f64],
    to: &'a mut [f32],
}

impl WithSimd for Products<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Products { left, right, outer, .. } = self;
        let is_by_columns = is_by_columns(left, right);
        // The rows begin at vectors where both factors of the products are vectors.
        let stride = if is_by_columns { left.columns.next_multiple_of(S::F64_LANES) } else { left.columns };
        let (numbers, others) = self.numbers.split_at_mut(left.rows * stride);
        let mut index: PerDimension = SmallVec::from_elem(0, outer.len());
        for to in self.to.chunks_exact_mut(left.rows * right.columns) {
            numbers_of(&self.a[first(self.outer_a, &index)..], left, stride, numbers);
            let b = &self.b[first(self.outer_b, &index)..];
            if is_by_columns {
                by_columns(simd, numbers, b, right, others, to);
            } else {
                by_tiles(simd, numbers, b, right, others, to);
            }
            advance(&mut index, outer);
        }
    }
}

/// Whether the elements of the product are sums of products of rows and columns.
fn is_by_columns(left: Matrix, right: Matrix) -> bool {
    right.down == 1 && left.rows < MANY
}

/// The number of columns that [`by_columns`] converts at a time, if each takes `stride` numbers.
fn block_width(stride: usize, right: Matrix) -> usize {
    (BLOCK / stride).clamp(1, right.columns)
}

/// Writes the elements of a matrix row by row. The rows begin at multiples of `stride`.
#[inline(always)]
fn numbers_of(from: &[f32], matrix: Matrix, stride: usize, to: &mut [f64]) {
    if matrix.right == 1 && matrix.down == stride && matrix.columns == stride {
        return widen(from, to);
    }
    for (number, to) in to.chunks_exact_mut(stride).enumerate() {
        let from = &from[number * matrix.down..];
        match matrix.right {
            1 => widen(from, &mut to[..matrix.columns]),
            right => {
                for column in 0..matrix.columns {
                    to[column] = from[column * right].into();
                }
            }
        }
    }
}

/// Rows of numbers of which each begins at a vector.
struct Rows<'a, S: Simd> {
    numbers: &'a [f64],
    vectors: &'a [S::f64s],
    /// The numbers of a row.
    count: usize,
    /// The distance of two rows.
    stride: usize,
}

impl<'a, S: Simd> Rows<'a, S> {
    #[inline(always)]
    fn new(numbers: &'a [f64], count: usize, stride: usize) -> Self {
        Rows { numbers, vectors: S::as_simd_f64s(numbers).0, count, stride }
    }

    /// The vectors of a row. The numbers after them are the rest.
    #[inline(always)]
    fn vectors(&self, row: usize) -> &'a [S::f64s] {
        &self.vectors[row * self.stride / S::F64_LANES..][..self.count / S::F64_LANES]
    }

    /// The sum with the products of the rests of a row and of a row of `other`.
    #[inline(always)]
    fn with_rest(&self, row: usize, other: &Self, other_row: usize, mut sum: f64) -> f64 {
        for at in self.count - self.count % S::F64_LANES..self.count {
            sum += self.numbers[row * self.stride + at] * other.numbers[other_row * other.stride + at];
        }
        sum
    }
}

/// Multiplies by a matrix whose columns lie in memory in one piece: each element is a sum of products of two slices. `block`
/// has room for [`block_width`] columns.
#[inline(always)]
fn by_columns<S: Simd>(simd: S, a: &[f64], from: &[f32], right: Matrix, block: &mut [f64], to: &mut [f32]) {
    let stride = right.rows.next_multiple_of(S::F64_LANES);
    let width = block_width(stride, right);
    let Matrix { rows: inner, columns, right, .. } = right;
    let rows = to.len() / columns;
    for column in (0..columns).step_by(width) {
        let count = width.min(columns - column);
        let block = &mut block[..count * stride];
        if right == inner && inner == stride {
            widen(&from[column * right..], block);
        } else {
            for (number, to) in block.chunks_exact_mut(stride).enumerate() {
                widen(&from[(column + number) * right..][..inner], to);
            }
        }
        let (a, b) = (Rows::<S>::new(a, inner, stride), Rows::<S>::new(block, inner, stride));
        let mut row = 0;
        while row + ROWS <= rows {
            let group: [_; ROWS] = from_fn(|other| a.vectors(row + other));
            for number in 0..count {
                let sums = dots(simd, group, b.vectors(number));
                for other in 0..ROWS {
                    let sum = a.with_rest(row + other, &b, number, sums[other]);
                    to[(row + other) * columns + column + number] = sum as f32;
                }
            }
            row += ROWS;
        }
        for row in row..rows {
            let (slice, to) = (a.vectors(row), &mut to[row * columns + column..][..count]);
            let mut number = 0;
            // Several columns at a time, because the processor adds to several sums in the time that one addition takes.
            while number + ROWS <= count {
                let sums = dots::<S, ROWS>(simd, from_fn(|other| b.vectors(number + other)), slice);
                for other in 0..ROWS {
                    to[number + other] = b.with_rest(number + other, &a, row, sums[other]) as f32;
                }
                number += ROWS;
            }
            for (number, to) in to.iter_mut().enumerate().skip(number) {
                let [sum] = dots(simd, [b.vectors(number)], slice);
                *to = b.with_rest(number, &a, row, sum) as f32;
            }
        }
    }
}

/// Multiplies by some columns of the matrix after the other, which are copied row by row to `tile`.
#[inline(always)]
fn by_tiles<S: Simd>(simd: S, a: &[f64], from: &[f32], right: Matrix, tile: &mut [f64], to: &mut [f32]) {
    let Matrix { rows: inner, columns, down, right } = right;
    let down = down.max(1);
    let width = 2 * S::F64_LANES;
    let (rows, tile) = (to.len() / columns, &mut tile[..inner * width]);
    for column in (0..columns).step_by(width) {
        let count = width.min(columns - column);
        if right == 1 && count == width {
            for (row, to) in tile.chunks_exact_mut(width).enumerate() {
                widen_few(&from[row * down + column..][..width], &mut to[..width]);
            }
        } else if right == 1 {
            for (row, to) in tile.chunks_exact_mut(width).enumerate() {
                widen(&from[row * down + column..][..count], to);
            }
        } else {
            let length = (inner - 1) * down + 1;
            let mut number = 0;
            while down == 1 && number + 4 <= count {
                // Four columns at a time, because the loop takes about as long for one.
                let first = &from[(column + number) * right..];
                let (a, b) = (&first[..length], &first[right..][..length]);
                let (c, d) = (&first[2 * right..][..length], &first[3 * right..][..length]);
                let columns = a.iter().zip(b).zip(c).zip(d);
                for (to, (((a, b), c), d)) in tile.chunks_exact_mut(width).zip(columns) {
                    to[number..number + 4].copy_from_slice(&[f64::from(*a), (*b).into(), (*c).into(), (*d).into()]);
                }
                number += 4;
            }
            for number in number..count {
                let from = &from[(column + number) * right..][..length];
                for (to, x) in tile.chunks_exact_mut(width).zip(from.iter().step_by(down)) {
                    to[number] = (*x).into();
                }
            }
        }
        let mut first = 0;
        while first + ROWS <= rows {
            let sums = multiples::<S, ROWS>(simd, &a[first * inner..], tile);
            for row in 0..ROWS {
                store::<S>(sums[row], &mut to[(first + row) * columns + column..][..count]);
            }
            first += ROWS;
        }
        for row in first..rows {
            let [sums] = multiples::<S, 1>(simd, &a[row * inner..], tile);
            store::<S>(sums, &mut to[row * columns + column..][..count]);
        }
    }
}

/// The sums of products of `other` with each of `R` slices of as many vectors.
#[inline(always)]
fn dots<S: Simd, const R: usize>(simd: S, rows: [&[S::f64s]; R], other: &[S::f64s]) -> [f64; R] {
    let (pairs, single) = other.as_chunks::<2>();
    // All slices have this length, so the loop checks no index.
    let count = pairs.len();
    let pairs_of_rows: [_; R] = from_fn(|row| &rows[row].as_chunks::<2>().0[..count]);
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
        let [mut sum, second] = sums[row];
        if let [last] = single {
            sum = simd.mul_add_e_f64s(rows[row][other.len() - 1], *last, sum);
        }
        results[row] = simd.reduce_sum_f64s(simd.add_f64s(sum, second));
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
fn store<S: Simd>(sums: [S::f64s; 2], to: &mut [f32]) {
    let numbers: &[f64] = bytemuck::cast_slice(&sums);
    if to.len() == numbers.len() {
        narrow_few(numbers, &mut to[..2 * S::F64_LANES]);
    } else {
        for (to, x) in to.iter_mut().zip(numbers) {
            *to = *x as f32;
        }
    }
}

/// Converts as many elements as both slices have. The loops of these functions are not left to the methods of iterators, which
/// become functions of their own, without the vector instructions, if there are many calls.
#[inline(always)]
fn widen(from: &[f32], to: &mut [f64]) {
    for (to, x) in to.iter_mut().zip(from) {
        *to = (*x).into();
    }
}

/// Like [`widen`], for few elements, whose number the compiler knows: one instruction converts four of them.
#[inline(always)]
fn widen_few(from: &[f32], to: &mut [f64]) {
    let ((from, rest), (to, rest_of_to)) = (from.as_chunks(), to.as_chunks_mut());
    for (to, [a, b, c, d]) in to.iter_mut().zip(from) {
        let converted: [f64; 4] = [(*a).into(), (*b).into(), (*c).into(), (*d).into()];
        *to = converted;
    }
    widen(rest, rest_of_to);
}

/// Rounds numbers as [`widen_few`] converts them.
#[inline(always)]
fn narrow_few(from: &[f64], to: &mut [f32]) {
    let ((from, rest), (to, rest_of_to)) = (from.as_chunks(), to.as_chunks_mut());
    for (to, [a, b, c, d]) in to.iter_mut().zip(from) {
        let rounded: [f32; 4] = [*a as f32, *b as f32, *c as f32, *d as f32];
        *to = rounded;
    }
    for (to, x) in rest_of_to.iter_mut().zip(rest) {
        *to = *x as f32;
    }
}
