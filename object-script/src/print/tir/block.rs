//! Blocks of TIR (TVM 0.25 src/tirx/script/printer/block.cc).

use object_core::{AnyView, AsAnyView, ObjectHandle, ObjectView};
use object_ir::tir::fold::{self, same_scalar};
use object_ir::tir::{Buffer, ForNode, IterVar, SBlock, SBlockNode, SBlockRealizeNode, VarNode, iter_var_type};

use crate::print::doc::tree::{Doc, Node, Text};
use crate::print::state::frame::{Dialect, FrameKind};
use crate::print::state::printer::Printer;
use crate::print::tir::buffer::define_buffer;
use crate::print::tir::buffer_attrs::{VarDefinitions, declaration};
use crate::print::tir::expr::is_int;
use crate::print::tir::stmt::{body, region};
use crate::print::tir::vars::define_var;
use crate::words::{BLOCK_AXES, word};
use object_core::print::Path;

/// A block with the values of its axes.
pub(crate) fn realize(p: &mut Printer<'_>, realize: &SBlockRealizeNode, path: Path) -> Doc {
    let block_path = p.paths.field(path, "block");
    let doc = block(p, &realize.block, block_path, Some((realize, path)));
    p.tree.mark(doc, block_path);
    doc
}

/// A block alone.
pub(crate) fn block_alone(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    match object.to_handle::<SBlock>() {
        Some(sblock) => block(p, &sblock, path, None),
        None => p.metadata_item(AnyView::Object(object)),
    }
}

fn block(p: &mut Printer<'_>, block: &SBlock, path: Path, realize: Option<(&SBlockRealizeNode, Path)>) -> Doc {
    let kind = Printer::tir_frame(Some(block.as_object().clone()));
    let ((), statements) = p.in_frame(kind, None, |p| {
        axes(p, block, path, realize);
        if let Some((realize, path)) = realize
            && !is_int(&realize.predicate, 1)
        {
            let predicate = p.field(path, "predicate", &realize.predicate);
            statement(p, "where", &[predicate]);
        }
        let reads_path = p.paths.field(path, "reads");
        let reads = p.items(block.reads.as_slice(), reads_path);
        region_statement(p, "reads", &reads);
        let writes_path = p.paths.field(path, "writes");
        let writes = p.items(block.writes.as_slice(), writes_path);
        region_statement(p, "writes", &writes);
        if !block.annotations.is_empty() {
            let annotations = p.field(path, "annotations", &block.annotations);
            statement(p, "sblock_attr", &[annotations]);
        }
        allocations(p, block.alloc_buffers.as_slice(), path);
        let matches_path = p.paths.field(path, "match_buffers");
        for (index, buffer) in block.match_buffers.as_slice().iter().enumerate() {
            let path = p.paths.item(matches_path, index);
            let doc = p.any(buffer.as_any_view(), path);
            p.push(doc);
        }
        if let Some(init) = &block.init {
            let init_path = p.paths.field(path, "init");
            let statements = region(p, init, init_path);
            let body = p.tree.list(&statements);
            let context = p.dialect_call(Dialect::Tir, "init", &[], &[]);
            let doc = p.tree.add(Node::With { context, target: None, body });
            p.push(doc);
        }
        let body_path = p.paths.field(path, "body");
        body(p, &block.body, body_path);
    });
    let name = p.string_field(path, "name_hint", &block.name_hint);
    let mut keywords: Vec<(Text, Doc)> = Vec::new();
    if realize.is_none() {
        keywords.push(("no_realize".into(), p.boolean(true)));
    }
    let context = p.dialect_call(Dialect::Tir, "sblock", &[name], &keywords);
    let body = p.tree.list(&statements);
    p.tree.add(Node::With { context, target: None, body })
}

/// The parts of buffers that a block reads or writes. The readable text does not show that there are none.
fn region_statement(p: &mut Printer<'_>, name: &'static str, args: &[Doc]) {
    if !(args.is_empty() && p.options.readable) {
        statement(p, name, args);
    }
}

fn statement(p: &mut Printer<'_>, name: &'static str, args: &[Doc]) {
    let call = p.dialect_call(Dialect::Tir, name, args, &[]);
    let statement = p.tree.add(Node::Expr(call));
    p.push(statement);
}

/// The buffers that the block at `path` allocates.
pub(crate) fn allocations(p: &mut Printer<'_>, buffers: &[Buffer], path: Path) {
    let path = p.paths.field(path, "alloc_buffers");
    let frame = p.innermost();
    for (index, buffer) in buffers.iter().enumerate() {
        let path = p.paths.item(path, index);
        let target = define_buffer(p, buffer, frame);
        let value = declaration(p, buffer, "sblock_alloc_buffer", &[], path, frame, VarDefinitions::Data);
        let statement = p.assign(target, None, Some(value));
        p.push(statement);
    }
}

/// The innermost loop around the text with the variable `var`.
fn loop_of<'p>(p: &'p Printer<'_>, var: ObjectView<'_>) -> Option<&'p ForNode> {
    let mut found = None;
    for frame in &p.frames {
        let FrameKind::Tir { object: Some(object), .. } = &frame.kind else { continue };
        let mut next = object.view().node::<ForNode>();
        while let Some(stmt) = next {
            if stmt.loop_var.as_object().view().ptr_eq(var) {
                found = Some(stmt);
            }
            next = stmt.body.as_object().view().node::<ForNode>();
        }
    }
    found
}

/// The axes of the block. Consecutive axes that run over whole loops are one `T.axis.remap`.
fn axes(p: &mut Printer<'_>, block: &SBlockNode, path: Path, realize: Option<(&SBlockRealizeNode, Path)>) {
    if block.iter_vars.is_empty() {
        return;
    }
    let is_remapped = |p: &Printer<'_>, index: usize, var: &IterVar| {
        let Some(value) = realize.and_then(|(realize, _)| realize.iter_values.get(index)) else { return false };
        let value = value.as_object().view();
        p.options.syntax_sugar
            && matches!(var.iter_type, iter_var_type::DATA_PAR | iter_var_type::COMM_REDUCE)
            && value.node::<VarNode>().is_some()
            && var.dom.as_ref().zip(loop_of(p, value)).is_some_and(|(domain, stmt)| {
                same_scalar(&domain.min, &stmt.min) && same_scalar(&domain.extent, &stmt.extent)
            })
    };
    let mut remapped = Vec::new();
    for (index, var) in block.iter_vars.as_slice().iter().enumerate() {
        if is_remapped(p, index, var) {
            remapped.push(index);
        } else {
            remap(p, block, path, realize, &std::mem::take(&mut remapped));
            axis(p, var, index, path, realize);
        }
    }
    remap(p, block, path, realize, &remapped);
}

/// The value of the axis `index`.
fn axis_value(p: &mut Printer<'_>, index: usize, (realize, path): (&SBlockRealizeNode, Path)) -> Doc {
    let path = p.paths.field(path, "iter_values");
    let path = p.paths.item(path, index);
    p.expr_of(realize.iter_values.as_slice().get(index).map_or(AnyView::None, AsAnyView::as_any_view), path)
}

fn axis_path(p: &mut Printer<'_>, index: usize, path: Path) -> Path {
    let path = p.paths.field(path, "iter_vars");
    p.paths.item(path, index)
}

/// `i = T.axis.spatial(n, value)`.
fn axis(p: &mut Printer<'_>, var: &IterVar, index: usize, path: Path, realize: Option<(&SBlockRealizeNode, Path)>) {
    let path = axis_path(p, index, path);
    let name = word(BLOCK_AXES, var.iter_type).unwrap_or("axis.opaque");
    let domain_path = p.paths.field(path, "dom");
    let domain = match &var.dom {
        Some(domain) if is_int(&domain.min, 0) => p.field(domain_path, "extent", &domain.extent),
        Some(domain) => {
            let min = p.field(domain_path, "min", &domain.min);
            let end = p.field(domain_path, "extent", &fold::add(&domain.min, &domain.extent));
            p.tuple(&[min, end])
        }
        None => p.any(AnyView::None, domain_path),
    };
    let mut args = vec![domain];
    args.extend(realize.map(|realize| axis_value(p, index, realize)));
    let value = p.dialect_call(Dialect::Tir, name, &args, &[]);
    let frame = p.innermost();
    let target = define_var(p, &var.var, frame);
    let statement = p.assign(target, None, Some(value));
    p.tree.mark(statement, path);
    p.push(statement);
}

/// `i, j = T.axis.remap("SS", [i_1, j_1])`; one axis prints alone.
fn remap(
    p: &mut Printer<'_>,
    block: &SBlockNode,
    path: Path,
    realize: Option<(&SBlockRealizeNode, Path)>,
    indices: &[usize],
) {
    let vars = block.iter_vars.as_slice();
    let (Some(realize), [first, rest @ ..]) = (realize, indices) else { return };
    if rest.is_empty() {
        return axis(p, &vars[*first], *first, path, Some(realize));
    }
    let frame = p.innermost();
    let (mut targets, mut values, mut kinds) = (Vec::new(), Vec::new(), String::new());
    for &index in indices {
        let var = &vars[index];
        let target = define_var(p, &var.var, frame);
        let path = axis_path(p, index, path);
        p.tree.mark(target, path);
        targets.push(target);
        values.push(axis_value(p, index, realize));
        kinds.push(if var.iter_type == iter_var_type::DATA_PAR { 'S' } else { 'R' });
    }
    let args = [p.string(&kinds), p.list(&values)];
    let value = p.dialect_call(Dialect::Tir, "axis.remap", &args, &[]);
    let target = p.tuple(&targets);
    let statement = p.assign(target, None, Some(value));
    p.push(statement);
}
