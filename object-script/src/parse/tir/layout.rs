//! Layouts: `T.TileLayout(T.S[(4, 8):(8, 1)] + T.R[2:1 @ Axis.laneid])` (TVM 0.25 python/tvm/tirx/layout.py). A part of the
//! sum is a layout with that part alone.

use object_core::{DataType, Map};
use object_ir::ir::{IntImm, PrimExpr};
use object_ir::tir::{Axis, ComposeLayout, Iter, Layout, SwizzleLayout, TileLayout};
use ruff_python_ast::Operator;

use crate::memory::default_layout;
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::tir::scalar::{prim, prims, to_prim};
use crate::parse::value::Value;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] = &[
    ("T.TileLayout", tile),
    ("T.TileLayout.from_iters", from_iters),
    ("T.SwizzleLayout", swizzle),
    ("T.ComposeLayout", compose),
    ("T.Iter", iter),
];

/// The axis of memory.
const MEMORY: &str = "m";

/// The axis of a name such as `Axis.laneid`.
fn axis_of(value: &Value) -> Option<Axis> {
    let path = value.as_path()?;
    let (before, name) = path.rsplit_once('.')?;
    (before == "Axis" || before.ends_with(".Axis")).then(|| Axis::new(name))
}

fn offset(axis: Axis, value: PrimExpr) -> TileLayout {
    TileLayout::new(Vec::<Iter>::new(), Vec::<Iter>::new(), Map::new([(axis, value)]))
}

/// A part of a sum: a layout, or a number on an axis.
fn part(value: &Value) -> Option<TileLayout> {
    if let Some(layout) = value.to::<TileLayout>() {
        return Some(layout);
    }
    if let Some(iter) = value.to::<Iter>() {
        return Some(offset(iter.axis.clone(), iter.stride.clone()));
    }
    to_prim(value).map(|value| offset(Axis::new(MEMORY), value))
}

/// `stride @ Axis.laneid`, and sums of parts of layouts. `None` for other operands.
///
/// # Errors
/// Reports other values on an axis.
pub(crate) fn operation(p: &mut Parser<'_>, op: Operator, a: &Argument, b: &Argument) -> Eval<Option<Value>> {
    if op == Operator::MatMult
        && let Some(axis) = axis_of(&b.value)
    {
        let stride = prim(p, a)?;
        let one = IntImm::new(DataType::int(32), 1);
        return Ok(Some(Value::object(Iter::new(one, stride, axis))));
    }
    let is_part = |argument: &Argument| argument.value.is::<TileLayout>() || argument.value.is::<Iter>();
    if op != Operator::Add || !(is_part(a) || is_part(b)) {
        return Ok(None);
    }
    let (Some(left), Some(right)) = (part(&a.value), part(&b.value)) else {
        let wrong = if part(&a.value).is_none() { a } else { b };
        return Err(wrong.expected(p, "a part of a layout such as `T.S[4:1]`"));
    };
    let joined = |a: &[Iter], b: &[Iter]| a.iter().chain(b).cloned().collect::<Vec<_>>();
    let offsets: Vec<(Axis, PrimExpr)> = left.offset.iter().chain(right.offset.iter()).collect();
    Ok(Some(Value::object(TileLayout::new(
        joined(left.shard.as_slice(), right.shard.as_slice()),
        joined(left.replica.as_slice(), right.replica.as_slice()),
        Map::new(offsets),
    ))))
}

fn items(value: &Value) -> Vec<Value> {
    value.items().map_or_else(|| vec![value.clone()], |items| items.to_vec())
}

/// `T.S[extents:strides]`, `T.S[extents]`, `T.R[extents:strides]`.
///
/// # Errors
/// Reports other values.
pub(crate) fn element(p: &mut Parser<'_>, head: &str, index: &Argument) -> Eval<Value> {
    let argument = |value: &Value| Argument { value: value.clone(), range: index.range };
    let mut iters = Vec::new();
    match &index.value {
        Value::Slice(slice) => {
            let (extents, strides) = (items(&slice.lower), items(&slice.upper));
            if extents.len() != strides.len() {
                return Err(index.expected(p, "as many strides as extents"));
            }
            for (extent, stride) in extents.iter().zip(&strides) {
                let extent = prim(p, &argument(extent))?;
                iters.push(match stride.to::<Iter>() {
                    Some(iter) => Iter::new(extent, iter.stride.clone(), iter.axis.clone()),
                    None => Iter::new(extent, prim(p, &argument(stride))?, Axis::new(MEMORY)),
                });
            }
        }
        whole => {
            let shape = prims(p, &argument(whole))?;
            if head == "T.S" {
                return Ok(Value::object(default_layout(&shape)));
            }
            return Err(index.expected(p, "extents and strides with `:` between them"));
        }
    }
    let (shard, replica) = if head == "T.S" { (iters, Vec::new()) } else { (Vec::new(), iters) };
    Ok(Value::object(TileLayout::new(shard, replica, Map::<Axis, PrimExpr>::default())))
}

fn tile(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let spec = call.required(p, "spec")?.clone();
    call.finish(p)?;
    match part(&spec.value) {
        Some(layout) => Ok(Value::object(layout)),
        None => Err(spec.expected(p, "a layout such as `T.S[(4, 8):(8, 1)]`")),
    }
}

/// `T.TileLayout.from_iters(shard, replica, offset)`.
fn from_iters(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let lists = [call.optional("shard").cloned(), call.optional("replica").cloned()];
    let offset = call.optional("offset").cloned();
    call.finish(p)?;
    let [shard, replica] = lists.map(|list| {
        let Some(list) = list else { return Ok(Vec::new()) };
        items(&list.value)
            .into_iter()
            .map(|value| Argument { value, range: list.range }.object::<Iter>(p, "`T.Iter(extent, stride, axis)`"))
            .collect::<Eval<Vec<Iter>>>()
    });
    let mut offsets = Vec::new();
    if let Some(offset) = &offset {
        let Value::Dict(entries) = &offset.value else { return Err(offset.expected(p, "a dict from axes to numbers")) };
        for (axis, value) in entries.iter() {
            let axis = match (axis.as_str(), axis_of(axis)) {
                (Some(name), _) => Axis::new(name),
                (None, Some(axis)) => axis,
                _ => return Err(p.expected(offset.range, "the name of an axis", axis)),
            };
            offsets.push((axis, prim(p, &Argument { value: value.clone(), range: offset.range })?));
        }
    }
    Ok(Value::object(TileLayout::new(shard?, replica?, Map::new(offsets))))
}

fn iter(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (extent, stride) = (call.required(p, "extent")?.clone(), call.required(p, "stride")?.clone());
    let axis = call.required(p, "axis")?.clone();
    call.finish(p)?;
    let name = match axis_of(&axis.value) {
        Some(name) => name,
        None => Axis::new(axis.str(p)?),
    };
    Ok(Value::object(Iter::new(prim(p, &extent)?, prim(p, &stride)?, name)))
}

/// `T.SwizzleLayout(per_element, swizzle_len, atom_len, swizzle_inner=True)` (TVM 0.25 src/tirx/ir/layout).
fn swizzle(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let mut numbers = [0; 3];
    for (number, name) in numbers.iter_mut().zip(["per_element", "swizzle_len", "atom_len"]) {
        *number = call.required(p, name)?.clone().int(p)?;
    }
    let is_inner = call.optional("swizzle_inner").cloned().map_or(Ok(true), |it| it.bool(p))?;
    call.finish(p)?;
    let [per_element, length, atom] = numbers;
    if numbers.iter().any(|number| !(0..32).contains(number)) || atom < length || atom + length > 62 {
        let message = "expected numbers of bits from 0 to 31, where `atom_len` is at least `swizzle_len`";
        return Err(p.error(call.range, message));
    }
    let mask = (1_i64 << length) - 1;
    let layout = SwizzleLayout::new(per_element, length, atom, is_inner, mask, mask << atom);
    Ok(Value::object(layout))
}

fn compose(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (swizzle, tile) = (call.required(p, "swizzle")?.clone(), call.required(p, "tile_layout")?.clone());
    call.finish(p)?;
    let swizzle: SwizzleLayout = swizzle.object(p, "`T.SwizzleLayout(...)`")?;
    let tile: TileLayout = tile.object(p, "`T.TileLayout(...)`")?;
    Ok(Value::object(Layout::from(ComposeLayout::new(swizzle, tile))))
}
