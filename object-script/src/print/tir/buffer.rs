//! Buffers: declarations and access (TVM 0.25 src/tirx/script/printer/buffer.cc).

use object_core::{AnyView, ObjectHandle, ObjectView};
use object_ir::ir::{PrimExpr, Range};
use object_ir::te::TensorNode;
use object_ir::tir::fold;
use object_ir::tir::{
    Buffer, BufferLoadNode, BufferNode, BufferRegionNode, BufferStoreNode, MatchBufferRegionNode, ProducerLoadNode,
    RampNode,
};

use crate::print::doc::tree::{Doc, Node};
use crate::print::state::printer::Printer;
use crate::print::tir::buffer_attrs::{VarDefinitions, declaration};
use crate::print::tir::buffer_facts::is_scalar;
use crate::print::tir::expr::is_int;
use object_core::print::Path;

/// Takes a name for a buffer until the end of the frame.
pub(crate) fn define_buffer(p: &mut Printer<'_>, buffer: &Buffer, frame: usize) -> Doc {
    p.buffers.push(buffer.clone());
    p.define(buffer.as_object().view(), frame, if buffer.name.is_empty() { "buffer" } else { &buffer.name })
}

/// A buffer. One that the text has not defined is declared in the innermost region with all its uses.
pub(crate) fn buffer(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let Some(buffer) = object.to_handle::<Buffer>() else { return p.metadata_item(AnyView::Object(object)) };
    if !p.is_defined(object) {
        let frame = p.common_prefix.lowest_frame(object, &p.frames).unwrap_or_else(|| p.innermost());
        let name = define_buffer(p, &buffer, frame);
        let value = declaration(p, &buffer, "Buffer", &[], path, frame, VarDefinitions::Data);
        let statement = p.assign(name, None, Some(value));
        p.push_to(frame, statement);
    }
    let name = match p.reference(object) {
        Some(name) => name,
        None => p.name(&buffer.name),
    };
    if is_scalar(&buffer, true) { p.member(name, "buffer") } else { name }
}

/// The name of a scalar buffer without `.buffer`.
fn scalar_name(p: &mut Printer<'_>, buffer: &Buffer, printed: Doc) -> Doc {
    p.reference(buffer.as_object().view()).unwrap_or(printed)
}

fn is_any_scalar(buffer: &BufferNode) -> bool {
    is_scalar(buffer, false)
}

/// The indices of an access. A vector of consecutive elements is a slice, if `has_slices`.
fn indices(p: &mut Printer<'_>, indices: &[PrimExpr], has_slices: bool, path: Path) -> Vec<Doc> {
    let path = p.paths.field(path, "indices");
    let mut docs = Vec::with_capacity(indices.len());
    for (position, index) in indices.iter().enumerate() {
        let path = p.paths.item(path, position);
        let ramp = index.as_object().view().node::<RampNode>().filter(|_| has_slices);
        let ramp = ramp.and_then(|ramp| Some((ramp, fold::int(&ramp.stride)?)));
        docs.push(match ramp {
            Some((ramp, stride)) => {
                let start = p.field(path, "base", &ramp.start);
                let stop = fold::add(&ramp.start, &fold::mul(&ramp.lanes, &ramp.stride));
                let stop = p.field(path, "lanes", &stop);
                let step = (stride != 1).then(|| p.field(path, "stride", &ramp.stride));
                p.tree.add(Node::Slice { start, stop, step })
            }
            None => p.expr(index, path),
        });
    }
    docs
}

/// Ranges as slices, and ranges of one element as indices.
fn slices(p: &mut Printer<'_>, ranges: &[Range], path: Path) -> Vec<Doc> {
    let mut docs = Vec::with_capacity(ranges.len());
    for (position, range) in ranges.iter().enumerate() {
        let path = p.paths.item(path, position);
        let start = p.field(path, "min", &range.min);
        docs.push(if is_int(&range.extent, 1) {
            start
        } else {
            let stop = p.field(path, "extent", &fold::add(&range.min, &range.extent));
            p.tree.add(Node::Slice { start, stop, step: None })
        });
    }
    docs
}

/// A part of a buffer.
pub(crate) fn region(p: &mut Printer<'_>, region: &BufferRegionNode, path: Path) -> Doc {
    let buffer = p.field(path, "buffer", &region.buffer);
    let region_path = p.paths.field(path, "region");
    let slices = slices(p, region.region.as_slice(), region_path);
    p.index(buffer, &slices)
}

/// A read access.
pub(crate) fn load(p: &mut Printer<'_>, load: &BufferLoadNode, path: Path) -> Doc {
    let buffer = p.field(path, "buffer", &load.buffer);
    if let Some(predicate) = &load.predicate {
        let indices = p.field(path, "indices", &load.indices);
        let predicate = p.field(path, "predicate", predicate);
        let callee = p.member(buffer, "vload");
        return p.call(callee, &[indices], &[("predicate".into(), predicate)]);
    }
    if is_any_scalar(&load.buffer) {
        return scalar_name(p, &load.buffer, buffer);
    }
    let indices = indices(p, load.indices.as_slice(), p.words.has_load_slices, path);
    p.index(buffer, &indices)
}

/// A write access.
pub(crate) fn store(p: &mut Printer<'_>, store: &BufferStoreNode, path: Path) -> Doc {
    let buffer = p.field(path, "buffer", &store.buffer);
    let value = p.field(path, "value", &store.value);
    if let Some(predicate) = &store.predicate {
        let indices = p.field(path, "indices", &store.indices);
        let predicate = p.field(path, "predicate", predicate);
        let callee = p.member(buffer, "vstore");
        let call = p.call(callee, &[indices, value], &[("predicate".into(), predicate)]);
        return p.tree.add(Node::Expr(call));
    }
    let target = if is_any_scalar(&store.buffer) {
        scalar_name(p, &store.buffer, buffer)
    } else {
        let indices = indices(p, store.indices.as_slice(), true, path);
        p.index(buffer, &indices)
    };
    p.assign(target, None, Some(value))
}

/// A buffer that is a part of another one.
pub(crate) fn match_buffer_region(p: &mut Printer<'_>, stmt: &MatchBufferRegionNode, path: Path) -> Doc {
    let frame = p.innermost();
    let target = define_buffer(p, &stmt.buffer, frame);
    let source = p.field(path, "source", &stmt.source);
    let buffer_path = p.paths.field(path, "buffer");
    let value = declaration(p, &stmt.buffer, "match_buffer", &[source], buffer_path, frame, VarDefinitions::All);
    p.assign(target, None, Some(value))
}

/// An access to a tensor of tensor expressions.
pub(crate) fn producer_load(p: &mut Printer<'_>, load: &ProducerLoadNode, path: Path) -> Doc {
    let producer = load.producer.as_object().view();
    let name = match producer.node::<TensorNode>() {
        Some(tensor) => p.name(&tensor.op.name),
        None => p.field(path, "producer", &load.producer),
    };
    let indices = indices(p, load.indices.as_slice(), true, path);
    p.index(name, &indices)
}
