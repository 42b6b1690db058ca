//! Statements of loop programs (TVM 0.25 python/tvm/tirx/script/parser/parser.py).

use object_core::DataType;
use object_core::stack_budget::with_stack;
use object_core::value::Str;
use object_ir::ir::PrimExpr;
use object_ir::tir::{self, AssertStmt, Evaluate, IfThenElse, StringImm, Var, While};
use ruff_python_ast::{ElifElseClause, Expr, ExprName, Stmt, StmtAssert, StmtIf, StmtReturn, StmtWhile, StmtWith};
use ruff_text_size::{Ranged, TextRange};

use crate::parse::expr::{eval, operator};
use crate::parse::state::call::Argument;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::state::tir_frames::{Context, RegionKind};
use crate::parse::tir::region::{open_region, region, sequence};
use crate::parse::tir::scalar::{intrinsic, prim, to_prim};
use crate::parse::tir::{assign, context, loops};
use crate::parse::value::Value;

/// Reads a statement. Its errors are among the diagnostics.
pub(crate) fn statement(p: &mut Parser<'_>, stmt: &Stmt) {
    // An error is already reported, and the next statement has errors of its own.
    let _ = visit(p, stmt);
    p.tir.targets.clear();
    p.tir.context = None;
}

fn visit(p: &mut Parser<'_>, stmt: &Stmt) -> Eval<()> {
    match stmt {
        Stmt::For(stmt) => loops::for_loop(p, stmt),
        Stmt::While(stmt) => while_loop(p, stmt),
        Stmt::If(stmt) => branch(p, stmt),
        Stmt::With(stmt) => with(p, stmt),
        Stmt::Assign(stmt) => assign::assign(p, stmt),
        Stmt::AnnAssign(stmt) => assign::annotated(p, stmt),
        Stmt::AugAssign(stmt) => assign::augmented(p, stmt),
        Stmt::Expr(stmt) => expression(p, &stmt.value),
        Stmt::Assert(stmt) => assertion(p, stmt),
        Stmt::Return(stmt) => result(p, stmt),
        Stmt::Break(stmt) => evaluate_call(p, "tirx.break_loop", stmt.range),
        Stmt::Continue(stmt) => evaluate_call(p, "tirx.continue_loop", stmt.range),
        Stmt::Pass(_) => Ok(()),
        other => Err(p.error(other.range(), "this statement of Python is not part of loop programs")),
    }
}

fn evaluate_call(p: &mut Parser<'_>, op: &str, range: TextRange) -> Eval<()> {
    match intrinsic(DataType::void(), op, Vec::new()) {
        Some(call) => {
            p.tir.push(Evaluate::new(call));
            Ok(())
        }
        None => Err(p.error(range, format!("the operator `{op}` is not known"))),
    }
}

/// An expression for its effect: a call, or a context that holds until the end of the region.
fn expression(p: &mut Parser<'_>, expr: &Expr) -> Eval<()> {
    let value = eval::argument(p, expr)?;
    if let Some(context) = p.tir.context.take() {
        return open(p, context, expr.range());
    }
    match &value.value {
        // A function has already added its statement, or made a variable or a buffer that nothing uses.
        Value::None | Value::Str(_) | Value::Tuple(_) | Value::Ellipsis => Ok(()),
        Value::Object(object) if object.view().to_handle::<Var>().is_some() => Ok(()),
        Value::Object(object) if object.view().to_handle::<tir::Buffer>().is_some() => Ok(()),
        other => match to_prim(other) {
            Some(expr) => {
                p.tir.push(Evaluate::new(expr));
                Ok(())
            }
            None => Err(value.expected(p, "a statement")),
        },
    }
}

/// Opens a context until the end of the region.
fn open(p: &mut Parser<'_>, context: Context, range: TextRange) -> Eval<()> {
    if context::open(p, context) {
        return Ok(());
    }
    let hint = Some("write `with` before it".to_owned());
    Err(p.error_with_hint(range, "a block needs statements of its own", hint))
}

fn while_loop(p: &mut Parser<'_>, stmt: &StmtWhile) -> Eval<()> {
    let condition = eval::argument(p, &stmt.test).and_then(|condition| prim(p, &condition));
    let body = region(p, RegionKind::Other, &stmt.body, |_| {});
    p.tir.push(While::new(condition?, body));
    Ok(())
}

fn branch(p: &mut Parser<'_>, stmt: &StmtIf) -> Eval<()> {
    clause(p, &stmt.test, &stmt.body, &stmt.elif_else_clauses)
}

/// `if` or `elif` with the clauses after it. A condition of Python selects one side.
fn clause(p: &mut Parser<'_>, test: &Expr, body: &[Stmt], rest: &[ElifElseClause]) -> Eval<()> {
    let condition = eval::argument(p, test);
    if let Ok(condition) = &condition
        && let Some(value) = operator::truth(&condition.value)
    {
        if value {
            p.in_frame(|p| body.iter().for_each(|stmt| statement(p, stmt)));
            return Ok(());
        }
        return match rest {
            [ElifElseClause { test: Some(test), body, .. }, rest @ ..] => clause(p, test, body, rest),
            [ElifElseClause { test: None, body, .. }, ..] => {
                p.in_frame(|p| body.iter().for_each(|stmt| statement(p, stmt)));
                Ok(())
            }
            [] => Ok(()),
        };
    }
    let condition = condition.and_then(|condition| prim(p, &condition));
    let then = region(p, RegionKind::Other, body, |_| {});
    let otherwise = match rest {
        [] => None,
        [ElifElseClause { test: None, body, .. }, ..] => Some(region(p, RegionKind::Other, body, |_| {})),
        [ElifElseClause { test: Some(test), body, .. }, rest @ ..] => {
            let mut failed = Ok(());
            let inner = open_region(p, RegionKind::Other, &[], |p| {
                failed = with_stack(|| clause(p, test, body, rest));
            });
            failed?;
            Some(sequence(inner.stmts))
        }
    };
    p.tir.push(IfThenElse::new(condition?, then, otherwise));
    Ok(())
}

/// `with a as x, b: ...`.
fn with(p: &mut Parser<'_>, stmt: &StmtWith) -> Eval<()> {
    let mut contexts = Vec::new();
    let mut failed = Ok(());
    for item in &stmt.items {
        let targets = match &item.optional_vars {
            Some(target) => loops::target_names(p, target)?,
            None => Vec::new(),
        };
        p.tir.targets = targets.iter().map(|name| name.id.to_string()).collect();
        p.tir.context = None;
        let value = eval::argument(p, &item.context_expr);
        p.tir.targets.clear();
        let context = p.tir.context.take();
        let bound = value.as_ref().map_or(Value::Unknown, |value| value.value.clone());
        match (value, context) {
            (Ok(_), Some(context)) => contexts.push((context, targets, bound)),
            (Ok(value), None) => {
                failed = Err(value.expected(p, "a context such as `T.sblock(\"B\")`"));
            }
            (Err(reported), _) => failed = Err(reported),
        }
    }
    if failed.is_err() {
        // The statements inside have errors of their own.
        open_region(p, RegionKind::Other, &stmt.body, |_| {});
        return failed;
    }
    nested(p, &contexts, &stmt.body);
    Ok(())
}

/// The statements `body` within contexts inside of each other.
fn nested(p: &mut Parser<'_>, contexts: &[(Context, Vec<&ExprName>, Value)], body: &[Stmt]) {
    match contexts {
        [] => body.iter().for_each(|stmt| statement(p, stmt)),
        [(context, targets, value), rest @ ..] => {
            let begin = |p: &mut Parser<'_>| {
                if let [name] = &**targets {
                    p.define(name.id.as_str(), value.clone(), name.range);
                }
                if !rest.is_empty() {
                    nested(p, rest, body);
                }
            };
            let body = if rest.is_empty() { body } else { &[] };
            context::within(p, context.clone(), body, begin);
        }
    }
}

/// `assert condition, "message"`, `assert condition, ("kind", ["part", "part"])`.
fn assertion(p: &mut Parser<'_>, stmt: &StmtAssert) -> Eval<()> {
    let condition = eval::argument(p, &stmt.test).and_then(|condition| prim(p, &condition));
    let message = match &stmt.msg {
        Some(message) => eval::argument(p, message)?,
        None => Argument { value: Value::Str(Str::from("")), range: stmt.range },
    };
    let string = |text: &str| StringImm::new(DataType::handle(), text);
    let (kind, parts) = match &message.value {
        Value::Tuple(pair) => match &**pair {
            [kind, parts] => (text(p, kind, message.range)?, parts.clone()),
            _ => return Err(message.expected(p, "a text, or a kind of error and a list of texts")),
        },
        other => (string("RuntimeError"), other.clone()),
    };
    let parts = match parts.items() {
        Some(items) => items.to_vec(),
        None => vec![parts],
    };
    let parts: Eval<Vec<StringImm>> = parts.iter().map(|part| text(p, part, message.range)).collect();
    let parts = parts?;
    p.tir.push(AssertStmt::new(condition?, kind, parts));
    Ok(())
}

fn text(p: &mut Parser<'_>, value: &Value, range: TextRange) -> Eval<StringImm> {
    match value {
        Value::Str(text) => Ok(StringImm::new(DataType::handle(), text.clone())),
        Value::Int(value) => Ok(StringImm::new(DataType::handle(), value.to_string().as_str())),
        other => other.to::<StringImm>().ok_or_else(|| p.expected(range, "a text", other)),
    }
}

/// `return value`.
fn result(p: &mut Parser<'_>, stmt: &StmtReturn) -> Eval<()> {
    let Some(value) = &stmt.value else {
        let hint = Some("leave it out, because the function ends here".to_owned());
        return Err(p.error_with_hint(stmt.range, "`return` needs a scalar expression", hint));
    };
    let value = eval::argument(p, value)?;
    let value: PrimExpr = prim(p, &value)?;
    match intrinsic(value.dtype, "tirx.ret", vec![value]) {
        Some(call) => {
            p.tir.push(Evaluate::new(call));
            Ok(())
        }
        None => Err(p.error(stmt.range, "the operator `tirx.ret` is not known")),
    }
}
