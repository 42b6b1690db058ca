//! Layouts (TVM 0.25 src/tirx/script/printer/buffer.cc).

use object_core::ObjectHandle;
use object_ir::ir::PrimExpr;
use object_ir::tir::{Axis, AxisNode, ComposeLayoutNode, Iter, IterNode, Layout, SwizzleLayoutNode, TileLayoutNode};

use crate::memory::is_thread_axis;
use crate::print::doc::operator::Operator;
use crate::print::doc::tree::{Doc, Node};
use crate::print::state::frame::Dialect;
use crate::print::state::printer::Printer;
use object_core::print::Path;

/// An axis alone.
pub(crate) fn axis(p: &mut Printer<'_>, axis: &AxisNode, path: Path) -> Doc {
    p.string_field(path, "name", &axis.name)
}

/// A loop over an axis.
pub(crate) fn iter(p: &mut Printer<'_>, iter: &IterNode, path: Path) -> Doc {
    let args = [
        p.field(path, "extent", &iter.extent),
        p.field(path, "stride", &iter.stride),
        p.string_field(path, "axis", &iter.axis.name),
    ];
    p.dialect_call(Dialect::Tir, "Iter", &args, &[])
}

/// `value @ Axis.name`, and only the value for the axis of memory.
fn on_axis(p: &mut Printer<'_>, value: Doc, axis: &AxisNode) -> Doc {
    if &*axis.name == "m" {
        return value;
    }
    let name = p.tree.store(&axis.name);
    let prefix = p.tree.add(Node::Name("Axis".into()));
    let axis = p.member(prefix, name);
    p.operation(Operator::MatMul, &[value, axis])
}

/// `T.S[(extents):(strides)]`.
fn iters(p: &mut Printer<'_>, head: &'static str, iters: &[Iter], path: Path) -> Doc {
    let (mut extents, mut strides) = (Vec::new(), Vec::new());
    for (index, iter) in iters.iter().enumerate() {
        let path = p.paths.item(path, index);
        extents.push(p.field(path, "extent", &iter.extent));
        let stride = p.field(path, "stride", &iter.stride);
        strides.push(on_axis(p, stride, &iter.axis));
    }
    let [start, stop] = [extents, strides].map(|docs| match *docs {
        [doc] => doc,
        _ => p.tuple(&docs),
    });
    let slice = p.tree.add(Node::Slice { start, stop, step: None });
    let head = p.dialect_name(Dialect::Tir, head);
    p.index(head, &[slice])
}

fn plus(p: &mut Printer<'_>, sum: Option<Doc>, term: Doc) -> Option<Doc> {
    Some(match sum {
        Some(sum) => p.operation(Operator::Add, &[sum, term]),
        None => term,
    })
}

/// A layout of tiles: `T.TileLayout(T.S[...] + T.R[...] + offset)`.
pub(crate) fn tile(p: &mut Printer<'_>, layout: &TileLayoutNode, path: Path) -> Doc {
    let offset_path = p.paths.field(path, "offset");
    let mut offset: Vec<(Axis, PrimExpr)> = layout.offset.iter().collect();
    if layout.shard.is_empty() && layout.replica.is_empty() {
        let mut entries = Vec::new();
        for (axis, value) in &offset {
            entries.extend([p.string(&axis.name), p.expr(value, offset_path)]);
        }
        let callee = p.dialect_name(Dialect::Tir, "TileLayout.from_iters");
        if entries.is_empty() {
            return p.call(callee, &[], &[]);
        }
        let offset = p.dict(&entries);
        return p.call(callee, &[], &[("offset".into(), offset)]);
    }
    let mut spec = None;
    for (head, name, list) in [("S", "shard", &layout.shard), ("R", "replica", &layout.replica)] {
        if !list.is_empty() {
            let path = p.paths.field(path, name);
            let term = iters(p, head, list.as_slice(), path);
            spec = plus(p, spec, term);
        }
    }
    offset.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    let mut sum = None;
    for (axis, value) in &offset {
        let value = p.expr(value, offset_path);
        let term = on_axis(p, value, axis);
        sum = plus(p, sum, term);
    }
    if let Some(sum) = sum {
        spec = plus(p, spec, sum);
    }
    let args: Vec<Doc> = spec.into_iter().collect();
    p.dialect_call(Dialect::Tir, "TileLayout", &args, &[])
}

/// A layout that permutes elements of a tile.
pub(crate) fn swizzle(p: &mut Printer<'_>, layout: &SwizzleLayoutNode, path: Path) -> Doc {
    let numbers =
        [("per_element", layout.per_element), ("swizzle_len", layout.swizzle_len), ("atom_len", layout.atom_len)];
    let args = numbers.map(|(name, value)| {
        let path = p.paths.field(path, name);
        p.int(value, path)
    });
    let inner = p.boolean(layout.swizzle_inner);
    p.dialect_call(Dialect::Tir, "SwizzleLayout", &args, &[("swizzle_inner".into(), inner)])
}

/// A permuted layout of tiles.
pub(crate) fn compose(p: &mut Printer<'_>, layout: &ComposeLayoutNode, path: Path) -> Doc {
    let args = [p.field(path, "swizzle", &layout.swizzle), p.field(path, "tile_layout", &layout.tile_layout)];
    p.dialect_call(Dialect::Tir, "ComposeLayout", &args, &[])
}

/// Whether a layout has an axis of threads.
pub(crate) fn has_thread_axis(layout: &TileLayoutNode) -> bool {
    layout.shard.as_slice().iter().any(|iter| is_thread_axis(&iter.axis))
}

/// The layout of tiles, if the layout is one.
pub(crate) fn as_tile(layout: Option<&Layout>) -> Option<&TileLayoutNode> {
    layout?.as_object().view().node()
}
