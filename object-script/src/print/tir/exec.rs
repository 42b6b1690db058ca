//! Execution scopes and tile primitives of TIR (TVM 0.25 src/tirx/script/printer/block.cc and stmt.cc).

use object_core::{AnyView, AsAnyView, ObjectHandle, ObjectView, structural_equal};
use object_ir::tir::{
    BufferRegionNode, ExecScopeNode, ScopeIdDefNode, ScopeIdDefStmtNode, Stmt, TilePrimitiveCall,
    TilePrimitiveCallNode, scope_binding,
};

use crate::intrinsics::printed_name;
use crate::print::doc::tree::{Doc, Node, Text};
use crate::print::state::frame::Dialect;
use crate::print::state::printer::Printer;
use crate::print::tir::stmt::body;
use crate::print::tir::vars::define_var;
use crate::words::{BINDINGS, LEVELS};
use object_core::print::Path;

/// The outer and the inner level of a binding, and the function that defines its numbers. No level of TVM has another
/// number.
fn binding(scope: i64) -> ([&'static str; 2], &'static str) {
    let known = BINDINGS.iter().find(|(kind, ..)| *kind == scope);
    known.map_or((["unknown"; 2], "unknown_id"), |(_, levels, function)| (*levels, function))
}

/// A level of execution.
pub(crate) fn exec_scope(p: &mut Printer<'_>, scope: &ExecScopeNode, path: Path) -> Doc {
    let name = LEVELS.iter().find(|(kind, ..)| *kind == scope.kind).map_or("unknown", |(_, name, _)| name);
    let name = p.string_field(path, "kind", name);
    p.dialect_call(Dialect::Tir, "ExecScope", &[name], &[])
}

/// Numbers of a level alone.
pub(crate) fn scope_id_def(p: &mut Printer<'_>, def: &ScopeIdDefNode, path: Path) -> Doc {
    let ([parent, current], _) = binding(def.scope);
    let args = [
        p.field(path, "def_ids", &def.def_ids),
        p.field(path, "extents", &def.extents),
        p.string_field(path, "scope", parent),
        p.string_field(path, "scope", current),
    ];
    p.dialect_call(Dialect::Tir, "ScopeIdDef", &args, &[])
}

/// The definition of the numbers of a level: `bx, by = T.cta_id([4, 2])`.
pub(crate) fn scope_id_def_stmt(p: &mut Printer<'_>, stmt: &ScopeIdDefStmtNode, path: Path) -> Doc {
    let (def, path) = (&stmt.def, p.paths.field(path, "def"));
    let frame = p.innermost();
    let targets: Vec<Doc> = def.def_ids.as_slice().iter().map(|var| define_var(p, var, frame)).collect();
    let mut args = Vec::new();
    if def.scope != scope_binding::CLUSTER_CTA_PAIR
        && let Some(extents) = &def.extents
    {
        args.push(p.field(path, "extents", extents));
    }
    let mut keywords: Vec<(Text, Doc)> = Vec::new();
    if let Some(preferred) = &def.preferred_extents {
        keywords.push(("preferred".into(), p.field(path, "preferred_extents", preferred)));
    }
    let value = p.dialect_call(Dialect::Tir, binding(def.scope).1, &args, &keywords);
    let target = p.tuple(&targets);
    p.assign(target, None, Some(value))
}

/// The primitive with the level that executes it: `T.warp.copy`, and `T.tile.copy` for a thread.
fn callee(p: &mut Printer<'_>, call: &TilePrimitiveCallNode) -> Doc {
    let level = LEVELS.iter().find(|(kind, ..)| *kind == call.scope.kind).map_or("tile", |(.., word)| word);
    let name = printed_name(&call.op.name);
    let name = name.strip_prefix("tile.").unwrap_or(name).to_owned();
    let name = p.tree.store(&format!("{level}.{name}"));
    p.dialect_name(Dialect::Tir, name)
}

/// A primitive on tiles, or a group of them.
pub(crate) fn tile_primitive(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let Some(call) = object.to_handle::<TilePrimitiveCall>() else { return p.metadata_item(AnyView::Object(object)) };
    let mut keywords: Vec<(Text, Doc)> = Vec::new();
    if &*call.op.name == "tirx.tile.compose_op" {
        let args_path = p.paths.field(path, "args");
        let kind = Printer::tir_frame(Some(object.to_object()));
        let ((), statements) = p.in_frame(kind, None, |p| {
            for (index, arg) in call.args.iter().enumerate() {
                let path = p.paths.item(args_path, index);
                match arg.clone().cast::<Stmt>() {
                    Ok(stmt) => body(p, &stmt, path),
                    Err(_) => {
                        let doc = p.any(arg.view(), path);
                        p.push(doc);
                    }
                }
            }
        });
        call_options(p, &call, path, &mut keywords);
        let callee = callee(p, &call);
        let context = p.call(callee, &[], &keywords);
        let body = p.tree.list(&statements);
        return p.tree.add(Node::With { context, target: None, body });
    }
    let args = args(p, &call, path);
    call_options(p, &call, path, &mut keywords);
    let callee = callee(p, &call);
    let doc = p.call(callee, &args, &keywords);
    p.tree.add(Node::Expr(doc))
}

/// The arguments, without those at the end that are none. A primitive on one tile in place shows it once.
fn args(p: &mut Printer<'_>, call: &TilePrimitiveCallNode, path: Path) -> Vec<Doc> {
    let mut args = call.args.to_vec();
    while args.last().is_some_and(|arg| matches!(arg.view(), AnyView::None)) {
        args.pop();
    }
    if let [a, b] = &*args {
        let region = |value: &object_core::Any| value.clone().cast::<object_ir::tir::BufferRegion>().ok();
        let is_same = |a: &BufferRegionNode, b: &BufferRegionNode| {
            a.buffer.as_object().ptr_eq(b.buffer.as_object()) && structural_equal(&a.region, &b.region)
        };
        if region(a).zip(region(b)).is_some_and(|(a, b)| is_same(&a, &b)) {
            args.pop();
        }
    }
    let path = p.paths.field(path, "args");
    args.iter()
        .enumerate()
        .map(|(index, arg)| {
            let path = p.paths.item(path, index);
            p.expr_of(arg.view(), path)
        })
        .collect()
}

/// The workspace, the variant and the options as keywords.
fn call_options(p: &mut Printer<'_>, call: &TilePrimitiveCallNode, path: Path, keywords: &mut Vec<(Text, Doc)>) {
    if !call.workspace.is_empty() {
        keywords.push(("workspace".into(), p.field(path, "workspace", &call.workspace)));
    }
    if let Some(dispatch) = &call.dispatch {
        keywords.push(("dispatch".into(), p.string_field(path, "dispatch", dispatch)));
    }
    let config_path = p.paths.field(path, "config");
    let mut config: Vec<_> = call.config.iter().collect();
    config.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (name, value) in &config {
        let path = p.paths.entry(config_path, name.as_any_view());
        let doc = p.expr_of(value.view(), path);
        let name = p.tree.store(name);
        keywords.push((name, doc));
    }
}
