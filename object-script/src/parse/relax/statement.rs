//! Statements of Relax (TVM 0.25 python/tvm/relax/script/parser/parser.py).

use object_core::stack_budget::with_stack;
use object_core::table::Table;
use object_core::visit::walk;
use object_core::{Array, ObjectHandle};
use object_ir::ir::{Binding, DataflowVar, Id, RelaxExpr, Var};
use object_relax::normal_form::is_void;
use ruff_python_ast::name::Name;
use ruff_python_ast::{Expr, Stmt, StmtIf, StmtWith};
use ruff_text_size::{Ranged, TextRange};

use crate::parse::expr::eval::{argument, eval};
use crate::parse::relax::binding::{annotated, assign, target_names};
use crate::parse::relax::branch::branch;
use crate::parse::relax::{normalize, values};
use crate::parse::state::function_frame::Dataflow;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// Reads statements. All of them, so that each reports its errors.
///
/// # Errors
/// A statement has an error.
pub(crate) fn statements(p: &mut Parser<'_>, body: &[Stmt]) -> Eval<()> {
    let mut result = Ok(());
    for statement in body {
        if let Err(reported) = self::statement(p, statement) {
            result = Err(reported);
        }
    }
    result
}

fn statement(p: &mut Parser<'_>, statement: &Stmt) -> Eval<()> {
    match statement {
        Stmt::Assign(it) => assign(p, it),
        Stmt::AnnAssign(it) => annotated(p, it),
        Stmt::Expr(it) => expression(p, &it.value),
        Stmt::Return(it) => {
            let Some(value) = &it.value else { return Err(p.error(it.range, "`return` lacks its value")) };
            let value = argument(p, value)?;
            let value = values::argument(p, &value)?;
            set_output(p, value, it.range)
        }
        Stmt::If(it) => {
            let result = with_stack(|| branch(p, it, statements));
            if result.is_err() {
                set_unknown(p, last_names(it));
            }
            result
        }
        Stmt::With(it) => with_stack(|| dataflow(p, it)),
        Stmt::FunctionDef(it) => with_stack(|| (p.languages.nested_function)(p, it)),
        Stmt::Pass(_) => Ok(()),
        Stmt::For(_) | Stmt::While(_) => {
            Err(p.error(head(statement), "functions of Relax do not have loops; write a recursive function"))
        }
        other => Err(p.error(head(other), "the statement is not part of Relax")),
    }
}

/// The first line of a statement.
fn head(statement: &Stmt) -> TextRange {
    let body = match statement {
        Stmt::For(it) => it.body.first(),
        Stmt::While(it) => it.body.first(),
        _ => None,
    };
    let range = statement.range();
    body.map_or(range, |body| TextRange::new(range.start(), body.start()))
}

/// A call such as `R.print(x)`, whose result is the empty tuple, or a statement such as `R.output(x)`.
fn expression(p: &mut Parser<'_>, expr: &Expr) -> Eval<()> {
    if expr.is_string_literal_expr() {
        return Ok(());
    }
    let value = argument(p, expr)?;
    if matches!(value.value, Value::None) {
        return Ok(());
    }
    let Some(value) = value.value.to::<RelaxExpr>() else {
        return Err(value.expected(p, "a statement"));
    };
    let var = normalize::emit(p, value, None, "_", expr.range())?;
    if !var.struct_info.as_ref().is_some_and(is_void) {
        let hint = Some("write `name = ...` before it".to_owned());
        return Err(p.error_with_hint(expr.range(), "the value of the expression is lost", hint));
    }
    Ok(())
}

fn set_output(p: &mut Parser<'_>, value: RelaxExpr, range: TextRange) -> Eval<()> {
    if normalize::frame(p, range)?.output.is_some() {
        return Err(p.error(range, "a function has one `return`, at its end, got another one"));
    }
    let value = normalize::normalize(p, value, range)?;
    let frame = normalize::frame(p, range)?;
    frame.output = Some(value);
    Ok(())
}

/// `with R.dataflow():`.
fn dataflow(p: &mut Parser<'_>, statement: &StmtWith) -> Eval<()> {
    let [item] = &*statement.items else {
        return Err(p.error(statement.range, "expected `with R.dataflow():`"));
    };
    if let Some(name) = &item.optional_vars {
        return Err(p.error(name.range(), "`with R.dataflow():` does not bind a name"));
    }
    let is_dataflow = match &item.context_expr {
        Expr::Call(call) if call.arguments.args.is_empty() && call.arguments.keywords.is_empty() => {
            eval(p, &call.func)?.as_path() == Some("R.dataflow")
        }
        _ => false,
    };
    if !is_dataflow {
        return Err(p.error(item.context_expr.range(), "expected `R.dataflow()`"));
    }
    let range = item.context_expr.range();
    if normalize::frame(p, range)?.dataflow.is_some() {
        return Err(p.error(range, "a dataflow block cannot be in a dataflow block"));
    }
    normalize::end_block(p, false, range)?;
    let expected_outputs = expected_outputs(&statement.body);
    normalize::frame(p, range)?.dataflow = Some(Dataflow { expected_outputs, ..Dataflow::default() });
    let mut places = Vec::new();
    let result = p.in_frame(|p| {
        let mut result = Ok(());
        for (index, statement) in statement.body.iter().enumerate() {
            if let Some(dataflow) = &mut normalize::frame(p, range)?.dataflow {
                dataflow.statement = index;
            }
            if let Err(reported) = self::statement(p, statement) {
                result = Err(reported);
            }
        }
        if p.log.is_some() {
            places = p.names.innermost_places();
        }
        result
    });
    let frame = normalize::frame(p, range)?;
    let ended = frame.dataflow.take().unwrap_or_default();
    let outputs = ended.outputs.clone().unwrap_or_default();
    let outputs = end_dataflow(p, &ended, outputs, range)?;
    normalize::end_block(p, true, range)?;
    if result.is_err() {
        let mut names: Vec<String> = ended.expected_outputs.keys().cloned().collect();
        names.sort_unstable();
        for name in names {
            let place = place_of(&places, &name);
            p.names.set_at(&name, Value::Unknown, place);
        }
    }
    for (name, var) in outputs {
        let place = place_of(&places, &name);
        p.names.set_at(&name, Value::object(var), place);
    }
    result
}

/// The place where a block introduces a name.
fn place_of(places: &[(Name, TextRange)], name: &str) -> Option<TextRange> {
    places.iter().find(|(known, _)| known == name).map(|(_, place)| *place)
}

/// The names that the last statements of the branches bind.
fn last_names(statement: &StmtIf) -> Vec<(String, TextRange)> {
    let branches = statement.elif_else_clauses.iter().map(|clause| clause.body.last());
    let mut names = Vec::new();
    for last in branches.chain([statement.body.last()]).flatten() {
        match last {
            Stmt::Assign(it) => it.targets.iter().for_each(|target| target_places(target, &mut names)),
            Stmt::AnnAssign(it) => target_places(&it.target, &mut names),
            _ => {}
        }
    }
    names
}

/// The names that a target binds, with their places.
fn target_places(target: &Expr, names: &mut Vec<(String, TextRange)>) {
    match target {
        Expr::Name(name) => names.push((name.id.to_string(), name.range)),
        Expr::Tuple(tuple) => tuple.elts.iter().for_each(|item| target_places(item, names)),
        Expr::List(list) => list.elts.iter().for_each(|item| target_places(item, names)),
        _ => {}
    }
}

/// Gives names of a failed statement a value, so that their uses are not reported.
fn set_unknown(p: &mut Parser<'_>, names: Vec<(String, TextRange)>) {
    let mut first: Option<(String, TextRange)> = None;
    for (name, place) in names {
        // The branches bind one name.
        let known = first.get_or_insert_with(|| (name.clone(), place));
        if known.0 == name
            && let Some(log) = &mut p.log
        {
            log.current.same.push((known.1, place));
        }
        p.define(&name, Value::Unknown, place);
    }
}

/// The names of `R.output`, each with the index of the last statement that binds the name.
fn expected_outputs(body: &[Stmt]) -> Table<String, usize> {
    let mut last = Table::default();
    let mut outputs = Vec::new();
    for (index, statement) in body.iter().enumerate() {
        let mut names = Vec::new();
        match statement {
            Stmt::Assign(it) => it.targets.iter().for_each(|target| target_names(target, &mut names)),
            Stmt::AnnAssign(it) => target_names(&it.target, &mut names),
            Stmt::FunctionDef(it) => names.push(it.name.as_str()),
            Stmt::Expr(it) => {
                if let Expr::Call(call) = &*it.value
                    && let Expr::Attribute(callee) = &*call.func
                    && callee.attr.as_str() == "output"
                {
                    call.arguments.args.iter().for_each(|arg| target_names(arg, &mut outputs));
                }
            }
            _ => {}
        }
        for name in names {
            last.insert(name, index);
        }
    }
    outputs.into_iter().filter_map(|name| Some((name.to_owned(), *last.get(name)?))).collect()
}

/// Makes variables of the block visible after it that are outputs but got bound as local ones: a result of the function
/// that the block returns, and an output under another name.
fn end_dataflow(
    p: &mut Parser<'_>,
    ended: &Dataflow,
    mut outputs: Vec<(String, Var)>,
    range: TextRange,
) -> Eval<Vec<(String, Var)>> {
    let frame = normalize::frame(p, range)?;
    if let Some(output) = &frame.output {
        walk(output, |var: &DataflowVar, _| {
            let var: Var = var.clone().into();
            if ended.emitted.contains(&normalize::address(&var)) {
                outputs.push((var.vid.name_hint.to_string(), var));
            }
        });
    }
    let local = outputs.iter().filter(|(_, var)| var.is::<DataflowVar>());
    let mut replaced: Vec<(Var, Var)> = Vec::new();
    for (_, var) in local {
        if replaced.iter().all(|(old, _)| !old.ptr_eq(var)) {
            let mut new = Var::new(Id::new(var.vid.name_hint.clone()));
            object_core::object::MakeMut::make_mut(&mut new).base.base.struct_info = var.struct_info.clone();
            replaced.push((var.clone(), new));
        }
    }
    if replaced.is_empty() {
        return Ok(outputs);
    }
    let find = |var: &Var| replaced.iter().find(|(old, _)| old.ptr_eq(var)).map(|(_, new)| new.clone());
    let frame = normalize::frame(p, range)?;
    let bindings = Array::<Binding>::new(std::mem::take(&mut frame.sequence.bindings));
    match object_core::rewrite::mutate(bindings, |var: &Var, _| find(var)) {
        Ok(bindings) => frame.sequence.bindings = bindings.iter().collect(),
        Err(error) => return Err(p.object_error(range, &error)),
    }
    let frame = normalize::frame(p, range)?;
    if let Some(output) = frame.output.take() {
        match object_core::rewrite::mutate(output, |var: &Var, _| find(var)) {
            Ok(output) => frame.output = Some(output),
            Err(error) => return Err(p.object_error(range, &error)),
        }
    }
    for (_, var) in &mut outputs {
        if let Some(new) = find(var) {
            *var = new;
        }
    }
    Ok(outputs)
}
