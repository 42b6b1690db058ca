//! Several tensors into one, and one into several (TVM 0.25 `src/relax/op/tensor/manipulate.cc`).

use object_core::prelude::*;
use object_ir::attrs::{ConcatAttrs, MeshgridAttrs, SplitAttrs, StackAttrs};
use object_ir::ir::{IntImm, PrimExpr, StructInfo, TensorStructInfo};
use object_ir::tir::{add, ceil_div, max, min, mul, sub};
use smallvec::SmallVec;

use crate::op::axes::axis;
use crate::op::checks::{common_elements, common_vdevice, dimensions, some_tensors, written_dims};
use crate::op::describe::describe_dims;
use crate::op::dims::{
    DimRefs, Dims, constant, dim, rank_of, shape_values, tensor, tuple, written_rank, written_values,
};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Attributes, Defaults, Tensor, Tensors};
use crate::struct_info::written::{is_equal_dim, is_same_dim};

operators! {
    /// The tensors one after the other along an axis. Without an axis, they have one dimension. The default axis is 0.
    fn concat = "relax.concat"(tensors: Tensors, attrs: Defaults<ConcatAttrs>), Pure, infer_concat;
    /// The tensors, which have the same shape, along a new axis. The default axis is 0.
    fn stack = "relax.stack"(tensors: Tensors, attrs: Defaults<StackAttrs>), Pure, infer_stack;
    /// For each of several vectors, a tensor of its elements at each position of a grid over all vectors. The dimensions of
    /// the grid are in the order of the vectors; the indexing `xy` exchanges the first two.
    fn meshgrid = "relax.meshgrid"(tensors: Tensors, attrs: Defaults<MeshgridAttrs>), Pure, infer_meshgrid;
    /// The parts of a tensor along an axis, as a tuple: before, between and after some indices, or a number of parts of
    /// equal size, of which the last one may be smaller. One part, or no indices, is the tensor itself.
    fn split = "relax.split"(x: Tensor, attrs: Attributes<SplitAttrs>), Pure, infer_split;
}

/// The most parts of [`split`], so that a wrong number does not fill the memory.
const MAX_PARTS: i64 = 1 << 16;

fn infer_concat(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let tensors = some_tensors(call, 0)?;
    let (dtype, vdevice) = (common_elements(call, 0, &tensors)?, common_vdevice(&tensors));
    let attrs = call.attrs::<ConcatAttrs>()?;
    let rank = common_rank(call, &tensors, if attrs.axis.is_some() { None } else { Some(1) })?;
    let place = match (rank, attrs.axis) {
        (Some(rank), Some(given)) => axis(call, "axis", given, rank)?,
        _ => 0,
    };
    if let [only] = tensors.as_slice() {
        return Ok((*only).clone().into());
    }
    let Some(rank) = rank else { return Ok(tensor(Dims::Unknown, dtype, vdevice)) };
    let known = known_shapes(&tensors);
    let is_equal = equal_shapes(call, &known, Some(place))?;
    let is_written = tensors.iter().all(|member| written_values(member).is_some());
    if !is_written || !is_equal {
        return Ok(tensor(Dims::Rank(rank), dtype, vdevice));
    }
    let mut sizes = known.iter().map(|dims| &dims[place]);
    let first = &known[0][place];
    let constants = sizes.clone().try_fold(0_i64, |sum, size| sum.checked_add(constant(size)?));
    let total = if let Some(sum) = constants {
        dim(sum)
    } else if sizes.clone().all(|size| is_equal_dim(size, first)) {
        mul(first, count(known.len()))?
    } else {
        let start = if first.dtype == DataType::int(64) { sizes.next().cloned() } else { None };
        sizes.try_fold(start.unwrap_or_else(|| dim(0)), add)?
    };
    let mut dims: DimRefs<'_> = known[0].iter().collect();
    dims[place] = &total;
    Ok(call.result_of(&dims, dtype, vdevice))
}

fn infer_stack(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let tensors = some_tensors(call, 0)?;
    let (dtype, vdevice) = (common_elements(call, 0, &tensors)?, common_vdevice(&tensors));
    let given = call.attrs::<StackAttrs>()?.axis;
    let rank = common_rank(call, &tensors, None)?;
    let place = match (rank_of(tensors[0]), given) {
        (Some(rank), Some(given)) => axis(call, "axis", given, rank + 1)?,
        (None, Some(_)) => {
            let message = "member 0: expected a known number of dimensions for `axis`; `MatchCast` states it";
            return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
        }
        (_, None) => 0,
    };
    let known = known_shapes(&tensors);
    let is_equal = equal_shapes(call, &known, None)?;
    // TVM 0.25 uses the structural information of a variable only for a single tensor.
    let is_written = tensors.len() == 1 || tensors.iter().all(|member| written_values(member).is_some());
    match known.first() {
        Some(dims) if is_written && is_equal => {
            let mut dims = dims.to_vec();
            dims.insert(place, dim(count(tensors.len())));
            Ok(tensor(Dims::Known(dims), dtype, vdevice))
        }
        _ => Ok(tensor(rank.map(|rank| rank + 1).into(), dtype, vdevice)),
    }
}

fn infer_meshgrid(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let tensors = some_tensors(call, 0)?;
    if let Some(place) = tensors.iter().position(|member| member.ndim != 1) {
        let message = format!("member {place}: expected 1 dimension, got {}", rank_text(tensors[place]));
        return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
    }
    common_elements(call, 0, &tensors)?;
    // The type of some elements is the type of all. The result of TVM has a shape only if all types are known.
    let mut known = tensors.iter().map(|member| member.dtype).filter(|dtype| !dtype.is_void());
    let dtype = known.next().unwrap_or(DataType::void());
    let is_typed = tensors.iter().all(|member| !member.dtype.is_void());
    let sizes = tensors.iter().map(|member| written_dims(member).known().map(|dims| dims[0].clone()));
    let indexing = call.attrs::<MeshgridAttrs>()?.indexing.as_ref();
    let dims = match sizes.collect::<Option<Vec<_>>>() {
        Some(mut sizes) if is_typed => {
            // TVM 0.25 does not exchange them here, and its programs do.
            if indexing.is_some_and(|indexing| &**indexing == "xy") && sizes.len() > 1 {
                sizes.swap(0, 1);
            }
            Dims::Known(sizes)
        }
        _ => Dims::Rank(tensors.len()),
    };
    let member = tensor(dims, dtype, common_vdevice(&tensors));
    Ok(tuple(vec![member; tensors.len()]))
}

fn infer_split(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x, attrs) = (call.tensor(0)?, call.attrs::<SplitAttrs>()?);
    let (dims, rank) = (written_values(x), written_rank(x));
    let place = rank.map(|rank| axis(call, "axis", attrs.axis, rank)).transpose()?.unwrap_or_default();
    let part = |size: Option<PrimExpr>| match (dims, size) {
        (Some(dims), Some(size)) => {
            let mut dims: DimRefs<'_> = dims.iter().collect();
            dims[place] = &size;
            call.result_of(&dims, x.dtype, x.vdevice.clone())
        }
        _ => tensor(rank.into(), x.dtype, x.vdevice.clone()),
    };
    let size = dims.map(|dims| &dims[place]);
    if let Some(sections) = attrs.indices_or_sections.downcast_ref::<IntImm>() {
        let sections = sections.value;
        return match sections {
            1 => Ok(call.info(0).clone()),
            2..=MAX_PARTS => {
                let [each, last] = equal_parts(call, size, sections)?;
                let count = usize::try_from(sections).unwrap_or_default();
                let is_even = each.as_ref().zip(last.as_ref()).is_some_and(|(each, last)| is_same_dim(each, last));
                let mut parts = vec![part(each); count];
                if !is_even && let Some(place) = parts.last_mut() {
                    *place = part(last);
                }
                Ok(tuple(parts))
            }
            _ => {
                let message = format!("expected 1 to {MAX_PARTS} sections, got {sections}");
                Err(call.attribute_error("indices_or_sections", message))
            }
        };
    }
    let indices = split_indices(call, &attrs.indices_or_sections)?;
    if indices.is_empty() {
        return Ok(call.info(0).clone());
    }
    let Some(size) = size else { return Ok(tuple(vec![part(None); indices.len() + 1])) };
    let inside = |index: &PrimExpr| min(max(index, 0)?, size);
    let mut parts = Vec::with_capacity(indices.len() + 1);
    let mut left = dim(0);
    for index in indices.iter().chain([size]) {
        let right = if index.ptr_eq(size) { size.clone() } else { inside(index)? };
        parts.push(part(Some(call.analyzer().simplify(&max(sub(&right, &left)?, 0)?))));
        left = right;
    }
    Ok(tuple(parts))
}

/// The size of each of `sections` parts but the last one, and the size of the last one.
fn equal_parts(call: &OpCall<'_>, size: Option<&PrimExpr>, sections: i64) -> Result<[Option<PrimExpr>; 2], Error> {
    let Some(size) = size else { return Ok([None, None]) };
    if let Some(whole) = constant(size).filter(|size| *size >= sections) {
        let each = whole / sections + i64::from(whole % sections != 0);
        let last = whole - each * (sections - 1);
        if last >= 0 {
            return Ok([Some(dim(each)), Some(dim(last))]);
        }
    }
    let each = call.analyzer().simplify(&ceil_div(size, sections)?);
    let last = call.analyzer().simplify(&sub(size, mul(&each, sections - 1)?)?);
    match (constant(&last), constant(size)) {
        (Some(last), Some(size)) if last < 0 => {
            let message = format!("expected sections into which {size} elements are split, got {sections}");
            Err(call.attribute_error("indices_or_sections", message))
        }
        _ => Ok([Some(each), Some(last)]),
    }
}

fn split_indices(call: &OpCall<'_>, given: &ObjectRef) -> Result<Vec<PrimExpr>, Error> {
    let indices = Array::<IntImm>::try_from(given.clone()).map_err(|_| {
        call.attribute_error(
            "indices_or_sections",
            "expected a number of sections or an array of indices, got another object",
        )
    })?;
    Ok(indices.iter().map(|index| dim(index.value)).collect())
}

/// The rank of all tensors: `expected`, else the first rank that is known.
///
/// # Errors
/// Names the member that has another rank.
fn common_rank(
    call: &OpCall<'_>,
    tensors: &[&TensorStructInfo],
    expected: Option<usize>,
) -> Result<Option<usize>, Error> {
    let mut common = expected;
    for (place, member) in tensors.iter().enumerate() {
        let rank = rank_of(member);
        match (common, rank) {
            (Some(common), Some(rank)) if common != rank => {
                let message = format!("member {place}: expected {}, got {rank}", dimensions(common));
                return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
            }
            _ => common = common.or(rank),
        }
    }
    Ok(common)
}

fn known_shapes<'t>(tensors: &[&'t TensorStructInfo]) -> SmallVec<[&'t [PrimExpr]; 4]> {
    tensors.iter().filter_map(|member| shape_values(member)).collect()
}

/// Whether the analyzer proves that the shapes, which have one rank, are equal in all dimensions but `except`.
///
/// # Errors
/// Names the shapes if two dimensions are different.
fn equal_shapes(call: &OpCall<'_>, shapes: &[&[PrimExpr]], except: Option<usize>) -> Result<bool, Error> {
    let Some((first, others)) = shapes.split_first() else { return Ok(false) };
    let mut is_proved = true;
    for other in others {
        for (place, (a, b)) in first.iter().zip(*other).enumerate().filter(|(place, _)| Some(*place) != except) {
            let proof = call.analyzer().prove_equal(a, b);
            if proof.is_false() {
                let (a, b) = (describe_dims(first), describe_dims(other));
                let message = format!("expected tensors that agree in dimension {place}, got {a} and {b}");
                return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
            }
            is_proved &= proof.is_true();
        }
    }
    Ok(is_proved)
}

fn rank_text(tensor: &TensorStructInfo) -> String {
    rank_of(tensor).map_or("an unknown number".into(), |rank| rank.to_string())
}

fn count(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}
