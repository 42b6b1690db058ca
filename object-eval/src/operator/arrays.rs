//! Functions over arrays that several families use.

use crate::value::{ElementType, Numbers, PerDimension, counted, shaped};
use ndarray::{ArrayD, ArrayViewD, Axis, IxDyn, Zip};
use object_core::prelude::*;

use super::evaluation::Evaluation;

/// An array of the shape `dims` with the given elements, in C order. It counts until the end of the operator, as all arrays
/// of operators do.
///
/// # Errors
/// As for [`counted`].
pub(crate) fn array<T>(
    call: &Evaluation<'_>,
    dims: &[usize],
    elements: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
) -> Result<ArrayD<T>, Error> {
    counted(dims, elements.into_iter(), call.meter())
}

/// An array of the shape `dims` whose elements are `value`.
pub(crate) fn filled<T: Clone>(call: &Evaluation<'_>, dims: &[usize], value: T) -> Result<ArrayD<T>, Error> {
    let count = call.room_for::<T>(dims)?;
    shaped(dims, vec![value; count])
}

/// Applies `f` to the elements of an array.
pub(crate) fn mapped<T, U>(
    call: &Evaluation<'_>,
    array: &ArrayD<T>,
    f: impl FnMut(&T) -> U,
) -> Result<ArrayD<U>, Error> {
    counted(array.shape(), array.iter().map(f), call.meter())
}

/// The shape to which two shapes broadcast, of an array that exists.
pub(crate) fn broadcast_dims(call: &Evaluation<'_>, a: &[usize], b: &[usize]) -> Result<PerDimension, Error> {
    let rank = a.len().max(b.len());
    let size = |dims: &[usize], index: usize| (index + dims.len()).checked_sub(rank).map_or(1, |index| dims[index]);
    let mut dims = PerDimension::new();
    for index in 0..rank {
        dims.push(match (size(a, index), size(b, index)) {
            (a, b) if a == b || b == 1 => a,
            (1, b) => b,
            _ => {
                return Err(call.invalid(format!(
                    "expected shapes that broadcast, got {a:?} and {b:?}: sizes of a dimension are equal or 1"
                )));
            }
        });
    }
    call.count(&dims)?;
    Ok(dims)
}

/// The array with its elements repeated, so that it has the shape `dims`, to which it broadcasts.
pub(crate) fn broadcast<'a, T: Clone>(
    call: &Evaluation<'_>,
    array: &'a ArrayD<T>,
    dims: &[usize],
) -> Result<ArrayViewD<'a, T>, Error> {
    array
        .broadcast(IxDyn(dims))
        .ok_or_else(|| call.invalid(format!("expected an array that broadcasts to {dims:?}, got {:?}", array.shape())))
}

/// Applies `f` to the pairs of elements of two arrays, which broadcast.
pub(crate) fn zip<A: Clone, B: Clone, C>(
    call: &Evaluation<'_>,
    a: &ArrayD<A>,
    b: &ArrayD<B>,
    f: impl FnMut(&A, &B) -> C,
) -> Result<ArrayD<C>, Error> {
    let dims = broadcast_dims(call, a.shape(), b.shape())?;
    call.room_for::<C>(&dims)?;
    Ok(Zip::from(broadcast(call, a, &dims)?).and(broadcast(call, b, &dims)?).map_collect(f))
}

/// The elements of `array` in the shape `dims`, in C order.
///
/// # Errors
/// [`OutOfRange`](ErrorKind::OutOfRange) for another number of elements.
pub(crate) fn reshaped<T: Clone>(call: &Evaluation<'_>, array: &ArrayD<T>, dims: &[usize]) -> Result<ArrayD<T>, Error> {
    shaped(dims, elements_of(call, &array.view())?)
}

/// The elements of `array` in C order.
fn elements_of<T: Clone>(call: &Evaluation<'_>, array: &ArrayViewD<'_, T>) -> Result<Vec<T>, Error> {
    call.room_for::<T>(array.shape())?;
    // The elements in memory order are copied at once.
    Ok(array.as_slice().map_or_else(|| array.iter().cloned().collect(), <[T]>::to_vec))
}

/// Reduces the dimensions `axes`: `f` gets the elements of each slice over them, in C order. The result keeps the dimensions
/// with size 1, or has them not.
///
/// # Errors
/// [`LimitExceeded`](ErrorKind::LimitExceeded) if the result exceeds the memory budget: a reduction over an empty dimension
/// has elements.
pub(crate) fn reduce<T: Clone, U>(
    call: &Evaluation<'_>,
    array: &ArrayD<T>,
    axes: &[usize],
    keepdims: bool,
    mut f: impl FnMut(&[T]) -> U,
) -> Result<ArrayD<U>, Error> {
    let rank = array.ndim();
    let kept: Vec<usize> = (0..rank).filter(|axis| !axes.contains(axis)).collect();
    let order: Vec<usize> = kept.iter().copied().chain((0..rank).filter(|axis| axes.contains(axis))).collect();
    let row: usize = axes.iter().map(|axis| array.shape()[*axis]).product();
    let rows = call.room_for::<U>(&kept.iter().map(|axis| array.shape()[*axis]).collect::<Vec<_>>())?;
    let elements: Vec<T> = elements_of(call, &array.view().permuted_axes(IxDyn(&order)))?;
    let results = (0..rows).map(|index| f(&elements[index * row..(index + 1) * row])).collect();
    let size = |axis: usize| if axes.contains(&axis) { 1 } else { array.shape()[axis] };
    let dims: Vec<usize> =
        if keepdims { (0..rank).map(size).collect() } else { kept.iter().map(|axis| array.shape()[*axis]).collect() };
    shaped(&dims, results)
}

/// Replaces each lane along `axis` by the result of `f`, which may have another length than the lane, but one for all.
///
/// # Errors
/// As for [`reduce`].
pub(crate) fn lanes<T: Clone, U>(
    call: &Evaluation<'_>,
    array: &ArrayD<T>,
    axis: usize,
    mut f: impl FnMut(&[T]) -> Vec<U>,
) -> Result<ArrayD<U>, Error> {
    call.room_for::<U>(array.shape())?;
    let (mut results, mut count) = (Vec::with_capacity(array.len()), 0);
    for lane in array.lanes(Axis(axis)) {
        match lane.as_slice() {
            Some(lane) => results.extend(f(lane)),
            None => results.extend(f(&lane.to_vec())),
        }
        count += 1;
    }
    let length = results.len().checked_div(count).unwrap_or(array.shape()[axis]);
    let mut dims = array.shape().to_vec();
    dims.remove(axis);
    dims.push(length);
    let flat = shaped(&dims, results)?;
    let rank = array.ndim();
    let mut order: Vec<usize> = (0..rank - 1).collect();
    order.insert(axis, rank - 1);
    Ok(flat.permuted_axes(IxDyn(&order)))
}

/// The index of the element at `position` in C order of an array of shape `dims`.
pub(crate) fn unravel(mut position: usize, dims: &[usize]) -> Vec<usize> {
    let mut index = vec![0; dims.len()];
    for (place, size) in index.iter_mut().zip(dims).rev() {
        *place = position % size;
        position /= size;
    }
    index
}

/// An array of shape `dims` whose element at each index is the result of `f`.
///
/// # Errors
/// [`LimitExceeded`](ErrorKind::LimitExceeded) if the array exceeds the memory budget or the step budget.
pub(crate) fn from_index<T>(
    call: &Evaluation<'_>,
    dims: &[usize],
    mut f: impl FnMut(&[usize]) -> T,
) -> Result<ArrayD<T>, Error> {
    let count = call.count(dims)?;
    call.work(&[count])?;
    let mut index = vec![0; dims.len()];
    let elements = (0..count).map(|_| {
        let element = f(&index);
        advance(&mut index, dims);
        element
    });
    array(call, dims, elements)
}

/// Moves `index` to the next element in C order of an array of shape `dims`; from the last one to the first one.
pub(crate) fn advance(index: &mut [usize], dims: &[usize]) {
    for (place, size) in index.iter_mut().zip(dims).rev() {
        *place += 1;
        if *place < *size {
            return;
        }
        *place = 0;
    }
}

/// Two arrays of numbers of one kind.
pub(crate) enum Pair {
    Float(ArrayD<f64>, ArrayD<f64>),
    Int(ArrayD<i128>, ArrayD<i128>),
}

fn floats(call: &Evaluation<'_>, numbers: Numbers) -> Result<ArrayD<f64>, Error> {
    match numbers {
        Numbers::Float(numbers) => Ok(numbers),
        Numbers::Int(numbers) => mapped(call, &numbers, |number| *number as f64),
    }
}

/// Both arrays as floating-point numbers if one of them is, else as integers.
pub(crate) fn pair(call: &Evaluation<'_>, a: Numbers, b: Numbers) -> Result<Pair, Error> {
    Ok(match (a, b) {
        (Numbers::Int(a), Numbers::Int(b)) => Pair::Int(a, b),
        (a, b) => Pair::Float(floats(call, a)?, floats(call, b)?),
    })
}

/// Both arrays as numbers of the kind of `dtype`, the type in which an operator multiplies and adds them.
pub(crate) fn pair_of(call: &Evaluation<'_>, dtype: DataType, a: Numbers, b: Numbers) -> Result<Pair, Error> {
    let ints = |numbers: Numbers| match numbers {
        Numbers::Float(numbers) => mapped(call, &numbers, |number| *number as i128),
        Numbers::Int(numbers) => Ok(numbers),
    };
    Ok(match ElementType::of(dtype)?.is_float() {
        true => Pair::Float(floats(call, a)?, floats(call, b)?),
        false => Pair::Int(ints(a)?, ints(b)?),
    })
}
