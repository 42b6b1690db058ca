//! Regions: sequences of statements, and the contexts that hold until their ends.

use object_core::stack_budget::with_stack;
use object_core::value::Str;
use object_core::{Any, Array, Map, ObjectHandle};
use object_ir::ir::{IntImmNode, Op};
use object_ir::tir::{
    AttrStmt, Evaluate, EvaluateNode, SeqStmt, SeqStmtNode, Stmt, TilePrimitiveCall, TilePrimitiveCallNode,
};
use ruff_python_ast as ast;

use crate::parse::state::parser::Parser;
use crate::parse::state::tir_frames::{Context, Region, RegionKind};
use crate::parse::tir::scalar::int32;

/// The statement of the statements `body`, in a region and a frame of names of their own. `begin` defines their names.
pub(crate) fn region(
    p: &mut Parser<'_>,
    kind: RegionKind,
    body: &[ast::Stmt],
    begin: impl FnOnce(&mut Parser<'_>),
) -> Stmt {
    let region = open_region(p, kind, body, begin);
    finish(region.stmts, region.open)
}

/// The region of the statements `body`, whose contexts are still open.
pub(crate) fn open_region(
    p: &mut Parser<'_>,
    kind: RegionKind,
    body: &[ast::Stmt],
    begin: impl FnOnce(&mut Parser<'_>),
) -> Region {
    p.tir.regions.push(Region { kind, stmts: Vec::new(), open: Vec::new() });
    p.in_frame(|p| {
        begin(p);
        with_stack(|| {
            for stmt in body {
                (p.languages.tir_statement)(p, stmt);
            }
        });
    });
    p.tir.regions.pop().unwrap_or(Region { kind: RegionKind::Other, stmts: Vec::new(), open: Vec::new() })
}

/// The statement of a region, whose open contexts end.
pub(crate) fn finish(mut stmts: Vec<Stmt>, mut open: Vec<(usize, Context)>) -> Stmt {
    while let Some((start, context)) = open.pop() {
        let body = stmts.split_off(start.min(stmts.len()));
        stmts.push(wrapped(&context, body));
    }
    sequence(stmts)
}

/// The statement of a context around statements.
pub(crate) fn wrapped(context: &Context, body: Vec<Stmt>) -> Stmt {
    match context {
        Context::Attr { node, key, value } => {
            AttrStmt::new(node.clone(), key.clone(), value.clone(), sequence(body)).into()
        }
        Context::Nested(contexts) => {
            let mut body = body;
            for context in contexts.iter().rev() {
                body = vec![wrapped(context, body)];
            }
            sequence(body)
        }
        Context::Group { workspace, config, dispatch, scope } => {
            let calls = body.iter().filter(|stmt| stmt.as_object().view().node::<TilePrimitiveCallNode>().is_some());
            let calls: Array<Any> = Array::new(calls.map(|stmt| Any::Object(stmt.as_object().clone())));
            match Op::get("tirx.tile.compose_op") {
                Ok(op) => TilePrimitiveCall::new(
                    op,
                    calls,
                    workspace.clone(),
                    config.clone(),
                    dispatch.clone(),
                    scope.clone(),
                )
                .into(),
                Err(_) => sequence(body),
            }
        }
        // Blocks have regions of their own.
        Context::Block { .. } | Context::Init => sequence(body),
    }
}

/// Consecutive statements as one (TVM 0.25 `SeqStmt::Flatten` in include/tvm/tirx/stmt.h): no statements are the
/// evaluation of 0, which is left out among others.
pub(crate) fn sequence(stmts: Vec<Stmt>) -> Stmt {
    let mut flat = Vec::with_capacity(stmts.len());
    for stmt in stmts {
        match stmt.as_object().view().node::<SeqStmtNode>() {
            Some(seq) => flat.extend(seq.seq.as_slice().iter().filter(|stmt| !is_nothing(stmt)).cloned()),
            None if is_nothing(&stmt) => {}
            None => flat.push(stmt),
        }
    }
    match flat.len() {
        0 => Evaluate::new(int32(0)).into(),
        1 => flat.remove(0),
        _ => SeqStmt::new(flat).into(),
    }
}

fn is_nothing(stmt: &Stmt) -> bool {
    let value = stmt.as_object().view().node::<EvaluateNode>().map(|stmt| &stmt.value);
    value.and_then(|value| value.as_object().view().node::<IntImmNode>()).is_some_and(|imm| imm.value == 0)
}

/// The key of attributes with directives.
pub(crate) const HINT: &str = "tirx_hint";

/// The context of a directive.
pub(crate) fn hint(entries: Vec<(Str, Any)>) -> Context {
    Context::Attr { node: Any::from(Map::<Str, Any>::new(entries)), key: Str::from(HINT), value: int32(1) }
}
