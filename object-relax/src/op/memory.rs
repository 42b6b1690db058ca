//! Memory and views of it: `relax.memory` (TVM 0.25 `src/relax/op/op.cc` and `memory/view.cc`).

use object_core::prelude::*;
use object_ir::ir::{
    DataTypeImm, ObjectStructInfo, PrimExpr, PrimStructInfo, ShapeStructInfo, StructInfo, TupleStructInfo,
};
use object_ir::tir::{add, greater, mul};

use super::allocation::allocated;
use super::describe::{describe, describe_dims, describe_expr};
use super::dims::{Dims, dim, product, shape_values, tensor};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Any, Optional, OrVoid, Prim, PrimValue, Shape, Tensor, Text, Type};
use super::rules::{any_value, no_result, same_as_first};

operators! {
    /// A new block of memory.
    fn alloc_storage = "relax.memory.alloc_storage"(
        total_space: Any,
        virtual_device_index: PrimValue,
        storage_scope: Text,
        dtype: Type,
    ), Pure, any_value;
    /// A tensor in a block of memory.
    fn alloc_tensor = "relax.memory.alloc_tensor"(
        storage: Any,
        offset: Prim,
        shape: Shape,
        dtype: Type,
        runtime_device_index: Optional<PrimValue>,
    ), Pure, tensor_in_storage;
    /// Releases a block of memory.
    fn kill_storage = "relax.memory.kill_storage"(storage: Any), Impure, no_result;
    /// Releases a tensor.
    fn kill_tensor = "relax.memory.kill_tensor"(tensor: Any), Impure, no_result;
    /// The memory of a tensor as a tensor of another shape or element type, or from another place on. `None` keeps the
    /// property of the tensor.
    fn view = "relax.memory.view"(
        x: Tensor,
        shape: OrVoid<Shape>,
        dtype: OrVoid<Type>,
        relative_byte_offset: OrVoid<Prim>,
    ), Pure, viewed;
    /// The tensor, copied if it does not begin at the start of its memory.
    fn ensure_zero_offset = "relax.memory.ensure_zero_offset"(x: Any), Pure, same_as_first;
}

fn tensor_in_storage(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    allocated(call, 2, 3, 4)
}

/// Whether the argument at `index` is an empty tuple, which keeps a property.
fn is_kept(call: &OpCall<'_>, index: usize) -> bool {
    call.info(index).downcast_ref::<TupleStructInfo>().is_some_and(|tuple| tuple.fields.is_empty())
}

fn wrong(call: &OpCall<'_>, index: usize, expected: &str) -> Error {
    let message = format!("expected {expected} or an empty tuple, got {}", describe(call.info(index)));
    call.argument_error(ErrorKind::TypeMismatch, index, message)
}

/// The changed properties of a view.
struct View {
    shape: Option<Dims>,
    /// Void if the argument is an unknown data type.
    dtype: Option<DataType>,
    /// None if the argument is unknown.
    offset: Option<PrimExpr>,
}

impl View {
    fn of(call: &OpCall<'_>) -> Result<View, Error> {
        let shape = match call.info(1).downcast_ref::<ShapeStructInfo>() {
            _ if is_kept(call, 1) => None,
            Some(shape) => Some(match &shape.values {
                Some(values) => Dims::Known(values.to_vec()),
                None => Dims::of_rank(shape.ndim),
            }),
            None => return Err(wrong(call, 1, "a shape")),
        };
        let dtype = call.context().value_of(call.arg(2));
        let dtype = match dtype.downcast_ref::<DataTypeImm>() {
            _ if is_kept(call, 2) => None,
            Some(dtype) => Some(dtype.value),
            None if call.info(2).is::<ObjectStructInfo>() => Some(DataType::void()),
            None => return Err(wrong(call, 2, "a data type")),
        };
        let offset = match call.info(3).downcast_ref::<PrimStructInfo>() {
            _ if is_kept(call, 3) => Some(dim(0)),
            Some(offset) if offset.dtype == DataType::int(64) => offset.value.clone(),
            _ => return Err(wrong(call, 3, "a scalar of type int64")),
        };
        Ok(View { shape, dtype, offset })
    }
}

fn viewed(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (x, view) = (call.tensor(0)?, View::of(call)?);
    let dims = view.shape.clone().unwrap_or_else(|| Dims::of(x));
    let dtype = view.dtype.unwrap_or(x.dtype);
    let before = Extent::of(shape_values(x), x.dtype)?;
    let after = Extent::of(dims.known(), dtype)?;
    if let Some((needed, available)) = overrun(call, &view, &before, &after)? {
        let shape =
            dims.known().map_or("of an unknown shape".to_owned(), |dims| format!("of shape {}", describe_dims(dims)));
        let message = format!(
            "expected at least {needed} for a view {shape} and type {dtype:?}, got {} with {available}",
            describe(call.info(0))
        );
        return Err(call.argument_error(ErrorKind::OutOfRange, 0, message));
    }
    Ok(tensor(dims, dtype, x.vdevice.clone()))
}

/// The extent of a tensor in memory, as far as it is known.
struct Extent {
    elements: Option<PrimExpr>,
    /// The bytes of an element.
    width: Option<i64>,
}

impl Extent {
    fn of(dims: Option<&[PrimExpr]>, dtype: DataType) -> Result<Extent, Error> {
        let width = (i64::from(dtype.bits) * i64::from(dtype.lanes()) + 7) / 8;
        Ok(Extent { elements: dims.map(product).transpose()?, width: (!dtype.is_void()).then_some(width) })
    }

    fn bytes(&self) -> Result<Option<PrimExpr>, Error> {
        let Some((elements, width)) = self.elements.as_ref().zip(self.width) else { return Ok(None) };
        mul(elements, width).map(Some)
    }
}

/// The memory that a view needs and the memory of the tensor, if the view provably needs more.
fn overrun(call: &OpCall<'_>, view: &View, before: &Extent, after: &Extent) -> Result<Option<(String, String)>, Error> {
    let exceeds = |needed: PrimExpr, available: PrimExpr, unit: &str| {
        let is_more = call.analyzer().prove(&greater(&needed, &available)?).is_true();
        let text = |amount: &PrimExpr| format!("{} {unit}", describe_expr(&call.analyzer().simplify(amount)));
        Ok(is_more.then(|| (text(&needed), text(&available))))
    };
    // Without a known offset, the view alone has to fit.
    let start = view.offset.clone().unwrap_or_else(|| dim(0));
    if let (Some(available), Some(needed)) = (before.bytes()?, after.bytes()?) {
        return exceeds(add(needed, start)?, available, "bytes");
    }
    match (before.width.zip(after.width), before.elements.clone().zip(after.elements.clone())) {
        (Some((available, needed)), _) if view.shape.is_none() => {
            exceeds(dim(needed), dim(available), "bytes per element")
        }
        (_, Some((available, needed))) if view.dtype.is_none() => exceeds(needed, available, "elements"),
        // The same shape and element type, from a later place on.
        _ if view.shape.is_none() && view.dtype.is_none() => exceeds(start, dim(0), "bytes after the tensor"),
        _ => Ok(None),
    }
}
