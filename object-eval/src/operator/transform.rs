//! Operators that move elements to other places by their shape.

use ndarray::{Axis, IxDyn};
use object_core::prelude::*;
use object_ir::attrs::{
    ConcatAttrs, ExpandDimsAttrs, FlipAttrs, LayoutTransformAttrs, MeshgridAttrs, OneHotAttrs, PadAttrs,
    PermuteDimsAttrs, PixelShuffleAttrs, RepeatAttrs, SplitAttrs, SqueezeAttrs, StackAttrs, TileAttrs,
};
use object_ir::ir::IntImm;

use super::arrays::{filled, from_index, reduce, reshaped};
use super::evaluation::Evaluation;
use crate::scalar::{Scalar, ScalarCode};
use crate::value::{Numbers, Ordered, PADDING, PerDimension, Places, Strided, Tensor, View};

/// Moves the elements of the first argument by a function of their places.
fn moved(call: &Evaluation<'_>, f: impl FnOnce(Places) -> Result<Places, Error>) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    call.moved(std::slice::from_ref(x), &f(x.places(0, call.meter())?)?)
}

/// The elements of the first argument at other places.
fn strided(call: &Evaluation<'_>, places: &Strided) -> Result<Any, Error> {
    Ok(call.tensor(0)?.strided(places, call.meter())?.into())
}

fn in_shape(call: &Evaluation<'_>, shape: impl Into<Shape>) -> Result<Any, Error> {
    let (view, shape) = (call.view(0)?, shape.into());
    let x = view.tensor();
    if shape.elements() != Some(x.len()) {
        return Err(call.invalid(format!("expected a shape of {} elements, got {:?}", x.len(), &shape[..])));
    }
    Ok(view.copied_as(shape, call.meter())?.into())
}

pub(crate) fn reshape(call: &Evaluation<'_>) -> Result<Any, Error> {
    in_shape(call, call.shape(1)?.clone())
}

pub(crate) fn flatten(call: &Evaluation<'_>) -> Result<Any, Error> {
    in_shape(call, [call.tensor(0)?.len() as i64])
}

pub(crate) fn batch_flatten(call: &Evaluation<'_>) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    let Some((first, rest)) = x.shape().split_first() else {
        return Err(call.invalid("expected a tensor of at least 1 dimension"));
    };
    in_shape(call, [*first, rest.iter().product()])
}

pub(crate) fn expand_dims(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<ExpandDimsAttrs>()?);
    let rank = x.rank() + attrs.axis.len();
    let new = call.axes(Some(&attrs.axis), rank)?;
    let mut old = x.shape().iter().copied();
    let dims: Vec<i64> = (0..rank).map(|axis| if new.contains(&axis) { 1 } else { old.next().unwrap_or(1) }).collect();
    in_shape(call, dims)
}

pub(crate) fn squeeze(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<SqueezeAttrs>()?);
    let shape = x.shape();
    // As in inference, a dimension of another size than 1 stays.
    let mut removed = call.axes(attrs.axis.as_ref(), x.rank())?;
    removed.retain(|axis| shape[*axis] == 1);
    let dims: Vec<i64> = (0..x.rank()).filter(|axis| !removed.contains(axis)).map(|axis| shape[axis]).collect();
    in_shape(call, dims)
}

pub(crate) fn permute_dims(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.view(0)?, call.attrs::<PermuteDimsAttrs>()?);
    let rank = x.rank();
    // For each dimension of the result a dimension of the tensor in memory.
    let mut order = PerDimension::new();
    match &attrs.axes {
        Some(axes) => call.axes(Some(axes), rank)?.iter().for_each(|axis| order.push(x.axis(*axis))),
        None => (0..rank).rev().for_each(|axis| order.push(x.axis(axis))),
    }
    if order.len() != rank {
        return Err(call.invalid(format!("expected an order of {rank} dimensions, got {order:?}")));
    }
    if call.returns_view() {
        return Ok(View::of(x.tensor(), order).into());
    }
    let permuted = Ordered::new(x.tensor(), &order);
    let shape: Shape = permuted.dims().iter().map(|size| *size as i64).collect();
    Ok(permuted.copied_as(shape, call.meter())?.into())
}

/// The variables of an index map take the index of an element, and the results are its new index.
pub(crate) fn layout_transform(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<LayoutTransformAttrs>()?);
    let dims = call.result_dims()?;
    let map = &attrs.index_map;
    let codes = map.final_indices.iter().map(|index| {
        ScalarCode::compile(&index, &mut |var| {
            let slot = map.initial_indices.iter().position(|known| known.ptr_eq(var));
            let slot = slot.and_then(|slot| u32::try_from(slot).ok());
            slot.ok_or_else(|| call.invalid(format!("`{}` is not an index of the map", var.name)))
        })
    });
    let codes: Vec<ScalarCode> = codes.collect::<Result<_, _>>()?;
    let mut places = filled(call, &dims, PADDING)?;
    for (at, place) in x.places(0, call.meter())?.indexed_iter() {
        let slots: Vec<_> = (0..x.rank()).map(|axis| Some(Scalar::Int(at[axis] as i64))).collect();
        let target = codes.iter().map(|code| Ok(usize::try_from(code.run(&slots)?.int()).unwrap_or(usize::MAX)));
        let target: Vec<usize> = target.collect::<Result<_, Error>>()?;
        match places.get_mut(IxDyn(&target)) {
            Some(target) => *target = *place,
            None => return Err(call.invalid(format!("the map moves an element to {target:?}, outside of {dims:?}"))),
        }
    }
    let padding = match &attrs.pad_value {
        Some(padding) => {
            ScalarCode::compile(&padding.value, &mut |_| Err(call.invalid("expected a number as padding")))?
                .run(&[])?
                .float()
        }
        None => 0.0,
    };
    call.padded(std::slice::from_ref(x), &places, padding)
}

/// The places of the elements of several tensors, one tensor after the other.
fn places_of(call: &Evaluation<'_>, tensors: &[Tensor]) -> Result<Vec<Places>, Error> {
    let mut first = 0;
    let places = |tensor: &Tensor| {
        let places = tensor.places(first, call.meter());
        first += tensor.len();
        places
    };
    tensors.iter().map(places).collect()
}

/// Checks that there are tensors, and that they have one element type.
fn same_type(call: &Evaluation<'_>, tensors: &[Tensor]) -> Result<(), Error> {
    match tensors {
        [] => Err(call.invalid("expected at least one tensor")),
        [first, rest @ ..] if rest.iter().any(|tensor| tensor.dtype() != first.dtype()) => {
            Err(call.error(ErrorKind::TypeMismatch, "expected tensors of one element type"))
        }
        _ => Ok(()),
    }
}

pub(crate) fn concat(call: &Evaluation<'_>) -> Result<Any, Error> {
    let tensors = call.tensors(0)?;
    same_type(call, &tensors)?;
    let axis = call.axis(call.attrs::<ConcatAttrs>()?.axis.unwrap_or(0), tensors[0].rank())?;
    let mut dims = tensors[0].shape().to_vec();
    for tensor in &tensors[1..] {
        let shape = tensor.shape();
        let fits =
            shape.len() == dims.len() && (0..dims.len()).all(|other| other == axis || shape[other] == dims[other]);
        if !fits {
            let message = format!("expected shapes that differ in dimension {axis} only, got {dims:?} and {shape:?}");
            return Err(call.invalid(message));
        }
        dims[axis] = dims[axis].saturating_add(shape[axis]);
    }
    call.check_room(&dims)?;
    let result = Tensor::zeros(tensors[0].dtype(), &dims, call.meter())?;
    // A tensor without elements may have any number of rows.
    if result.is_empty() {
        return Ok(result.into());
    }
    let rows: usize = result.sizes()[..axis].iter().product();
    let (mut bytes, mut begin) = (result.write_bytes(), 0);
    let width = bytes.len() / rows;
    for tensor in &tensors {
        let from = tensor.read_bytes();
        let run = from.len() / rows;
        for row in 0..rows {
            bytes[row * width + begin..][..run].copy_from_slice(&from[row * run..][..run]);
        }
        begin += run;
    }
    drop(bytes);
    Ok(result.into())
}

pub(crate) fn stack(call: &Evaluation<'_>) -> Result<Any, Error> {
    let tensors = call.tensors(0)?;
    same_type(call, &tensors)?;
    let axis = call.axis(call.attrs::<StackAttrs>()?.axis.unwrap_or(0), tensors[0].rank() + 1)?;
    let places = places_of(call, &tensors)?;
    let views: Vec<_> = places.iter().map(|places| places.view()).collect();
    call.room_for::<usize>(&[tensors.iter().map(Tensor::len).sum()])?;
    let places = ndarray::stack(Axis(axis), &views).map_err(|error| call.invalid(error))?;
    call.moved(&tensors, &places)
}

pub(crate) fn meshgrid(call: &Evaluation<'_>) -> Result<Any, Error> {
    let tensors = call.tensors(0)?;
    same_type(call, &tensors)?;
    let is_cartesian = call.attrs::<MeshgridAttrs>()?.indexing.as_ref().is_some_and(|indexing| &**indexing == "xy");
    let mut order: Vec<usize> = (0..tensors.len()).collect();
    if is_cartesian && order.len() > 1 {
        order.swap(0, 1);
    }
    let dims: Vec<usize> = order.iter().map(|operand| tensors[*operand].len()).collect();
    let grids = tensors.iter().enumerate().map(|(operand, tensor)| {
        let axis = order.iter().position(|other| *other == operand).unwrap_or_default();
        call.moved(std::slice::from_ref(tensor), &from_index(call, &dims, |at| at[axis])?)
    });
    Ok(call.pack(grids.collect::<Result<_, _>>()?))
}

pub(crate) fn split(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<SplitAttrs>()?);
    let axis = call.axis(attrs.axis, x.rank())?;
    let size = x.dims()[axis];
    let ends: Vec<usize> = if let Some(sections) = attrs.indices_or_sections.downcast_ref::<IntImm>() {
        let sections = usize::try_from(sections.value).ok().filter(|sections| *sections > 0);
        let sections = sections.ok_or_else(|| call.invalid("expected at least one part"))?;
        if sections == 1 {
            return Ok(x.clone().into());
        }
        let width = size.div_ceil(sections);
        call.room_for::<[usize; 4]>(&[sections])?;
        (1..=sections).map(|section| (section * width).min(size)).collect()
    } else {
        let indices: Array<IntImm> = Any::Object(attrs.indices_or_sections.clone()).cast()?;
        if indices.is_empty() {
            return Ok(x.clone().into());
        }
        let clamped = |index: i64| {
            let index = if index < 0 { index + size as i64 } else { index };
            usize::try_from(index).unwrap_or(0).min(size)
        };
        indices.iter().map(|index| clamped(index.value)).chain([size]).collect()
    };
    let all = Strided::new(&x.dims());
    let mut begin = 0;
    let mut parts = Vec::new();
    for end in ends {
        let end = end.max(begin);
        parts.push(strided(call, &all.clone().sliced(axis, begin, end))?);
        begin = end;
    }
    Ok(call.pack(parts))
}

pub(crate) fn broadcast_to(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (from, to) = (call.tensor(0)?.dims(), call.room(call.shape(1)?)?);
    let places = Strided::new(&from).broadcast(&to);
    let places =
        places.ok_or_else(|| call.invalid(format!("expected an array that broadcasts to {to:?}, got {from:?}")))?;
    strided(call, &places)
}

/// The sum over the dimensions along which a tensor of the shape `dims` broadcasts.
fn collapse(call: &Evaluation<'_>, dims: &[i64]) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    let (from, to) = (x.dims(), call.room(dims)?);
    let Some(extra) = from.len().checked_sub(to.len()) else {
        return Err(call.invalid(format!("expected a shape of at most {} dimensions, got {dims:?}", from.len())));
    };
    let fits = |axis: usize| axis < extra || from[axis] == to[axis - extra] || to[axis - extra] == 1;
    if !(0..from.len()).all(fits) {
        return Err(call.invalid(format!("expected a shape that broadcasts to {from:?}, got {dims:?}")));
    }
    let axes: Vec<usize> =
        (0..from.len()).filter(|axis| *axis < extra || (to[axis - extra] == 1 && from[*axis] != 1)).collect();
    match x.numbers(call.meter())? {
        Numbers::Float(numbers) => call
            .floats(x.dtype(), &reshaped(call, &reduce(call, &numbers, &axes, false, |row| row.iter().sum())?, &to)?),
        Numbers::Int(numbers) => call
            .integers(x.dtype(), &reshaped(call, &reduce(call, &numbers, &axes, false, |row| row.iter().sum())?, &to)?),
    }
}

pub(crate) fn collapse_sum_to(call: &Evaluation<'_>) -> Result<Any, Error> {
    collapse(call, call.shape(1)?)
}

pub(crate) fn collapse_sum_like(call: &Evaluation<'_>) -> Result<Any, Error> {
    collapse(call, call.tensor(1)?.shape())
}

pub(crate) fn repeat(call: &Evaluation<'_>) -> Result<Any, Error> {
    let attrs = call.attrs::<RepeatAttrs>()?;
    let dims = call.result_dims()?;
    let x = call.tensor(0)?;
    let times = usize::try_from(attrs.repeats).unwrap_or(0).max(1);
    let axis = attrs.axis.map(|axis| call.axis(axis, x.rank())).transpose()?;
    moved(call, |places| {
        let places = if axis.is_none() { reshaped(call, &places, &[x.len()])? } else { places };
        from_index(call, &dims, |at| {
            let mut source = at.to_vec();
            source[axis.unwrap_or(0)] /= times;
            places[IxDyn(&source)]
        })
    })
}

pub(crate) fn tile(call: &Evaluation<'_>) -> Result<Any, Error> {
    call.attrs::<TileAttrs>()?;
    let dims = call.result_dims()?;
    let from = call.tensor(0)?.dims();
    moved(call, |places| {
        let extra = dims.len() - from.len();
        from_index(call, &dims, |at| {
            let source: Vec<usize> = from.iter().zip(&at[extra..]).map(|(size, at)| at % size).collect();
            places[IxDyn(&source)]
        })
    })
}

pub(crate) fn flip(call: &Evaluation<'_>) -> Result<Any, Error> {
    let x = call.tensor(0)?;
    let axis = call.axis(call.attrs::<FlipAttrs>()?.axis, x.rank())?;
    strided(call, &Strided::new(&x.dims()).reversed(axis))
}

pub(crate) fn one_hot(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (indices, attrs) = (call.tensor(0)?, call.attrs::<OneHotAttrs>()?);
    let (on, off, dtype) = (call.scalar(1)?.float(), call.scalar(2)?.float(), call.scalar_type(1));
    let rank = indices.rank() + 1;
    let axis = call.axis(attrs.axis, rank)?;
    let mut dims = indices.shape().to_vec();
    dims.insert(axis, attrs.depth);
    let dims = call.room(&dims)?;
    let indices = indices.indices(call.meter())?;
    let number = |at: &[usize]| {
        let mut place = at.to_vec();
        let position = place.remove(axis) as i64;
        if indices[IxDyn(&place)] == position { on } else { off }
    };
    call.floats(dtype, &from_index(call, &dims, number)?)
}

pub(crate) fn pixel_shuffle(call: &Evaluation<'_>) -> Result<Any, Error> {
    let dims = call.result_dims()?;
    let factor = usize::try_from(call.attrs::<PixelShuffleAttrs>()?.upscale_factor).unwrap_or(1).max(1);
    moved(call, |places| {
        from_index(call, &dims, |at| {
            let mut source = at.to_vec();
            let [.., channel, row, column] = &mut source[..] else { return PADDING };
            *channel = *channel * factor * factor + (*row % factor) * factor + *column % factor;
            (*row, *column) = (*row / factor, *column / factor);
            places[IxDyn(&source)]
        })
    })
}

/// The position in a dimension of `size` elements that a position before or after it stands for; `None` for the padding
/// value.
fn padded_position(mode: &str, position: i64, size: i64) -> Option<usize> {
    let inside = match mode {
        _ if size == 0 => return None,
        "reflect" if position < 0 => position.checked_neg()?,
        "reflect" if position >= size => (2 * (size - 1)).checked_sub(position)?,
        "replicate" => position.clamp(0, size - 1),
        "circular" => position.rem_euclid(size),
        _ => position,
    };
    usize::try_from(inside).ok().filter(|_| inside < size)
}

pub(crate) fn pad(call: &Evaluation<'_>) -> Result<Any, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<PadAttrs>()?);
    let dims = call.result_dims()?;
    let widths = attrs.pad_width.to_vec();
    let (mode, from) = (&*attrs.pad_mode, x.shape());
    let places = x.places(0, call.meter())?;
    let place = |at: &[usize]| {
        let source = at
            .iter()
            .enumerate()
            .map(|(axis, at)| padded_position(mode, (*at as i64).checked_sub(widths[2 * axis])?, from[axis]));
        source.collect::<Option<Vec<usize>>>().map_or(PADDING, |source| places[IxDyn(&source)])
    };
    call.padded(std::slice::from_ref(x), &from_index(call, &dims, place)?, attrs.pad_value)
}
