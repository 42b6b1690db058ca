//! Loops of TIR (TVM 0.25 src/tirx/script/printer/for_loop.cc).

use object_core::{AnyView, ObjectHandle, ObjectView};
use object_ir::tir::fold;
use object_ir::tir::{ForNode, VarNode, for_kind};
use rustc_hash::FxHashSet;

use crate::print::doc::tree::{Doc, Node, Text};
use crate::print::state::frame::Dialect;
use crate::print::state::printer::Printer;
use crate::print::state::walk::any_object;
use crate::print::tir::expr::is_int;
use crate::print::tir::stmt::body;
use crate::print::tir::vars::define_var;
use crate::words::{LOOPS, word};
use object_core::print::Path;

/// Whether each iteration adds one.
fn has_step_one(stmt: &ForNode) -> bool {
    stmt.step.as_ref().is_none_or(|step| is_int(step, 1))
}

/// Prints a loop. Plain loops inside of each other, whose bounds do not depend on each other, are one `T.grid`.
pub(crate) fn for_loop(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let Some(stmt) = object.node::<ForNode>() else { return p.metadata_item(AnyView::Object(object)) };
    let grid = if p.options.syntax_sugar { grid(stmt) } else { Vec::new() };
    let kind = Printer::tir_frame(Some(object.to_object()));
    let ((target, range), statements) = p.in_frame(kind, None, |p| match grid.as_slice() {
        [_, .., last] => {
            let (mut targets, mut extents, mut path) = (Vec::new(), Vec::new(), path);
            let frame = p.innermost();
            for stmt in &grid {
                targets.push(define_var(p, &stmt.loop_var, frame));
                extents.push(p.field(path, "extent", &stmt.extent));
                path = p.paths.field(path, "body");
            }
            body(p, &last.body, path);
            (p.tuple(&targets), p.dialect_call(Dialect::Tir, "grid", &extents, &[]))
        }
        _ => {
            let frame = p.innermost();
            let target = define_var(p, &stmt.loop_var, frame);
            let range = range(p, stmt, path);
            let body_path = p.paths.field(path, "body");
            body(p, &stmt.body, body_path);
            (target, range)
        }
    });
    let body = p.tree.list(&statements);
    p.tree.add(Node::For { target, range, body })
}

/// The plain loops from `stmt` inwards.
fn grid(stmt: &ForNode) -> Vec<&ForNode> {
    let (mut loops, mut vars) = (Vec::new(), FxHashSet::default());
    let mut next = Some(stmt);
    while let Some(stmt) = next {
        let depends = || {
            any_object(stmt.extent.as_object().view(), |object| {
                object.node::<VarNode>().is_some() && vars.contains(&object.address())
            })
        };
        let is_plain = stmt.kind == for_kind::SERIAL
            && is_int(&stmt.min, 0)
            && stmt.annotations.is_empty()
            && has_step_one(stmt)
            && !depends();
        if !is_plain {
            break;
        }
        loops.push(stmt);
        vars.insert(stmt.loop_var.as_object().view().address());
        next = stmt.body.as_object().view().node::<ForNode>();
    }
    loops
}

/// The iterations of one loop: `range(n)`, `T.parallel(n)` and so on.
fn range(p: &mut Printer<'_>, stmt: &ForNode, path: Path) -> Doc {
    let mut args = Vec::new();
    if is_int(&stmt.min, 0) && has_step_one(stmt) {
        args.push(p.field(path, "extent", &stmt.extent));
    } else {
        args.push(p.field(path, "min", &stmt.min));
        args.push(p.field(path, "extent", &fold::add(&stmt.min, &stmt.extent)));
    }
    let annotations = (!stmt.annotations.is_empty()).then(|| p.field(path, "annotations", &stmt.annotations));
    let mut keywords: Vec<(Text, Doc)> = Vec::new();
    let is_range = stmt.kind == for_kind::SERIAL && annotations.is_none();
    if stmt.kind == for_kind::THREAD_BINDING {
        let tag = stmt.thread_binding.as_ref().map(|var| var.thread_tag.clone()).unwrap_or_default();
        keywords.push(("thread".into(), p.string_field(path, "thread_binding", &tag)));
    }
    let callee = if is_range {
        p.name("range")
    } else {
        p.dialect_name(Dialect::Tir, word(LOOPS, stmt.kind).unwrap_or("serial"))
    };
    if let Some(annotations) = annotations {
        let has_only = |name: &str| stmt.annotations.len() == 1 && stmt.annotations.contains_key(name);
        keywords.push(if has_only("disable_unroll") {
            ("unroll".into(), p.boolean(false))
        } else if has_only("pragma_unroll") {
            ("unroll".into(), p.boolean(true))
        } else {
            ("annotations".into(), annotations)
        });
    }
    if let Some(step) = stmt.step.as_ref().filter(|_| !has_step_one(stmt)) {
        let step = p.field(path, "step", step);
        if is_range { args.push(step) } else { keywords.push(("step".into(), step)) }
    }
    p.call(callee, &args, &keywords)
}
