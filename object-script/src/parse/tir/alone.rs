//! Statements of loop programs outside of functions, as the printer shows a statement alone.

use object_core::stack_budget::with_stack;
use object_ir::tir;
use ruff_python_ast::{Expr, Stmt};

use crate::parse::state::parser::{Language, Parser};
use crate::parse::state::tir_frames::{RegionKind, TirFrames};
use crate::parse::tir::region::region;
use crate::parse::value::Value;

/// Whether the name at the start of an expression stands for the prefix `T`.
fn begins_with_prefix(p: &Parser<'_>, expr: &Expr) -> bool {
    let mut expr = expr;
    loop {
        expr = match expr {
            Expr::Attribute(member) => &member.value,
            Expr::Call(call) => &call.func,
            Expr::Subscript(element) => &element.value,
            Expr::Name(name) => {
                return p.names.get(name.id.as_str()).and_then(Value::as_path).is_some_and(|path| path == "T");
            }
            _ => return false,
        };
    }
}

/// The name of the function that an expression calls, without what is before the last dot.
fn callee(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Call(call) => match &*call.func {
            Expr::Attribute(member) => Some(member.attr.as_str()),
            _ => None,
        },
        _ => None,
    }
}

/// The functions whose calls are statements.
const STATEMENTS: &[&str] =
    &["evaluate", "Break", "Continue", "attr", "launch_thread", "hint", "vstore", "device_entry"];

/// Whether only loop programs have the statement.
fn is_of_loop_program(p: &Parser<'_>, stmt: &Stmt) -> bool {
    match stmt {
        Stmt::For(_) | Stmt::While(_) | Stmt::AugAssign(_) | Stmt::Assert(_) | Stmt::Break(_) | Stmt::Continue(_) => {
            true
        }
        Stmt::Assign(assign) => {
            assign.targets.iter().any(Expr::is_subscript_expr)
                || (begins_with_prefix(p, &assign.value)
                    && callee(&assign.value).is_some_and(|name| name.starts_with("alloc_") || name == "launch_thread"))
        }
        Stmt::AnnAssign(assign) => begins_with_prefix(p, &assign.annotation),
        Stmt::With(with) => with.items.iter().any(|item| begins_with_prefix(p, &item.context_expr)),
        Stmt::Expr(expr) => callee(&expr.value).is_some_and(|name| STATEMENTS.contains(&name)),
        Stmt::If(branch) => {
            let clauses = branch.elif_else_clauses.iter().flat_map(|clause| &clause.body);
            branch.body.iter().chain(clauses).any(|stmt| with_stack(|| is_of_loop_program(p, stmt)))
        }
        _ => false,
    }
}

/// The statements of a text without definitions as one statement of a loop program, if at least one of them is of loop
/// programs only.
pub(crate) fn statements(p: &mut Parser<'_>, body: &[Stmt]) -> Option<tir::Stmt> {
    let is_definition =
        |stmt: &Stmt| matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_) | Stmt::Import(_) | Stmt::ImportFrom(_));
    if body.iter().any(is_definition) || !body.iter().any(|stmt| is_of_loop_program(p, stmt)) {
        return None;
    }
    p.tir = TirFrames::default();
    let stmt = p.in_language(Language::Tir, |p| region(p, RegionKind::Other, body, |_| {}));
    Some(stmt)
}
