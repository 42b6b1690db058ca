//! Products of matrices, and sums of products.

use std::collections::BTreeMap;

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayD, ArrayView2, ArrayViewD, ArrayViewMut2, Axis, Ix2, IxDyn};
use object_core::prelude::*;
use object_ir::attrs::{EinsumAttrs, MatmulAttrs};
use object_relax::op::einsum::{Equation, Label};

use super::arrays::{Pair, broadcast_dims, from_index, pair, pair_of, unravel, zip};
use super::evaluation::Evaluation;
use super::matrix_product::product;
use crate::value::{Numbers, shaped};

/// Numbers that a sum of products is made of.
pub(super) trait Ring: Copy {
    /// The empty sum.
    const ZERO: Self;
    /// The empty product.
    const ONE: Self;
    /// The sum of `self` and the product of `a` and `b`, modulo the range of integers.
    fn plus_product(self, a: Self, b: Self) -> Self;
}

impl Ring for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    fn plus_product(self, a: f64, b: f64) -> f64 {
        self + a * b
    }
}

impl Ring for i128 {
    const ZERO: i128 = 0;
    const ONE: i128 = 1;

    fn plus_product(self, a: i128, b: i128) -> i128 {
        self.wrapping_add(a.wrapping_mul(b))
    }
}

/// A function that adds the product of two matrices to a matrix.
pub(super) type Product<T> = fn(&ArrayView2<'_, T>, &ArrayView2<'_, T>, &mut ArrayViewMut2<'_, T>);

/// Adds the product of two matrices of integers.
pub(super) fn int_product(a: &ArrayView2<'_, i128>, b: &ArrayView2<'_, i128>, product: &mut ArrayViewMut2<'_, i128>) {
    for (row, mut target) in a.outer_iter().zip(product.outer_iter_mut()) {
        for (factor, other) in row.iter().zip(b.outer_iter()) {
            for (sum, number) in target.iter_mut().zip(other) {
                *sum = sum.plus_product(*factor, *number);
            }
        }
    }
}

/// Adds the product of two matrices of floating-point numbers.
pub(super) fn float_product(a: &ArrayView2<'_, f64>, b: &ArrayView2<'_, f64>, product: &mut ArrayViewMut2<'_, f64>) {
    general_mat_mul(1.0, a, b, 1.0, product);
}

/// Multiplies the matrices in the last two dimensions; the dimensions before them broadcast.
pub(super) fn matrices<T: Ring>(
    call: &Evaluation<'_>,
    a: &ArrayD<T>,
    b: &ArrayD<T>,
    product: Product<T>,
) -> Result<ArrayD<T>, Error> {
    if a.ndim() == 0 || b.ndim() == 0 {
        return Err(call.invalid("expected tensors of at least 1 dimension"));
    }
    // A vector is a row on the left, and a column on the right.
    let (is_row, is_column) = (a.ndim() == 1, b.ndim() == 1);
    let a = if is_row { a.view().insert_axis(Axis(0)) } else { a.view() };
    let b = if is_column { b.view().insert_axis(Axis(1)) } else { b.view() };
    let split = |dims: &[usize]| (dims[..dims.len() - 2].to_vec(), [dims[dims.len() - 2], dims[dims.len() - 1]]);
    let ((outer_a, [rows, inner]), (outer_b, [other_inner, columns])) = (split(a.shape()), split(b.shape()));
    if inner != other_inner {
        return Err(call.invalid(format!("expected matrices that fit, got {inner} columns and {other_inner} rows")));
    }
    let outer = broadcast_dims(call, &outer_a, &outer_b)?;
    // One matrix on the right serves the rows of all matrices on the left.
    let is_shared = outer_b.iter().all(|size| *size == 1) && a.is_standard_layout();
    let wide = |matrix: [usize; 2]| IxDyn(&outer.iter().copied().chain(matrix).collect::<Vec<_>>());
    let fails = || call.invalid("the outer dimensions do not broadcast");
    let room = call.room_for::<T>(&[&outer[..], &[rows, columns]].concat())?;
    call.work(&[room, inner])?;
    let count: usize = outer.iter().product();
    let mut result = vec![T::ZERO; count * rows * columns];
    let mut multiply = |a: ArrayViewD<'_, T>, b: ArrayViewD<'_, T>, at: usize, rows: usize| {
        let (a, b) = (a.into_dimensionality::<Ix2>(), b.into_dimensionality::<Ix2>());
        let target = ArrayViewMut2::from_shape((rows, columns), &mut result[at..at + rows * columns]);
        let (Ok(a), Ok(b), Ok(mut target)) = (a, b, target) else { return Err(fails()) };
        product(&a, &b, &mut target);
        Ok(())
    };
    if is_shared {
        let a = a.into_shape_with_order(IxDyn(&[count * rows, inner])).map_err(|_| fails())?;
        let b = outer_b.iter().fold(b, |b, _| b.index_axis_move(Axis(0), 0));
        multiply(a, b, 0, count * rows)?;
    } else {
        let a = a.broadcast(wide([rows, inner])).ok_or_else(fails)?;
        let b = b.broadcast(wide([inner, columns])).ok_or_else(fails)?;
        for position in 0..count {
            let (mut a, mut b) = (a.view(), b.view());
            for index in unravel(position, &outer) {
                (a, b) = (a.index_axis_move(Axis(0), index), b.index_axis_move(Axis(0), index));
            }
            multiply(a, b, position * rows * columns, rows)?;
        }
    }
    let mut dims = outer.to_vec();
    dims.extend((!is_row).then_some(rows));
    dims.extend((!is_column).then_some(columns));
    shaped(&dims, result)
}

/// The product of matrices of floating-point numbers, with broadcasting.
pub(super) fn float_matrices(call: &Evaluation<'_>, a: &ArrayD<f64>, b: &ArrayD<f64>) -> Result<ArrayD<f64>, Error> {
    matrices(call, a, b, float_product)
}

pub(crate) fn matmul(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (a, b, attrs) = (call.view(0)?, call.view(1)?, call.attrs::<MatmulAttrs>()?);
    let dtype = if attrs.out_dtype.is_void() { a.tensor().dtype() } else { attrs.out_dtype };
    if dtype == DataType::float(32)
        && let Some(product) = product(call, &a, &b)?
    {
        return Ok(product);
    }
    match pair_of(call, dtype, a.numbers(call.meter())?, b.numbers(call.meter())?)? {
        Pair::Int(a, b) => call.integers(dtype, &matrices(call, &a, &b, int_product)?),
        Pair::Float(a, b) => call.floats(dtype, &float_matrices(call, &a, &b)?),
    }
}

pub(crate) fn outer(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (a, b) = (call.tensor(0)?, call.tensor(1)?);
    let dtype = a.dtype();
    if a.rank() != 1 || b.rank() != 1 {
        return Err(call.invalid(format!("expected two vectors, got ranks {} and {}", a.rank(), b.rank())));
    }
    match pair(call, a.numbers(call.meter())?, b.numbers(call.meter())?)? {
        Pair::Float(a, b) => call.floats(dtype, &zip(call, &a.insert_axis(Axis(1)), &b, |a, b| a * b)?),
        Pair::Int(a, b) => call.integers(dtype, &zip(call, &a.insert_axis(Axis(1)), &b, |a, b| a.wrapping_mul(*b))?),
    }
}

/// The subscripts of an operand, with a number for each dimension of the ellipsis, counted from its end.
fn subscripts(call: &Evaluation<'_>, labels: &[Label], rank: usize) -> Result<Vec<Subscript>, Error> {
    let others = labels.iter().filter(|label| **label != Label::Ellipsis).count();
    let has_ellipsis = others < labels.len();
    if rank < others || (rank > others && !has_ellipsis) {
        return Err(call.invalid(format!("expected an operand of {others} dimensions, got {rank}")));
    }
    let covered = rank - others;
    Ok(labels
        .iter()
        .flat_map(|label| match label {
            Label::Ellipsis => (0..covered).rev().map(Subscript::Covered).collect::<Vec<_>>(),
            Label::Letter(letter) => vec![Subscript::Letter(*letter)],
        })
        .collect())
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Subscript {
    Covered(usize),
    Letter(char),
}

/// The sum of products, over all values of the subscripts that the result does not have.
fn summed<T: Ring>(
    call: &Evaluation<'_>,
    operands: &[ArrayD<T>],
    inputs: &[Vec<Subscript>],
    output: &[Subscript],
    sizes: &BTreeMap<Subscript, usize>,
) -> Result<ArrayD<T>, Error> {
    let inner: Vec<Subscript> = sizes.keys().copied().filter(|subscript| !output.contains(subscript)).collect();
    let size = |subscripts: &[Subscript]| subscripts.iter().map(|it| sizes[it]).collect::<Vec<_>>();
    let (dims, inner_dims) = (size(output), size(&inner));
    let inner_count = call.count(&inner_dims)?;
    call.work(&[call.count(&dims)?, inner_count])?;
    from_index(call, &dims, |at| {
        let mut sum = T::ZERO;
        for position in 0..inner_count {
            let inner_at = unravel(position, &inner_dims);
            let place = |subscript: &Subscript| {
                let of_output = output.iter().position(|it| it == subscript).map(|axis| at[axis]);
                let of_inner = || inner.iter().position(|it| it == subscript).map(|axis| inner_at[axis]);
                of_output.or_else(of_inner).unwrap_or_default()
            };
            let product = operands.iter().zip(inputs).fold(T::ONE, |product, (operand, subscripts)| {
                // A dimension of size 1 broadcasts.
                let index: Vec<usize> =
                    subscripts.iter().zip(operand.shape()).map(|(it, size)| place(it).min(size - 1)).collect();
                T::ZERO.plus_product(product, operand[IxDyn(&index)])
            });
            sum = sum.plus_product(product, T::ONE);
        }
        sum
    })
}

pub(crate) fn einsum(call: &Evaluation<'_>) -> Result<Any, Error> {
    let operands = call.tensors(0)?;
    let equation = Equation::parse(&call.attrs::<EinsumAttrs>()?.subscripts).map_err(|reason| call.invalid(reason))?;
    let dims = call.result_dims()?;
    let inputs = equation.inputs.iter().zip(&operands).map(|(labels, it)| subscripts(call, labels, it.rank()));
    let inputs: Vec<Vec<Subscript>> = inputs.collect::<Result<_, _>>()?;
    let mut sizes: BTreeMap<Subscript, usize> = BTreeMap::new();
    for (subscripts, operand) in inputs.iter().zip(&operands) {
        for (subscript, size) in subscripts.iter().zip(operand.dims()) {
            let known = sizes.entry(*subscript).or_insert(size);
            *known = if *known == 1 { size } else { *known };
        }
    }
    let covered = sizes.keys().filter(|subscript| matches!(subscript, Subscript::Covered(_))).count();
    let letters = equation.output.iter().filter(|label| **label != Label::Ellipsis).count();
    let output =
        subscripts(call, &equation.output, if letters < equation.output.len() { letters + covered } else { letters })?;
    let dtype = operands.first().map_or(DataType::float(32), |operand| operand.dtype());
    let numbers = operands.iter().map(|operand| operand.numbers(call.meter())).collect::<Result<Vec<_>, _>>()?;
    if numbers.iter().all(|numbers| matches!(numbers, Numbers::Int(_))) {
        let arrays: Vec<_> = operands.iter().map(|operand| operand.ints(call.meter())).collect::<Result<_, _>>()?;
        let result = summed(call, &arrays, &inputs, &output, &sizes)?;
        debug_assert_eq!(result.shape(), dims, "the shape of the result is the inferred one");
        return call.integers(dtype, &result);
    }
    let arrays: Vec<_> = operands.iter().map(|operand| operand.floats(call.meter())).collect::<Result<_, _>>()?;
    call.floats(dtype, &summed(call, &arrays, &inputs, &output, &sizes)?)
}
