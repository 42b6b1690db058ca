//! Declarations of buffers in the memory of other buffers: short forms that derive the new buffer from the other one
//! (TVM 0.25 src/tirx/script/printer/stmt.cc).

use object_core::{Map, ObjectHandle, structural_equal};
use object_ir::ir::PrimExpr;
use object_ir::tir::fold::int;
use object_ir::tir::{Axis, Buffer, DeclBufferNode, Iter, Layout, TileLayout, TileLayoutNode};

use crate::memory::{is_default, is_thread_axis};
use crate::print::doc::tree::{Doc, Docs, Node, Text};
use crate::print::state::printer::Printer;
use crate::print::tir::buffer::define_buffer;
use crate::print::tir::buffer_attrs::{VarDefinitions, declaration};
use crate::print::tir::layout::{as_tile, has_thread_axis};
use crate::print::tir::stmt::refer_to_data;
use object_core::print::Path;

/// The declaration of a buffer.
pub(crate) fn decl_buffer(p: &mut Printer<'_>, stmt: &DeclBufferNode, path: Path) -> Doc {
    let frame = p.innermost();
    let path = p.paths.field(path, "buffer");
    if p.options.syntax_sugar
        && let Some(value) = derived(p, &stmt.buffer, path)
    {
        let target = define_buffer(p, &stmt.buffer, frame);
        refer_to_data(p, &stmt.buffer, frame);
        return p.assign(target, None, Some(value));
    }
    let value = declaration(p, &stmt.buffer, "decl_buffer", &[], path, frame, VarDefinitions::None);
    let target = define_buffer(p, &stmt.buffer, frame);
    p.assign(target, None, Some(value))
}

/// The buffer as a part or a view of a buffer that the text has defined, the first one for which there is a form.
fn derived(p: &mut Printer<'_>, child: &Buffer, path: Path) -> Option<Doc> {
    let is_parent = |p: &Printer<'_>, parent: &Buffer| {
        p.is_defined(parent.as_object().view())
            && !parent.as_object().ptr_eq(child.as_object())
            && parent.data.as_object().ptr_eq(child.data.as_object())
    };
    let mut parents: Vec<Buffer> = p.buffers.iter().filter(|parent| is_parent(p, parent)).cloned().collect();
    if !p.words.has_buffer_parts {
        // The text defines the owner first.
        parents.truncate(1);
    }
    parents.into_iter().find_map(|parent| {
        let name = p.reference(parent.as_object().view())?;
        derived_from(p, child, path, &parent, name)
    })
}

fn derived_from(p: &mut Printer<'_>, child: &Buffer, path: Path, parent: &Buffer, name: Doc) -> Option<Doc> {
    let has_offset = structural_equal(&child.elem_offset, &parent.elem_offset);
    let has_dtype = child.dtype == parent.dtype;
    let has_shape = structural_equal(&child.shape, &parent.shape);
    if !has_offset && has_dtype && !parent.shape.is_empty() && p.words.has_buffer_parts {
        return slice(p, child, path, parent, name);
    }
    if !has_offset {
        return None;
    }
    if !has_dtype {
        return reinterpreted(p, child, path, parent, name);
    }
    if let Some(doc) = local(p, child, path, parent, name) {
        return Some(doc);
    }
    if has_shape {
        return partition(p, child, path, parent, name);
    }
    permuted(p, child, path, parent, name)
        .or_else(|| partition(p, child, path, parent, name))
        .or_else(|| view(p, child, path, parent, name))
}

/// All extents, if they are constant.
fn constants(shape: &[PrimExpr]) -> Option<Vec<i64>> {
    shape.iter().map(int).collect()
}

/// The distances of elements in the order of the rows.
fn row_major(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1_i64; shape.len()];
    for index in (1..shape.len()).rev() {
        strides[index - 1] = strides[index].wrapping_mul(shape[index]);
    }
    strides
}

fn number(p: &mut Printer<'_>, value: i64, path: Path) -> Doc {
    p.int(value, path)
}

/// `A[0:2, 4:8]`, for a buffer at another offset.
fn slice(p: &mut Printer<'_>, child: &Buffer, path: Path, parent: &Buffer, name: Doc) -> Option<Doc> {
    let mut rest = int(&child.elem_offset)?.checked_sub(int(&parent.elem_offset)?)?;
    let (outer, extents) = (constants(parent.shape.as_slice())?, constants(child.shape.as_slice())?);
    if outer.len() != extents.len() {
        return None;
    }
    let offset_path = p.paths.field(path, "elem_offset");
    let shape_path = p.paths.field(path, "shape");
    let mut docs = Vec::new();
    for (index, stride) in row_major(&outer).into_iter().enumerate() {
        let start = rest.checked_div(stride)?;
        rest = rest.checked_rem(stride)?;
        let stop = start.checked_add(extents[index])?;
        if stop > outer[index] {
            return None;
        }
        let (start, stop) = if start == 0 && stop == outer[index] {
            let path = p.paths.item(shape_path, index);
            (number(p, 0, offset_path), p.expr(&parent.shape.as_slice()[index], path))
        } else {
            (number(p, start, offset_path), number(p, stop, offset_path))
        };
        docs.push(p.tree.add(Node::Slice { start, stop, step: None }));
    }
    (rest == 0).then(|| p.index(name, &docs))
}

/// `A.local(shape)`: the elements that one thread has.
fn local(p: &mut Printer<'_>, child: &Buffer, path: Path, parent: &Buffer, name: Doc) -> Option<Doc> {
    let tile = as_tile(parent.layout.as_ref())?;
    let is_parent_default = parent.layout.as_ref().is_some_and(|layout| is_default(layout, parent.shape.as_slice()));
    if is_parent_default || !has_thread_axis(tile) {
        return None;
    }
    let in_memory =
        |iters: &[Iter]| -> Vec<Iter> { iters.iter().filter(|iter| !is_thread_axis(&iter.axis)).cloned().collect() };
    let shard = in_memory(tile.shard.as_slice());
    let offset: Map<Axis, PrimExpr> = Map::new(tile.offset.iter().filter(|(axis, _)| !is_thread_axis(axis)));
    let storage: Layout = TileLayout::new(shard.clone(), in_memory(tile.replica.as_slice()), offset).into();
    if !child.layout.as_ref().is_some_and(|layout| structural_equal(layout, &storage)) {
        return None;
    }
    let extents: Option<Vec<i64>> = shard.iter().map(|iter| int(&iter.extent)).collect();
    let total = extents.map(|extents| extents.into_iter().fold(1, i64::wrapping_mul));
    let is_whole = matches!(child.shape.as_slice(), [extent] if total.is_some() && int(extent) == total);
    let args = if is_whole { Docs::new() } else { shape_docs(p, child, path) };
    let callee = p.member(name, "local");
    Some(p.call(callee, &args, &[]))
}

fn shape_docs(p: &mut Printer<'_>, buffer: &Buffer, path: Path) -> Docs {
    let path = p.paths.field(path, "shape");
    p.items(buffer.shape.as_slice(), path)
}

/// `A.view("int8")`: the same memory with another data type.
fn reinterpreted(p: &mut Printer<'_>, child: &Buffer, path: Path, parent: &Buffer, name: Doc) -> Option<Doc> {
    let (own, outer) = (child.shape.as_slice(), parent.shape.as_slice());
    let ((own_last, own_rest), (outer_last, outer_rest)) = (own.split_last()?, outer.split_last()?);
    let (own_bits, outer_bits) = (i64::from(child.dtype.bits), i64::from(parent.dtype.bits));
    let is_same = |(a, b): (&PrimExpr, &PrimExpr)| structural_equal(a, b);
    if own.len() != outer.len() || !own_rest.iter().zip(outer_rest).all(is_same) {
        return None;
    }
    let (own_last, outer_last) = (int(own_last)?, int(outer_last)?);
    let fits = if own_bits > outer_bits {
        let ratio = own_bits.checked_div(outer_bits)?;
        // The last loop over the memory has to consist of whole new elements.
        let is_packed = as_tile(parent.layout.as_ref()).and_then(|tile| tile.shard.last()).is_none_or(|last| {
            int(&last.stride) == Some(1) && int(&last.extent).is_some_and(|extent| extent % ratio == 0)
        });
        outer_last == own_last.wrapping_mul(ratio) && is_packed
    } else {
        own_last == outer_last.wrapping_mul(outer_bits.checked_div(own_bits)?)
    };
    if !fits {
        return None;
    }
    let dtype = p.dtype_field(path, "dtype", child.dtype);
    let callee = p.member(name, "view");
    Some(p.call(callee, &[dtype], &[]))
}

/// `A.permute(1, 0)`: the dimensions in another order.
fn permuted(p: &mut Printer<'_>, child: &Buffer, path: Path, parent: &Buffer, name: Doc) -> Option<Doc> {
    let (own, outer) = (child.shape.as_slice(), parent.shape.as_slice());
    if own.len() != outer.len() {
        return None;
    }
    let mut order: Vec<usize> = Vec::new();
    for extent in own {
        let is_free = |index: &usize| !order.contains(index) && structural_equal(extent, &outer[*index]);
        order.push((0..outer.len()).find(is_free)?);
    }
    let (own_tile, outer_tile) = (as_tile(child.layout.as_ref())?, as_tile(parent.layout.as_ref())?);
    if !is_permutation(own_tile, outer_tile, &order) {
        return None;
    }
    let shape_path = p.paths.field(path, "shape");
    let args: Vec<Doc> =
        order.into_iter().map(|index| number(p, i64::try_from(index).unwrap_or(i64::MAX), shape_path)).collect();
    let callee = p.member(name, "permute");
    Some(p.call(callee, &args, &[]))
}

/// Whether the loops of `own` are the loops of `outer` in this order.
fn is_permutation(own: &TileLayoutNode, outer: &TileLayoutNode, order: &[usize]) -> bool {
    let (own_shard, outer_shard) = (own.shard.as_slice(), outer.shard.as_slice());
    own_shard.len() == outer_shard.len()
        && order.iter().enumerate().all(|(index, &from)| {
            own_shard.get(index).zip(outer_shard.get(from)).is_some_and(|(a, b)| structural_equal(a, b))
        })
        && structural_equal(&own.replica, &outer.replica)
        && structural_equal(&own.offset, &outer.offset)
}

/// `A.partition(num_tiles=(2, 4))`: a grid of tiles.
fn partition(p: &mut Printer<'_>, child: &Buffer, path: Path, parent: &Buffer, name: Doc) -> Option<Doc> {
    let dims = parent.shape.len();
    if dims == 0 || child.shape.len() != 2 * dims || child.strides.len() != 2 * dims {
        return None;
    }
    let (outer, own) = (constants(parent.shape.as_slice())?, constants(child.shape.as_slice())?);
    let strides = constants(child.strides.as_slice())?;
    let is_tiled = row_major(&outer).into_iter().enumerate().all(|(index, stride)| {
        let (grid, tile) = (own[index], own[dims + index]);
        grid.wrapping_mul(tile) == outer[index]
            && strides[dims + index] == stride
            && strides[index] == tile.wrapping_mul(stride)
    });
    if !is_tiled {
        return None;
    }
    let docs = shape_docs(p, child, path);
    let tiles = p.tuple(&docs[..dims]);
    let callee = p.member(name, "partition");
    Some(p.call(callee, &[], &[("num_tiles".into(), tiles)]))
}

/// `A.view(shape, layout=L)`: the same elements in another shape.
fn view(p: &mut Printer<'_>, child: &Buffer, path: Path, parent: &Buffer, name: Doc) -> Option<Doc> {
    if !structural_equal(&child.strides, &parent.strides) {
        return None;
    }
    let args = shape_docs(p, child, path);
    let mut keywords: Vec<(Text, Doc)> = Vec::new();
    if let Some(layout) = &child.layout
        && !parent.layout.as_ref().is_some_and(|other| structural_equal(layout, other))
        && !is_default(layout, child.shape.as_slice())
    {
        keywords.push(("layout".into(), p.field(path, "layout", layout)));
    }
    let callee = p.member(name, "view");
    Some(p.call(callee, &args, &keywords))
}
