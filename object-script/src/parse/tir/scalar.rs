//! Values of TIR as scalar expressions, and vectors.

use object_core::scalar::TypeCode;
use object_core::{DataType, ObjectHandle};
use object_ir::ir::{IntImm, Op, OpNode, PrimExpr, RelaxExpr};
use object_ir::tir::fold::int;
use object_ir::tir::{
    Buffer, BufferLoad, BufferNode, BufferRegion, Call, CallNode, MulNode, Ramp, StringImm, with_common_type,
};
use ruff_text_size::TextRange;

use crate::parse::expr::convert;
use crate::parse::state::call::Argument;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// A constant of the type `int32`.
pub(crate) fn int32(value: i64) -> PrimExpr {
    IntImm::new(DataType::int(32), value).into()
}

/// The value as a scalar expression, if it is one. A buffer with one element and a part of a buffer stand for a read
/// access, a text for a string constant.
pub(crate) fn to_prim(value: &Value) -> Option<PrimExpr> {
    if let Some(expr) = convert::to_prim(value) {
        return Some(expr);
    }
    match value {
        Value::Str(text) => Some(StringImm::new(DataType::handle(), text.clone()).into()),
        Value::Object(object) => {
            let object = object.view();
            if let Some(buffer) = object.to_handle::<Buffer>() {
                return has_one_element(&buffer).then(|| load(&buffer, vec![int32(0)], None));
            }
            load_region(&object.to_handle::<BufferRegion>()?)
        }
        _ => None,
    }
}

/// The argument as a scalar expression. See [`to_prim`].
///
/// # Errors
/// Reports another value.
pub(crate) fn prim(p: &mut Parser<'_>, argument: &Argument) -> Eval<PrimExpr> {
    to_prim(&argument.value).ok_or_else(|| argument.expected(p, "a scalar expression"))
}

/// The elements of a tuple or a list as scalar expressions; one scalar expression stands for itself.
///
/// # Errors
/// Reports another value.
pub(crate) fn prims(p: &mut Parser<'_>, argument: &Argument) -> Eval<Vec<PrimExpr>> {
    let Some(items) = argument.value.items() else { return Ok(vec![prim(p, argument)?]) };
    items.iter().map(|item| prim(p, &Argument { value: item.clone(), range: argument.range })).collect()
}

/// Both arguments as scalar expressions of one type.
///
/// # Errors
/// Reports other values, and types without common type.
pub(crate) fn matched(p: &mut Parser<'_>, a: &Argument, b: &Argument) -> Eval<(PrimExpr, PrimExpr)> {
    let range = TextRange::new(a.range.start(), b.range.end().max(a.range.start()));
    let (a, b) = (prim(p, a)?, prim(p, b)?);
    with_common_type(a, b).map_err(|error| p.object_error(range, &error))
}

/// Whether the name of the buffer stands for its only element.
pub(crate) fn has_one_element(buffer: &BufferNode) -> bool {
    matches!(buffer.shape.as_slice(), [extent] if int(extent) == Some(1))
}

/// The type of `count` times as many lanes, where a negative count is a multiple of the lanes of the hardware.
pub(crate) fn with_lanes(dtype: DataType, count: i16) -> DataType {
    DataType { raw_lanes: dtype.lanes().saturating_mul(count).cast_unsigned(), ..dtype }
}

/// A read access.
pub(crate) fn load(buffer: &Buffer, indices: Vec<PrimExpr>, predicate: Option<PrimExpr>) -> PrimExpr {
    let lanes = indices.last().map_or(1, |index| index.dtype.lanes());
    BufferLoad::new(with_lanes(buffer.dtype, lanes), buffer.clone(), indices, predicate).into()
}

/// The read access to a part of a buffer: a range of several elements is a vector.
fn load_region(region: &BufferRegion) -> Option<PrimExpr> {
    let indices: Option<Vec<PrimExpr>> = region
        .region
        .as_slice()
        .iter()
        .map(|range| match int(&range.extent) {
            Some(1) => Some(range.min.clone()),
            _ => ramp(&range.min, &IntImm::new(range.min.dtype, 1).into(), &range.extent),
        })
        .collect();
    Some(load(&region.buffer, indices?, None))
}

/// A call of the intrinsic with this full name.
pub(crate) fn intrinsic(dtype: DataType, op: &str, args: Vec<PrimExpr>) -> Option<PrimExpr> {
    Some(Call::new(dtype, RelaxExpr::from(Op::get(op).ok()?), args, None).into())
}

/// The number of lanes as a factor of the hardware's lanes, for `T.vscale() * factor`.
fn scalable_factor(lanes: &PrimExpr) -> Option<i64> {
    let is_vscale = |expr: &PrimExpr| {
        let call = expr.as_object().view().node::<CallNode>();
        call.and_then(|call| call.op.as_object().view().node::<OpNode>()).is_some_and(|op| &*op.name == "tirx.vscale")
    };
    if is_vscale(lanes) {
        return Some(1);
    }
    let product = lanes.as_object().view().node::<MulNode>()?;
    match (is_vscale(&product.a), is_vscale(&product.b)) {
        (true, _) => int(&product.b),
        (_, true) => int(&product.a),
        _ => None,
    }
}

/// The type of a vector of `lanes` elements, and the lanes as a vector has them.
pub(crate) fn vector(element: DataType, lanes: &PrimExpr) -> Option<(DataType, PrimExpr)> {
    if let Some(count) = int(lanes) {
        let count = i16::try_from(count).ok().filter(|count| *count > 0)?;
        return Some((with_lanes(element, count), int32(count.into())));
    }
    let factor = i16::try_from(scalable_factor(lanes)?).ok().filter(|factor| *factor > 0)?;
    let vscale = intrinsic(DataType::int(32), "tirx.vscale", Vec::new())?;
    let product = object_ir::tir::Mul::new(DataType::int(32), vscale, int32(factor.into()));
    Some((with_lanes(element, -factor), product.into()))
}

/// A vector of numbers with equal distances. `None` for a number of lanes that is not constant.
pub(crate) fn ramp(start: &PrimExpr, stride: &PrimExpr, lanes: &PrimExpr) -> Option<PrimExpr> {
    let (dtype, lanes) = vector(start.dtype, lanes)?;
    let stride =
        if stride.dtype == start.dtype { stride.clone() } else { object_ir::tir::fold::cast(start.dtype, stride) };
    Some(Ramp::new(dtype, start, stride, lanes).into())
}

/// Whether the type is an address.
pub(crate) fn is_handle(dtype: DataType) -> bool {
    dtype.code == TypeCode::HANDLE
}
