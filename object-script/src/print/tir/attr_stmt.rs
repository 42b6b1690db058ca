//! Attribute statements of TIR (TVM 0.25 src/tirx/script/printer/stmt.cc).

use object_core::{AnyView, ObjectHandle, ObjectView, structural_equal};
use object_ir::ir::IntImmNode;
use object_ir::tir::{AttrStmtNode, IterVarNode, REDUCE_SCOPE, Stmt, Var, null_address};

use crate::print::doc::tree::{Doc, Node, Text};
use crate::print::state::frame::{Dialect, FrameKind};
use crate::print::state::printer::Printer;
use crate::print::tir::stmt::body;
use crate::print::tir::vars::define_var;
use object_core::print::Path;

/// Prints a statement with an attribute. As the last statement of its region it needs no indentation.
pub(crate) fn attr_stmt(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let Some(stmt) = object.node::<AttrStmtNode>() else { return p.metadata_item(AnyView::Object(object)) };
    let is_last = matches!(p.frames.last().map(|frame| &frame.kind), Some(FrameKind::Tir { is_last: true, .. }));
    let mut defined = None;
    let (context, inner, inner_path) = context(p, object, stmt, path, &mut defined);
    let kind = Printer::tir_frame(Some(object.to_object()));
    let (target, mut statements) = p.in_frame(kind, None, |p| {
        let frame = p.innermost();
        let target = defined.map(|var| define_var(p, &var, frame));
        body(p, &inner, inner_path);
        target
    });
    if is_last {
        let first = match target {
            Some(target) => p.assign(target, None, Some(context)),
            None => p.tree.add(Node::Expr(context)),
        };
        statements.insert(0, first);
        return p.block(&statements);
    }
    let body = p.tree.list(&statements);
    p.tree.add(Node::With { context, target, body })
}

/// The call that stands for the attribute, and the statement inside. `defined` becomes the variable that the call returns.
fn context(
    p: &mut Printer<'_>,
    object: ObjectView<'_>,
    stmt: &AttrStmtNode,
    path: Path,
    defined: &mut Option<Var>,
) -> (Doc, Stmt, Path) {
    let body_path = p.paths.field(path, "body");
    let node = stmt.node.view().as_object();
    if matches!(&*stmt.attr_key, "thread_extent" | "virtual_thread")
        && let Some(var) = node.and_then(|node| node.node::<IterVarNode>())
    {
        return (launch_thread(p, object, stmt, var, path, defined), stmt.body.clone(), body_path);
    }
    if &*stmt.attr_key == "tirx_hint"
        && let Some(map) = node.and_then(|node| node.as_map())
    {
        let (mut args, mut keywords): (Vec<Doc>, Vec<(Text, Doc)>) = (Vec::new(), Vec::new());
        let node_path = p.paths.field(path, "node");
        for (key, value) in map.iter() {
            let path = p.paths.entry(node_path, key);
            match (key.as_str(), value.as_str()) {
                (Some("message"), Some(text)) => args.push(p.string(text)),
                (name, _) => {
                    let name = p.tree.store(name.unwrap_or_default());
                    keywords.push((name, p.expr_of(value, path)));
                }
            }
        }
        let call = p.dialect_call(Dialect::Tir, "hint", &args, &keywords);
        return (call, stmt.body.clone(), body_path);
    }
    if !has_no_node(p, stmt) {
        let node_path = p.paths.field(path, "node");
        let node = p.expr_of(stmt.node.view(), node_path);
        let args = [node, p.string_field(path, "attr_key", &stmt.attr_key), value(p, stmt, path)];
        let call = p.dialect_call(Dialect::Tir, "attr", &args, &[]);
        return (call, stmt.body.clone(), body_path);
    }
    dict(p, stmt, path)
}

/// The value of the attribute.
fn value(p: &mut Printer<'_>, stmt: &AttrStmtNode, path: Path) -> Doc {
    if p.words.has_reduction_number && &*stmt.attr_key == REDUCE_SCOPE && structural_equal(&stmt.value, &null_address())
    {
        let path = p.paths.field(path, "value");
        return p.int(0, path);
    }
    p.field(path, "value", &stmt.value)
}

/// Whether the attribute belongs to no object: its node is the number 0, in scripts of TVM 0.25 as an expression.
fn has_no_node(p: &Printer<'_>, stmt: &AttrStmtNode) -> bool {
    if p.words.has_one_scalar && matches!(stmt.node.view(), AnyView::Int(0)) {
        return true;
    }
    stmt.node
        .view()
        .as_object()
        .and_then(|node| node.node::<IntImmNode>())
        .is_some_and(|imm| imm.dtype == object_core::DataType::int(32) && imm.value == 0)
}

/// Attributes of no object, directly inside of each other: one dict.
fn dict(p: &mut Printer<'_>, stmt: &AttrStmtNode, path: Path) -> (Doc, Stmt, Path) {
    let mut entries = Vec::new();
    let (mut stmt, mut path) = (stmt, path);
    loop {
        entries.push(p.string_field(path, "attr_key", &stmt.attr_key));
        entries.push(value(p, stmt, path));
        path = p.paths.field(path, "body");
        match stmt.body.as_object().view().node::<AttrStmtNode>() {
            Some(inner) if has_no_node(p, inner) => stmt = inner,
            _ => break,
        }
    }
    let entries = p.dict(&entries);
    (p.dialect_call(Dialect::Tir, "attr", &[entries], &[]), stmt.body.clone(), path)
}

/// `T.launch_thread("threadIdx.x", n)`, with the variable instead of the name of the axis if the text needs it outside.
fn launch_thread(
    p: &mut Printer<'_>,
    object: ObjectView<'_>,
    stmt: &AttrStmtNode,
    var: &IterVarNode,
    path: Path,
    defined: &mut Option<Var>,
) -> Doc {
    let node_path = p.paths.field(path, "node");
    let thread = var.var.as_object().view();
    let thread = if p.is_defined(thread) {
        p.field(node_path, "var", &var.var)
    } else if p.common_prefix.contains_all_uses(object, thread) {
        *defined = Some(var.var.clone());
        p.string_field(node_path, "thread_tag", &var.thread_tag)
    } else {
        let frame = p.common_prefix.lowest_frame(thread, &p.frames).unwrap_or_else(|| p.innermost());
        let target = define_var(p, &var.var, frame);
        let tag = p.string_field(node_path, "thread_tag", &var.thread_tag);
        let value = p.dialect_call(Dialect::Tir, "env_thread", &[tag], &[]);
        let statement = p.assign(target, None, Some(value));
        p.push_to(frame, statement);
        p.field(node_path, "var", &var.var)
    };
    let extent = p.field(path, "value", &stmt.value);
    p.dialect_call(Dialect::Tir, "launch_thread", &[thread, extent], &[])
}
