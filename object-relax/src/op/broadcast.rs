//! Broadcasting: one shape, element type and device for several operands.

use std::borrow::Cow;

use object_core::prelude::*;
use object_ir::ir::{PrimExpr, PrimStructInfo, StructInfo, TensorStructInfo, VDevice};

use super::describe::describe_dims;
use super::dims::{Dims, constant};
use super::op_call::OpCall;

/// The shape to which the shapes of two operands broadcast. Only its rank is known if the analyzer cannot decide which
/// extent a dimension has.
///
/// # Errors
/// Names the argument at `blamed` and the shapes if a dimension has two different constant extents, none of which is 1.
pub(crate) fn broadcast(call: &OpCall<'_>, blamed: usize, a: &Dims, b: &Dims) -> Result<Dims, Error> {
    let (Dims::Known(a), Dims::Known(b)) = (a, b) else {
        return Ok(a.rank().zip(b.rank()).map(|(a, b)| a.max(b)).into());
    };
    let known = broadcast_dims(call, blamed, a, b)?;
    Ok(known.map_or(Dims::Rank(a.len().max(b.len())), |dims| Dims::Known(dims.into_owned())))
}

/// The dimensions to which the dimensions of two operands broadcast: the dimensions of one of them, if they are the
/// result. `None` if the analyzer cannot decide which extent a dimension has.
///
/// # Errors
/// As [`broadcast`].
pub(crate) fn broadcast_dims<'d>(
    call: &OpCall<'_>,
    blamed: usize,
    a: &'d [PrimExpr],
    b: &'d [PrimExpr],
) -> Result<Option<Cow<'d, [PrimExpr]>>, Error> {
    let (longer, shorter) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let offset = longer.len() - shorter.len();
    let mut dims = Cow::Borrowed(longer);
    // From the last dimension, as TVM does: an unknown extent hides conflicts of the dimensions before it.
    for index in (0..shorter.len()).rev() {
        let (x, y) = if a.len() >= b.len() {
            (&longer[offset + index], &shorter[index])
        } else {
            (&shorter[index], &longer[offset + index])
        };
        match one_extent(call, x, y) {
            Extent::Is(extent) => {
                let old = &longer[offset + index];
                let is_same = extent.ptr_eq(old) || constant(extent).is_some_and(|it| constant(old) == Some(it));
                if !is_same {
                    dims.to_mut()[offset + index] = extent.clone();
                }
            }
            Extent::Unknown => return Ok(None),
            Extent::Conflict => {
                let message =
                    format!("expected shapes that broadcast, got {} and {}", describe_dims(a), describe_dims(b));
                return Err(call.argument_error(ErrorKind::TypeMismatch, blamed, message));
            }
        }
    }
    Ok(Some(dims))
}

/// The extent of a dimension to which two extents broadcast.
enum Extent<'a> {
    Is(&'a PrimExpr),
    Unknown,
    Conflict,
}

fn one_extent<'a>(call: &OpCall<'_>, a: &'a PrimExpr, b: &'a PrimExpr) -> Extent<'a> {
    match (constant(a), constant(b)) {
        (Some(1), _) => Extent::Is(b),
        (_, Some(1)) => Extent::Is(a),
        (Some(x), Some(y)) if x != y => Extent::Conflict,
        _ if call.analyzer().prove_equal(a, b).is_true() => Extent::Is(a),
        _ => Extent::Unknown,
    }
}

/// The element type of a tensor or scalar; void for others.
fn element_type(info: &StructInfo) -> DataType {
    let of_tensor = info.downcast_ref::<TensorStructInfo>().map(|tensor| tensor.dtype);
    of_tensor.or_else(|| info.downcast_ref::<PrimStructInfo>().map(|prim| prim.dtype)).unwrap_or(DataType::void())
}

/// The element type of the arguments at two indices: void if one is unknown.
///
/// # Errors
/// Names the second argument if the types differ.
pub(crate) fn same_dtype(call: &OpCall<'_>, first: usize, second: usize) -> Result<DataType, Error> {
    let (a, b) = (element_type(call.info(first)), element_type(call.info(second)));
    if a.is_void() || b.is_void() {
        return Ok(DataType::void());
    }
    // TVM 0.25 accepts a truth value beside any type.
    if a != b && a != DataType::boolean() && b != DataType::boolean() {
        let message = format!("expected the element type {a} of argument {first}, got {b}; `astype` converts a tensor");
        return Err(call.argument_error(ErrorKind::TypeMismatch, second, message));
    }
    Ok(a)
}

/// The virtual device of a tensor.
fn vdevice_of(info: &StructInfo) -> Option<VDevice> {
    info.downcast_ref::<TensorStructInfo>().and_then(|tensor| tensor.vdevice.clone())
}

/// The virtual device of the result of an operator over the arguments at two indices: the device in `sinfo_args`, else
/// the one of the operands.
///
/// # Errors
/// Names the second argument if the operands are on two devices.
pub(crate) fn same_vdevice(call: &OpCall<'_>, first: usize, second: usize) -> Result<Option<VDevice>, Error> {
    if let Some(given) = call.sinfo_args().first() {
        return Ok(vdevice_of(given));
    }
    let (a, b) = (vdevice_of(call.info(first)), vdevice_of(call.info(second)));
    let is_decided = |device: &Option<VDevice>| device.as_ref().is_some_and(|device| device.target.is_some());
    match (a, b) {
        (a, b) if !is_decided(&a) => Ok(b),
        (a, b) if !is_decided(&b) => Ok(a),
        (Some(a), Some(b)) if !structural_equal(&a, &b) => {
            let text = |device: &VDevice| format!("number {} ({})", device.vdevice_id, device.memory_scope);
            let message = format!("expected the virtual device {} of argument {first}, got {}", text(&a), text(&b));
            Err(call.argument_error(ErrorKind::TypeMismatch, second, message))
        }
        (a, _) => Ok(a),
    }
}

/// The virtual device of the result of an operator over tensors: the one device on which all of them are, if there is
/// one. A tensor without a device and a device without a target count as being on it.
pub(crate) fn common_vdevice<'a>(tensors: impl IntoIterator<Item = &'a TensorStructInfo>) -> Option<VDevice> {
    let mut common: Option<VDevice> = None;
    for vdevice in tensors.into_iter().filter_map(|tensor| tensor.vdevice.as_ref()) {
        match &common {
            None => common = Some(vdevice.clone()),
            Some(found) if vdevice.target.is_some() && !structural_equal(found, vdevice) => return None,
            Some(_) => {}
        }
    }
    common
}
