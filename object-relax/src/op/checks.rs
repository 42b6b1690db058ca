//! Checks of tensor arguments that many operators share.

use object_core::counted;
use object_core::prelude::*;
use object_ir::ir::{PrimExpr, StructInfo, TensorStructInfo, TensorStructInfoNode, VDevice, Var};
use object_ir::tir::floor_mod;
use object_ir::tir::fold::is_integer;

use super::describe::describe_expr;
use super::dims::{Dims, dim, rank_of, tensor, tensor_of, written_shape, written_values};
use super::op_call::{OpCall, Tensors};

/// Checks that the tensor at `index` has `expected` dimensions, if its rank is known.
pub(crate) fn check_rank(call: &OpCall<'_>, index: usize, expected: usize) -> Result<(), Error> {
    match rank_of(call.tensor(index)?) {
        Some(rank) if rank != expected => Err(wrong_rank(call, index, &dimensions(expected), rank)),
        _ => Ok(()),
    }
}

/// The rank of the tensor at `index`, which has to be known.
pub(crate) fn known_rank(call: &OpCall<'_>, index: usize) -> Result<usize, Error> {
    rank_of(call.tensor(index)?).ok_or_else(|| {
        let message = "expected a tensor with a known number of dimensions; `MatchCast` states it";
        call.argument_error(ErrorKind::TypeMismatch, index, message)
    })
}

/// Checks that the tensor at `index` has `expected` dimensions; its rank has to be known.
pub(crate) fn require_rank(call: &OpCall<'_>, index: usize, expected: usize) -> Result<(), Error> {
    known_rank(call, index)?;
    check_rank(call, index, expected)
}

/// The error for a tensor at `index` with the wrong rank.
pub(crate) fn wrong_rank(call: &OpCall<'_>, index: usize, expected: &str, given: usize) -> Error {
    let message = format!("expected a tensor of {expected}, got {}", dimensions(given));
    call.argument_error(ErrorKind::TypeMismatch, index, message)
}

/// A number of dimensions in words.
pub(crate) fn dimensions(count: usize) -> String {
    counted(count, "dimension")
}

/// Checks that the dimension `dimension` of the argument at `index` may have the size `expected`: the analyzer does not
/// refute it. The text `meaning` says where the expected size comes from.
pub(crate) fn check_size(
    call: &OpCall<'_>,
    index: usize,
    dimension: usize,
    [given, expected]: [&PrimExpr; 2],
    meaning: &str,
) -> Result<(), Error> {
    if !call.analyzer().prove_equal(given, expected).is_false() {
        return Ok(());
    }
    let (given, expected) = (describe_expr(given), describe_expr(expected));
    let message = format!("dimension {dimension}: expected the size {expected} ({meaning}), got {given}");
    Err(call.argument_error(ErrorKind::TypeMismatch, index, message))
}

/// Checks that the dimension `dimension` of the argument at `index`, of the size `given`, may be a multiple of `factor`:
/// the analyzer does not refute it. The text `meaning` says where the factor comes from.
pub(crate) fn check_multiple(
    call: &OpCall<'_>,
    index: usize,
    dimension: usize,
    [given, factor]: [&PrimExpr; 2],
    meaning: &str,
) -> Result<(), Error> {
    if !call.analyzer().prove_equal(&floor_mod(given, factor)?, &dim(0)).is_false() {
        return Ok(());
    }
    let (given, factor) = (describe_expr(given), describe_expr(factor));
    let message = format!("dimension {dimension}: expected a multiple of {factor} ({meaning}), got {given}");
    Err(call.argument_error(ErrorKind::TypeMismatch, index, message))
}

/// Checks that the elements of the tensor at `index` are integers, if their type is known.
pub(crate) fn check_integers(call: &OpCall<'_>, index: usize) -> Result<(), Error> {
    check_elements(call, index, "integers", is_integer)
}

/// Checks the type of the elements of the tensor at `index`, if it is known. The text `expected` describes the types
/// for which `holds` is true.
pub(crate) fn check_elements(
    call: &OpCall<'_>,
    index: usize,
    expected: &str,
    holds: impl Fn(DataType) -> bool,
) -> Result<(), Error> {
    let dtype = call.tensor(index)?.dtype;
    if dtype.is_void() || holds(dtype) {
        return Ok(());
    }
    let message = format!("expected elements that are {expected}, got {dtype}; `astype` converts a tensor");
    Err(call.argument_error(ErrorKind::TypeMismatch, index, message))
}

/// Checks that two tensors have the same type of elements, if both are known.
pub(crate) fn check_same_elements(call: &OpCall<'_>, first: usize, second: usize) -> Result<(), Error> {
    let (a, b) = (call.tensor(first)?.dtype, call.tensor(second)?.dtype);
    if a.is_void() || b.is_void() { Ok(()) } else { require_same_elements(call, first, second) }
}

/// Checks that two tensors have the same type of elements; an unknown type differs from a known one.
pub(crate) fn require_same_elements(call: &OpCall<'_>, first: usize, second: usize) -> Result<(), Error> {
    let (a, b) = (call.tensor(first)?.dtype, call.tensor(second)?.dtype);
    if a == b {
        return Ok(());
    }
    let text = |dtype: DataType| if dtype.is_void() { "an unknown type".into() } else { dtype.to_string() };
    let message = format!("expected elements of {} as argument {first}, got {}", text(a), text(b));
    Err(call.argument_error(ErrorKind::TypeMismatch, second, message))
}

/// The element type of all members of the tuple at `index`: void if one is unknown.
///
/// # Errors
/// Names the member whose type differs.
pub(crate) fn common_elements(
    call: &OpCall<'_>,
    index: usize,
    members: &[&TensorStructInfo],
) -> Result<DataType, Error> {
    let mut known = members.iter().map(|member| member.dtype).enumerate().filter(|(_, dtype)| !dtype.is_void());
    let Some((_, first)) = known.next() else { return Ok(DataType::void()) };
    if let Some((place, other)) = known.find(|(_, dtype)| *dtype != first) {
        let message = format!("member {place}: expected elements of {first} as in the other members, got {other}");
        return Err(call.argument_error(ErrorKind::TypeMismatch, index, message));
    }
    Ok(if members.iter().any(|member| member.dtype.is_void()) { DataType::void() } else { first })
}

/// The virtual device of all members of a tuple; `None` if they are on different ones. A device without a target does
/// not count beside others.
pub(crate) fn common_vdevice(members: &[&TensorStructInfo]) -> Option<VDevice> {
    let mut devices = members.iter().filter_map(|member| member.vdevice.as_ref());
    let first = devices.next()?;
    let agrees = |device: &VDevice| device.target.is_none() || structural_equal(device, first);
    devices.all(agrees).then(|| first.clone())
}

/// The members of the tuple of tensors at `index`, of which there is at least one.
pub(crate) fn some_tensors<'c>(call: &'c OpCall<'_>, index: usize) -> Result<Tensors<'c>, Error> {
    let members = call.tensors(index)?;
    if members.is_empty() {
        let message = "expected at least one tensor, got an empty tuple";
        return Err(call.argument_error(ErrorKind::TypeMismatch, index, message));
    }
    Ok(members)
}

/// The facts about the shape of a tensor, of which only a shape that is written out counts: not a variable whose
/// structural information has the dimensions.
pub(crate) fn written_dims(tensor: &TensorStructInfoNode) -> Dims {
    match written_values(tensor) {
        Some(dims) => Dims::Known(dims.to_vec()),
        None => Dims::of_rank(tensor.ndim),
    }
}

/// A tensor whose shape is the argument at `index`: its dimensions if they are written out, or the variable.
pub(crate) fn shaped_by(
    call: &OpCall<'_>,
    index: usize,
    dtype: DataType,
    vdevice: Option<VDevice>,
) -> Result<StructInfo, Error> {
    let (shape, ndim) = (call.arg(index), call.shape(index)?.ndim);
    Ok(match written_shape(shape) {
        Some(dims) if shape.struct_info.is_some() => call.result_of_shape(shape, dims, dtype, vdevice),
        Some(dims) => tensor(Dims::Known(dims.to_vec()), dtype, vdevice),
        None => tensor_of(shape.is::<Var>().then(|| shape.clone()), dtype, vdevice, ndim),
    })
}
