//! Access to buffers: `A[i, j]`, `A[0:n]`, and assignments to them (TVM 0.25 python/tvm/tirx/buffer.py).

use object_core::{ObjectHandle, structural_equal};
use object_ir::ir::{IntImm, PrimExpr, Range};
use object_ir::tir::fold::{self, BinaryOp, int};
use object_ir::tir::{AddNode, Buffer, BufferLoad, BufferRegion, BufferStore, MulNode};
use object_relax::arith::Analyzer;
use ruff_text_size::TextRange;

use crate::parse::state::call::Argument;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::tir::scalar::{int32, is_handle, load, ramp, to_prim, with_lanes};
use crate::parse::value::{SliceValue, Value};

/// The buffer that a value stands for: itself, or the buffer whose only element it reads.
pub(crate) fn buffer_of(value: &Value) -> Option<Buffer> {
    if let Some(buffer) = value.to::<Buffer>() {
        return Some(buffer);
    }
    value.to::<BufferLoad>().map(|load| load.buffer.clone())
}

/// The length of the range from `start` to `stop`. The inverse of the printer, which adds the length to the start.
pub(crate) fn extent(start: &PrimExpr, stop: &PrimExpr) -> PrimExpr {
    if let (Some(first), Some(last)) = (int(start), int(stop)) {
        let dtype = if start.dtype.bits > stop.dtype.bits { start.dtype } else { stop.dtype };
        return IntImm::new(dtype, last.wrapping_sub(first)).into();
    }
    if int(start) == Some(0) {
        return stop.clone();
    }
    if let Some(sum) = stop.as_object().view().node::<AddNode>()
        && structural_equal(&sum.a, start)
    {
        return sum.b.clone();
    }
    match fold::binary(BinaryOp::Sub, stop, start) {
        Ok(difference) => Analyzer::new().simplify(&difference),
        Err(_) => stop.clone(),
    }
}

/// The indices of `A[indices]`.
fn indices_of(index: &Value) -> Vec<Value> {
    match index {
        Value::Tuple(items) | Value::List(items) => items.to_vec(),
        single => index_items(single),
    }
}

fn index_items(single: &Value) -> Vec<Value> {
    match single {
        Value::Object(object) if object.view().as_array().is_some() => {
            single.items().map_or_else(|| vec![single.clone()], |items| items.to_vec())
        }
        single => vec![single.clone()],
    }
}

fn scalar(p: &mut Parser<'_>, value: &Value, range: TextRange) -> Eval<PrimExpr> {
    to_prim(value).ok_or_else(|| p.expected(range, "an index", value))
}

/// The bounds of a slice over a dimension of the length `whole`.
fn bounds(p: &mut Parser<'_>, slice: &SliceValue, whole: &PrimExpr, range: TextRange) -> Eval<(PrimExpr, PrimExpr)> {
    let start = match &slice.lower {
        Value::None => int32(0),
        value => scalar(p, value, range)?,
    };
    let stop = match &slice.upper {
        Value::None => whole.clone(),
        value => scalar(p, value, range)?,
    };
    Ok((start, stop))
}

/// The numbers of a slice with a distance as a vector; one number as a scalar.
fn strided(p: &mut Parser<'_>, slice: &SliceValue, whole: &PrimExpr, range: TextRange) -> Eval<PrimExpr> {
    let (start, stop) = bounds(p, slice, whole, range)?;
    let step = match &slice.step {
        Value::None => IntImm::new(start.dtype, 1).into(),
        Value::Int(step) => IntImm::new(start.dtype, *step).into(),
        value => scalar(p, value, range)?,
    };
    let length = extent(&start, &stop);
    let lanes = match (int(&length), int(&step)) {
        (Some(length), Some(step)) if step > 0 => {
            let lanes = length.saturating_add(step - 1).checked_div(step).unwrap_or(0);
            if lanes == 1 {
                return Ok(start);
            }
            int32(lanes)
        }
        (None, Some(step)) => quotient(&length, step),
        _ => length,
    };
    match ramp(&start, &step, &lanes) {
        Some(ramp) => Ok(ramp),
        None => Err(p.error(range, "expected a slice of a constant length from 1 to 32767")),
    }
}

/// The number of lanes of a slice, of which `step` lanes have this length: the product without the factor `step`.
fn quotient(length: &PrimExpr, step: i64) -> PrimExpr {
    match length.as_object().view().node::<MulNode>() {
        Some(product) if step != 1 && int(&product.b) == Some(step) => product.a.clone(),
        _ => length.clone(),
    }
}

fn check_dims(p: &mut Parser<'_>, buffer: &Buffer, count: usize, is_exact: bool, range: TextRange) -> Eval<()> {
    let dims = buffer.shape.len();
    if count == dims || (!is_exact && count < dims) {
        return Ok(());
    }
    let name = &buffer.name;
    Err(p.error(range, format!("the buffer `{name}` has {dims} dimensions, got {count} indices")))
}

/// `A[index]`: a read access, or a part of the buffer if there are slices without distance or fewer indices than
/// dimensions.
///
/// # Errors
/// Reports other indices.
pub(crate) fn element(p: &mut Parser<'_>, buffer: &Buffer, index: &Argument) -> Eval<Value> {
    let items = indices_of(&index.value);
    let shape = buffer.shape.as_slice();
    check_dims(p, buffer, items.len(), false, index.range)?;
    let has_step = |slice: &SliceValue| !matches!(slice.step, Value::None | Value::Int(1));
    let slices: Vec<&SliceValue> = items.iter().filter_map(as_slice).collect();
    let has_steps = slices.iter().any(|slice| has_step(slice));
    if items.len() < shape.len() || (!slices.is_empty() && !has_steps) {
        let mut ranges = Vec::with_capacity(shape.len());
        for (item, whole) in items.iter().zip(shape) {
            ranges.push(match item {
                Value::Slice(slice) => {
                    let (start, stop) = bounds(p, slice, whole, index.range)?;
                    let extent = extent(&start, &stop);
                    Range::new(start, extent, None)
                }
                item => point(scalar(p, item, index.range)?),
            });
        }
        ranges.extend(shape[items.len()..].iter().map(|whole| Range::new(int32(0), whole.clone(), None)));
        return Ok(Value::object(BufferRegion::new(buffer.clone(), ranges)));
    }
    let mut indices = Vec::with_capacity(items.len());
    for (item, whole) in items.iter().zip(shape) {
        indices.push(match item {
            Value::Slice(slice) => strided(p, slice, whole, index.range)?,
            item => scalar(p, item, index.range)?,
        });
    }
    Ok(Value::object(load(buffer, indices, None)))
}

fn as_slice(value: &Value) -> Option<&SliceValue> {
    match value {
        Value::Slice(slice) => Some(slice),
        _ => None,
    }
}

/// The range of one number.
fn point(index: PrimExpr) -> Range {
    let one = IntImm::new(index.dtype, 1);
    Range::new(index, one, None)
}

/// The argument as a part of a buffer: a read access stands for its element.
///
/// # Errors
/// Reports another value.
pub(crate) fn region(p: &mut Parser<'_>, argument: &Argument) -> Eval<BufferRegion> {
    if let Some(region) = argument.value.to::<BufferRegion>() {
        return Ok(region);
    }
    if let Some(load) = argument.value.to::<BufferLoad>() {
        let ranges: Vec<Range> = load.indices.as_slice().iter().map(|index| point(index.clone())).collect();
        return Ok(BufferRegion::new(load.buffer.clone(), ranges));
    }
    let Some(buffer) = argument.value.to::<Buffer>() else {
        return Err(argument.expected(p, "a part of a buffer such as `A[0:4]`"));
    };
    let ranges: Vec<Range> =
        buffer.shape.as_slice().iter().map(|whole| Range::new(int32(0), whole.clone(), None)).collect();
    Ok(BufferRegion::new(buffer, ranges))
}

/// The indices of an assignment or of `A.vload` as scalar expressions; a slice is a vector.
///
/// # Errors
/// Reports other indices.
pub(crate) fn indices(p: &mut Parser<'_>, buffer: &Buffer, index: &Argument) -> Eval<Vec<PrimExpr>> {
    let items = indices_of(&index.value);
    check_dims(p, buffer, items.len(), true, index.range)?;
    let mut result = Vec::with_capacity(items.len());
    for (item, whole) in items.iter().zip(buffer.shape.as_slice()) {
        result.push(match item {
            Value::Slice(slice) => strided(p, slice, whole, index.range)?,
            item => scalar(p, item, index.range)?,
        });
    }
    Ok(result)
}

/// Adds the statement `A[indices] = value`. The value is converted to the type of the elements.
///
/// # Errors
/// Reports a value of another number of lanes.
pub(crate) fn store(
    p: &mut Parser<'_>,
    buffer: &Buffer,
    indices: Vec<PrimExpr>,
    value: &Argument,
    predicate: Option<PrimExpr>,
) -> Eval<()> {
    let lanes = indices.last().map_or(1, |index| index.dtype.lanes());
    let expected = with_lanes(buffer.dtype, lanes);
    let Some(mut expr) = to_prim(&value.value) else {
        return Err(value.expected(p, "a scalar expression"));
    };
    if expr.dtype != expected {
        if expr.dtype.lanes() != expected.lanes() || is_handle(expr.dtype) != is_handle(expected) {
            let name = &buffer.name;
            let message =
                format!("expected a value of type `{expected}` for the buffer `{name}`, got `{}`", expr.dtype);
            return Err(p.error(value.range, message));
        }
        expr = fold::cast(expected, &expr);
    }
    p.tir.push(BufferStore::new(buffer.clone(), expr, indices, predicate));
    Ok(())
}
