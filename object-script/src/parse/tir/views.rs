//! Buffers over the memory of other buffers: `A.view(...)`, `A.permute(...)` and so on (TVM 0.25
//! python/tvm/tirx/buffer.py).

use object_core::{DataType, Map, ObjectHandle};
use object_ir::ir::PrimExpr;
use object_ir::tir::fold::{self, BinaryOp};
use object_ir::tir::{Axis, Buffer, BufferRegion, Iter, Layout, TileLayout, TileLayoutNode, buffer_type};
use ruff_text_size::TextRange;

pub(crate) use crate::memory::scope;
use crate::memory::{default_layout, is_default, is_thread_axis};
use crate::parse::state::call::Call;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::tir::buffer::{Declaration, LayoutChoice, declare};
use crate::parse::tir::scalar::{int32, prims};
use crate::parse::value::Value;

/// A declaration with all facts of `parent`.
fn like(parent: &Buffer) -> Declaration {
    Declaration {
        shape: parent.shape.to_vec(),
        dtype: parent.dtype,
        data: Some(parent.data.clone()),
        strides: parent.strides.to_vec(),
        elem_offset: Some(parent.elem_offset.clone()),
        scope: scope(parent).into(),
        align: parent.data_alignment,
        offset_factor: parent.offset_factor,
        is_auto: parent.buffer_type == buffer_type::AUTO_BROADCAST,
        axis_separators: parent.axis_separators.to_vec(),
        layout: LayoutChoice::Stated(parent.layout.clone()),
        allocated_addr: Vec::new(),
    }
}

fn operation(p: &mut Parser<'_>, op: BinaryOp, a: &PrimExpr, b: &PrimExpr, range: TextRange) -> Eval<PrimExpr> {
    fold::binary(op, a, b).map_err(|error| p.object_error(range, &error))
}

/// The distances of elements in the order of the rows.
fn row_major(p: &mut Parser<'_>, shape: &[PrimExpr], range: TextRange) -> Eval<Vec<PrimExpr>> {
    let mut strides = Vec::with_capacity(shape.len());
    let mut stride = int32(1);
    for extent in shape.iter().rev() {
        strides.push(stride.clone());
        stride = operation(p, BinaryOp::Mul, &stride, extent, range)?;
    }
    strides.reverse();
    Ok(strides)
}

/// `B = A[0:2, 4:8]`: the declaration of a buffer over a part of another one.
pub(crate) fn slice(p: &mut Parser<'_>, name: &str, region: &BufferRegion, range: TextRange) -> Eval<Value> {
    let parent = &region.buffer;
    let strides = row_major(p, parent.shape.as_slice(), range)?;
    let mut offset = parent.elem_offset.clone();
    for (bounds, stride) in region.region.as_slice().iter().zip(&strides) {
        let distance = operation(p, BinaryOp::Mul, &bounds.min, stride, range)?;
        offset = operation(p, BinaryOp::Add, &offset, &distance, range)?;
    }
    let shape = region.region.as_slice().iter().map(|bounds| bounds.extent.clone()).collect();
    p.tir.targets = vec![name.to_owned()];
    let buffer = declare(p, Declaration { shape, elem_offset: Some(offset), ..like(parent) });
    p.tir.targets.clear();
    Ok(Value::object(buffer))
}

/// `A.view(shape, layout=...)`, `A.view("int8")`.
pub(crate) fn view(p: &mut Parser<'_>, parent: &Buffer, call: &Call) -> Eval<Value> {
    let arguments = call.rest().to_vec();
    let layout = call.optional("layout").cloned();
    call.finish(p)?;
    if let ([dtype], None) = (&*arguments, &layout)
        && matches!(dtype.value, Value::Str(_) | Value::DataType(_))
    {
        let dtype = dtype.dtype(p)?;
        return reinterpreted(p, parent, dtype, call.range);
    }
    let mut shape = Vec::new();
    for argument in &arguments {
        shape.extend(prims(p, argument)?);
    }
    let layout = match layout {
        Some(layout) => Some(layout.object::<Layout>(p, "a layout")?),
        None => parent.layout.clone(),
    };
    let buffer = declare(p, Declaration { shape, layout: LayoutChoice::Stated(layout), ..like(parent) });
    Ok(Value::object(buffer))
}

/// The same memory with elements of another type.
fn reinterpreted(p: &mut Parser<'_>, parent: &Buffer, dtype: DataType, range: TextRange) -> Eval<Value> {
    let (wide, narrow) = (parent.dtype.bits.max(dtype.bits), parent.dtype.bits.min(dtype.bits).max(1));
    let has_default = parent.layout.as_ref().is_none_or(|layout| is_default(layout, parent.shape.as_slice()));
    if wide % narrow != 0 || !has_default {
        let message = "expected a buffer without a layout of its own, and a type whose size is a multiple or a part";
        return Err(p.error(range, message));
    }
    let ratio = int32(i64::from(wide / narrow));
    let op = if dtype.bits > parent.dtype.bits { BinaryOp::FloorDiv } else { BinaryOp::Mul };
    let mut shape = parent.shape.to_vec();
    if let Some(last) = shape.last_mut() {
        *last = operation(p, op, last, &ratio, range)?;
    }
    let offset = operation(p, op, &parent.elem_offset, &ratio, range)?;
    let layout = LayoutChoice::Stated(parent.layout.as_ref().map(|_| default_layout(&shape)));
    let buffer = declare(p, Declaration { shape, dtype, elem_offset: Some(offset), layout, ..like(parent) });
    Ok(Value::object(buffer))
}

fn tile(p: &mut Parser<'_>, parent: &Buffer, range: TextRange) -> Eval<TileLayout> {
    let layout = parent.layout.as_ref().and_then(|layout| layout.as_object().view().to_handle::<TileLayout>());
    layout.ok_or_else(|| p.error(range, format!("the buffer `{}` does not have a layout of tiles", parent.name)))
}

/// `A.permute(1, 0)`.
pub(crate) fn permute(p: &mut Parser<'_>, parent: &Buffer, call: &Call) -> Eval<Value> {
    let tile = tile(p, parent, call.range)?;
    let (mut shape, mut shard) = (Vec::new(), Vec::new());
    for argument in call.rest().to_vec() {
        let index = usize::try_from(argument.int(p)?).ok();
        let parts = index.and_then(|index| {
            Some((parent.shape.as_slice().get(index)?.clone(), tile.shard.as_slice().get(index)?.clone()))
        });
        let Some((extent, iter)) = parts else { return Err(argument.expected(p, "the number of a dimension")) };
        shape.push(extent);
        shard.push(iter);
    }
    call.finish(p)?;
    if shape.len() != parent.shape.len() || tile.shard.len() != shape.len() {
        return Err(p.error(call.range, "expected each dimension once, of a layout with one loop for each dimension"));
    }
    let layout: Layout = TileLayout::new(shard, tile.replica.clone(), tile.offset.clone()).into();
    let buffer = declare(p, Declaration { shape, layout: LayoutChoice::Stated(Some(layout)), ..like(parent) });
    Ok(Value::object(buffer))
}

/// The loops in memory, without the ones over threads.
fn in_memory(iters: &[Iter]) -> Vec<Iter> {
    iters.iter().filter(|iter| !is_thread_axis(&iter.axis)).cloned().collect()
}

fn storage(tile: &TileLayoutNode) -> TileLayout {
    let offset: Map<Axis, PrimExpr> = Map::new(tile.offset.iter().filter(|(axis, _)| !is_thread_axis(axis)));
    TileLayout::new(in_memory(tile.shard.as_slice()), in_memory(tile.replica.as_slice()), offset)
}

/// `A.local(shape)`: the elements that one thread has.
pub(crate) fn local(p: &mut Parser<'_>, parent: &Buffer, call: &Call) -> Eval<Value> {
    let storage = storage(&*tile(p, parent, call.range)?);
    let arguments = call.rest().to_vec();
    let layout = call.optional("layout").cloned();
    call.finish(p)?;
    let mut shape = Vec::new();
    for argument in &arguments {
        shape.extend(prims(p, argument)?);
    }
    if shape.is_empty() {
        let mut total = int32(1);
        for iter in storage.shard.as_slice() {
            total = operation(p, BinaryOp::Mul, &total, &iter.extent, call.range)?;
        }
        shape.push(total);
    }
    let layout = match layout {
        Some(layout) => layout.object::<Layout>(p, "a layout")?,
        None => storage.into(),
    };
    let buffer = declare(p, Declaration { shape, layout: LayoutChoice::Stated(Some(layout)), ..like(parent) });
    Ok(Value::object(buffer))
}

/// `A.partition(num_tiles=(2, 4))`: a grid of tiles.
pub(crate) fn partition(p: &mut Parser<'_>, parent: &Buffer, call: &Call) -> Eval<Value> {
    let tiles = call.required(p, "num_tiles")?.clone();
    call.finish(p)?;
    let counts = prims(p, &tiles)?;
    if counts.len() != parent.shape.len() {
        return Err(tiles.expected(p, "one number for each dimension"));
    }
    let inner = row_major(p, parent.shape.as_slice(), call.range)?;
    let (mut shape, mut strides) = (counts.clone(), Vec::new());
    for ((count, extent), stride) in counts.iter().zip(parent.shape.as_slice()).zip(&inner) {
        let tile = operation(p, BinaryOp::FloorDiv, extent, count, call.range)?;
        strides.push(operation(p, BinaryOp::Mul, &tile, stride, call.range)?);
        shape.push(tile);
    }
    strides.extend(inner);
    let buffer = declare(p, Declaration { shape, strides, layout: LayoutChoice::Default, ..like(parent) });
    Ok(Value::object(buffer))
}
