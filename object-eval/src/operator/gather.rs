//! Operators that choose elements by indices and slices.

use ndarray::{ArrayD, IxDyn};
use object_core::prelude::*;
use object_ir::attrs::{GatherElementsAttrs, GatherNDAttrs, TakeAttrs};

use super::arrays::{array, broadcast, broadcast_dims};
use super::evaluation::Evaluation;
use crate::value::{Element, Strided, Tensor, Value, shaped, with_element};

/// The position that an index stands for. A negative index counts from the end.
fn position(call: &Evaluation<'_>, index: i64, size: usize) -> Result<usize, Error> {
    let from_start = if index < 0 { index + size as i64 } else { index };
    usize::try_from(from_start)
        .ok()
        .filter(|position| *position < size)
        .ok_or_else(|| call.invalid(format!("expected an index of one of {size} elements, got {index}")))
}

/// The position of an index in `take`, by the mode; `None` for NaN.
fn taken(call: &Evaluation<'_>, mode: &str, index: i64, size: usize) -> Result<Option<usize>, Error> {
    let last = size as i64 - 1;
    match mode {
        "clip" | "wrap" if size == 0 => position(call, index, size).map(Some),
        "clip" => Ok(usize::try_from(index.clamp(0, last)).ok()),
        "wrap" => Ok(usize::try_from(index.rem_euclid(size as i64)).ok()),
        "nan" => Ok(usize::try_from(index).ok().filter(|position| *position < size)),
        _ => position(call, index, size).map(Some),
    }
}

pub(crate) fn take(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<TakeAttrs>()?);
    let indices = match Value::of(call.value(1)) {
        Value::Tensor(indices) => indices.indices(call.meter())?,
        _ => array(call, &[], [call.scalar(1)?.int()])?,
    };
    let (mut dims, axis) = match attrs.axis {
        Some(axis) => (x.shape().to_vec(), call.axis(axis, x.rank())?),
        None => (vec![x.len() as i64], 0),
    };
    let size = usize::try_from(dims[axis]).unwrap_or_default();
    let chosen = indices.iter().map(|index| taken(call, &attrs.mode, *index, size));
    let chosen: Vec<Option<usize>> = chosen.collect::<Result<_, _>>()?;
    // The slices at the indices, one after the other along the axis.
    let (outer, inner) = (call.room(&dims[..axis])?, call.room(&dims[axis + 1..])?);
    let (outer, inner): (usize, usize) = (outer.iter().product(), inner.iter().product());
    dims.splice(axis..=axis, indices.shape().iter().map(|size| *size as i64));
    call.work(&[call.room(&dims)?.iter().product()])?;
    let result = Tensor::zeros(x.dtype(), &dims, call.meter())?;
    let padding = with_element!(x.element(), T => bytemuck::bytes_of(&<T as Element>::from_float(f64::NAN)).to_vec());
    // A tensor without elements may have any number of rows.
    if !result.is_empty() {
        let (from, mut to) = (x.read_bytes(), result.write_bytes());
        let run = inner * padding.len();
        let mut slices = to.chunks_exact_mut(run);
        for row in 0..outer {
            for (position, slice) in chosen.iter().zip(&mut slices) {
                match position {
                    Some(position) => slice.copy_from_slice(&from[(row * size + position) * run..][..run]),
                    None => slice.chunks_exact_mut(padding.len()).for_each(|place| place.copy_from_slice(&padding)),
                }
            }
        }
    }
    Ok(result.into())
}

pub(crate) fn gather_elements(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, indices) = (call.tensor(0)?, call.tensor(1)?.indices(call.meter())?);
    let axis = call.axis(call.attrs::<GatherElementsAttrs>()?.axis, x.rank())?;
    let places = x.places(0, call.meter())?;
    call.room_for::<usize>(indices.shape())?;
    let mut chosen = Vec::with_capacity(indices.len());
    for (at, index) in indices.indexed_iter() {
        let mut source: Vec<usize> = (0..indices.ndim()).map(|axis| at[axis]).collect();
        if source.len() != x.rank() {
            return Err(call.invalid(format!("expected indices of rank {}, got {}", x.rank(), source.len())));
        }
        source[axis] = position(call, *index, x.dims()[axis])?;
        let place = places.get(IxDyn(&source));
        chosen.push(*place.ok_or_else(|| call.invalid("the indices have more elements than the data"))?);
    }
    call.moved(std::slice::from_ref(x), &shaped(indices.shape(), chosen)?)
}

/// The prefix of an index of `data` that the last dimension of `indices` has at `at`.
pub(super) fn listed(
    call: &Evaluation<'_>,
    indices: &ArrayD<i64>,
    at: &[usize],
    sizes: &[usize],
) -> Result<Vec<usize>, Error> {
    let count = indices.shape().last().copied().unwrap_or(0);
    if count > sizes.len() {
        return Err(call.invalid(format!("the index has {count} numbers for {} dimensions", sizes.len())));
    }
    let mut place = at.to_vec();
    place.push(0);
    let number = |number: usize| {
        place[at.len()] = number;
        position(call, indices[IxDyn(&place)], sizes[number])
    };
    (0..count).map(number).collect()
}

pub(crate) fn gather_nd(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, indices) = (call.tensor(0)?, call.tensor(1)?.indices(call.meter())?);
    let batch = usize::try_from(call.attrs::<GatherNDAttrs>()?.batch_dims).unwrap_or(0);
    let Some((count, outer)) = indices.shape().split_last() else {
        return Err(call.invalid("expected indices of at least 1 dimension"));
    };
    if batch > outer.len() || batch + count > x.rank() || outer[..batch] != x.dims()[..batch] {
        let message = format!("indices of shape {:?} do not fit data of shape {:?}", indices.shape(), x.dims());
        return Err(call.invalid(message));
    }
    let rest = x.dims()[batch + count..].to_vec();
    let slice: usize = rest.iter().product();
    let places = x.places(0, call.meter())?;
    let dims: Vec<usize> = outer.iter().copied().chain(rest).collect();
    call.room_for::<usize>(&dims)?;
    let mut chosen = Vec::new();
    for position in 0..outer.iter().product() {
        let at = super::arrays::unravel(position, outer);
        let mut source = at[..batch].to_vec();
        source.extend(listed(call, &indices, &at, &x.dims()[batch..])?);
        source.resize(x.rank(), 0);
        if slice > 0 {
            let first = places[IxDyn(&source)];
            chosen.extend(first..first + slice);
        }
    }
    call.moved(std::slice::from_ref(x), &shaped(&dims, chosen)?)
}

/// The index tensors, broadcast to one shape.
pub(super) fn broadcast_indices(
    call: &Evaluation<'_>,
    tensors: &[Tensor],
) -> Result<(Vec<usize>, Vec<Vec<i64>>), Error> {
    let mut dims = Vec::new();
    for tensor in tensors {
        dims = broadcast_dims(call, &dims, &tensor.dims())?.into_vec();
    }
    let indices = tensors.iter().map(|tensor| {
        let indices = tensor.indices(call.meter())?;
        call.room_for::<i64>(&dims)?;
        Ok(broadcast(call, &indices, &dims)?.iter().copied().collect())
    });
    let indices = indices.collect::<Result<_, Error>>()?;
    Ok((dims, indices))
}

pub(crate) fn index_tensor(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, tensors) = (call.tensor(0)?, call.tensors(1)?);
    if tensors.len() > x.rank() {
        return Err(call.invalid(format!("expected at most {} tensors of indices, got {}", x.rank(), tensors.len())));
    }
    let (dims, indices) = broadcast_indices(call, &tensors)?;
    let sizes = x.dims();
    let slice: usize = sizes[tensors.len()..].iter().product();
    let result: Vec<usize> = dims.iter().chain(&sizes[tensors.len()..]).copied().collect();
    call.room_for::<usize>(&result)?;
    let mut chosen = Vec::new();
    for element in 0..dims.iter().product() {
        let mut place = 0;
        for (index, size) in indices.iter().zip(&sizes) {
            place = place * size + position(call, index[element], *size)?;
        }
        chosen.extend(place * slice..(place + 1) * slice);
    }
    call.moved(std::slice::from_ref(x), &shaped(&result, chosen)?)
}

/// The slice of a dimension of `size` elements: its first position and the number of its elements.
fn slice_of(call: &Evaluation<'_>, size: usize, (begin, end, step): (i64, i64, i64)) -> Result<(usize, usize), Error> {
    let size = size as i64;
    if step == 0 {
        return Err(call.invalid("expected a stride other than 0, got 0"));
    }
    let (least, greatest) = if step < 0 { (-1, size - 1) } else { (0, size) };
    let clamped = |index: i64| {
        let index = if index < 0 { index.saturating_add(size) } else { index };
        index.clamp(least, greatest.max(least))
    };
    let (begin, end) = (clamped(begin), clamped(end));
    let distance = if step < 0 { begin - end } else { end - begin };
    let count = usize::try_from(distance).unwrap_or_default() as u64;
    Ok((usize::try_from(begin).unwrap_or_default(), count.div_ceil(step.unsigned_abs()) as usize))
}

/// The elements at the positions along each axis.
fn sliced(call: &Evaluation<'_>, slices: &[(usize, (i64, i64, i64))]) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    let (mut dims, mut places) = (x.sizes(), Strided::new(&x.sizes()));
    for (axis, slice) in slices {
        let (begin, count) = slice_of(call, dims[*axis], *slice)?;
        dims[*axis] = count;
        places = places.stepped(*axis, begin, count, slice.2 as isize);
    }
    Ok(x.strided(&places, call.meter())?.into())
}

pub(crate) fn strided_slice(call: &Evaluation<'_>) -> Result<Any, Error> {
    let rank = call.tensor(0)?.rank();
    let axes = call.ints(1)?.into_iter().map(|axis| call.axis(axis, rank)).collect::<Result<Vec<_>, _>>()?;
    let (begin, end) = (call.ints(2)?, call.ints(3)?);
    let strides = if matches!(call.value(4), Any::None) { vec![1; axes.len()] } else { call.ints(4)? };
    if [begin.len(), end.len(), strides.len()].iter().any(|count| *count != axes.len()) {
        return Err(call.invalid(format!("expected {} indices and strides, one for each axis", axes.len())));
    }
    let slices: Vec<_> = axes.into_iter().zip(begin.into_iter().zip(end).zip(strides)).collect();
    let slices: Vec<_> = slices.into_iter().map(|(axis, ((begin, end), step))| (axis, (begin, end, step))).collect();
    sliced(call, &slices)
}

pub(crate) fn dynamic_strided_slice(call: &Evaluation<'_>) -> Result<Any, Error> {
    let rank = call.tensor(0)?.rank();
    let numbers = |index: usize| -> Result<Vec<i64>, Error> {
        let numbers: Vec<i64> = call.tensor(index)?.indices(call.meter())?.iter().copied().collect();
        let given = numbers.len();
        if given == rank { Ok(numbers) } else { Err(call.invalid(format!("expected {rank} indices, got {given}"))) }
    };
    let (begin, end, strides) = (numbers(1)?, numbers(2)?, numbers(3)?);
    let slices: Vec<_> = (0..rank).map(|axis| (axis, (begin[axis], end[axis], strides[axis]))).collect();
    sliced(call, &slices)
}
