//! Loops: `for i in range(n)`, `T.grid` and so on (TVM 0.25 src/tirx/script/builder/ir.cc).

use object_core::value::Str;
use object_core::{Any, DataType, Map};
use object_ir::ir::{IntImm, PrimExpr, PrimType, Range};
use object_ir::tir::fold::{self, int};
use object_ir::tir::{For, IterVar, Stmt, Var, for_kind, iter_var_type};
use ruff_python_ast::{Expr, ExprName, StmtFor};
use ruff_text_size::{Ranged, TextRange};

use crate::parse::expr::eval;
use crate::parse::ir::functions::attributes;
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::state::tir_frames::{Nest, RegionKind};
use crate::parse::tir::access::extent;
use crate::parse::tir::region::region;
use crate::parse::tir::scalar::prim;
use crate::parse::value::Value;
use crate::words::{LOOPS, kind};

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] = &[
    ("T.serial", one_loop),
    ("T.parallel", one_loop),
    ("T.vectorized", one_loop),
    ("T.unroll", one_loop),
    ("T.thread_binding", thread_binding),
    ("T.grid", grid),
];

/// A constant in the type of the loop variable, if it is narrower.
fn promoted(expr: PrimExpr, dtype: DataType) -> PrimExpr {
    match int(&expr) {
        Some(value) if expr.dtype.bits < dtype.bits => IntImm::new(dtype, value).into(),
        _ => expr,
    }
}

/// The variable with its first value and its extent, for the bounds of a loop. `stop` is the extent if `start` is left
/// out.
fn bounds(
    p: &mut Parser<'_>,
    name: &str,
    start: Option<&Argument>,
    stop: &Argument,
    range: TextRange,
) -> Eval<(Var, PrimExpr, PrimExpr)> {
    let stop = integer(p, stop)?;
    let start = match start {
        Some(start) => integer(p, start)?,
        None => IntImm::new(stop.dtype, 0).into(),
    };
    let length = extent(&start, &stop);
    let bits = start.dtype.bits.max(length.dtype.bits);
    let dtype = DataType { bits, ..start.dtype };
    let (min, length) = (promoted(start, dtype), promoted(length, dtype));
    if min.dtype != dtype || length.dtype != dtype {
        let message = format!("the bounds of a loop have one type, got `{}` and `{}`", min.dtype, length.dtype);
        return Err(p.error(range, message));
    }
    Ok((Var::new(dtype, name, PrimType::new(dtype)), min, length))
}

fn integer(p: &mut Parser<'_>, argument: &Argument) -> Eval<PrimExpr> {
    let expr = prim(p, argument)?;
    if !fold::is_integer(expr.dtype) || expr.dtype.lanes() != 1 {
        let message = format!("the bounds of a loop are integers, got a value of type `{}`", expr.dtype);
        return Err(p.error(argument.range, message));
    }
    Ok(expr)
}

/// The hints of a loop; `unroll` stands for one of them.
fn hints(p: &mut Parser<'_>, call: &Call) -> Eval<Map<Str, Any>> {
    let mut entries: Vec<(Str, Any)> = Vec::new();
    if let Some(argument) = call.keyword("annotations").filter(|it| !matches!(it.value, Value::None)).cloned() {
        entries.extend(attributes(p, &argument)?.into_iter().map(|(name, value)| (Str::from(name.as_str()), value)));
    }
    if call.name == "T.serial"
        && let Some(argument) = call.keyword("unroll").filter(|it| !matches!(it.value, Value::None)).cloned()
    {
        let name = if argument.bool(p)? { "pragma_unroll" } else { "disable_unroll" };
        entries.push((Str::from(name), Any::Bool(true)));
    }
    Ok(Map::new(entries))
}

fn step(p: &mut Parser<'_>, call: &Call, dtype: DataType) -> Eval<Option<PrimExpr>> {
    match call.keyword("step").filter(|it| !matches!(it.value, Value::None)).cloned() {
        Some(argument) => Ok(Some(promoted(integer(p, &argument)?, dtype))),
        None => Ok(None),
    }
}

/// `T.serial(stop)`, `T.serial(start, stop)` and accordingly for other kinds.
fn one_loop(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let first = call.required(p, "start")?.clone();
    let second = call.optional("stop").cloned();
    let kind = call.name.strip_prefix("T.").and_then(|name| kind(LOOPS, name)).unwrap_or(for_kind::SERIAL);
    let annotations = hints(p, call)?;
    let name = p.tir.target(0).to_owned();
    let (start, stop) = if second.is_some() { (Some(&first), second.as_ref()) } else { (None, Some(&first)) };
    let nest = bounds(p, &name, start, stop.unwrap_or(&first), call.range)?;
    let step = step(p, call, nest.0.dtype)?;
    call.finish(p)?;
    p.tir.nest = Some(Nest { kind, loops: vec![nest], annotations, step, thread: None });
    Ok(Value::None)
}

/// `T.thread_binding(stop, thread="threadIdx.x")`, `T.thread_binding(start, stop, "threadIdx.x")`.
fn thread_binding(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let first = call.required(p, "start")?.clone();
    let mut second = call.optional("stop").cloned();
    let mut thread = call.optional("thread").cloned();
    if thread.is_none() {
        thread = second.take();
    }
    let Some(thread) = thread else {
        return Err(p.error(call.range, "`T.thread_binding` lacks the argument `thread`, such as \"threadIdx.x\""));
    };
    let thread = Str::from(thread.str(p)?);
    let annotations = hints(p, call)?;
    call.finish(p)?;
    let name = p.tir.target(0).to_owned();
    let nest = match &second {
        Some(second) => bounds(p, &name, Some(&first), second, call.range)?,
        None => bounds(p, &name, None, &first, call.range)?,
    };
    p.tir.nest =
        Some(Nest { kind: for_kind::THREAD_BINDING, loops: vec![nest], annotations, step: None, thread: Some(thread) });
    Ok(Value::None)
}

/// `T.grid(n, m)`; an extent may be a pair of the first value and the extent.
fn grid(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let mut loops = Vec::new();
    for (index, argument) in call.rest().to_vec().into_iter().enumerate() {
        let name = p.tir.target(index).to_owned();
        let pair = argument.value.items().filter(|items| items.len() == 2);
        let part = |value: &Value| Argument { value: value.clone(), range: argument.range };
        let (min, length) = match pair {
            Some(pair) => (integer(p, &part(&pair[0]))?, integer(p, &part(&pair[1]))?),
            None => {
                let length = integer(p, &argument)?;
                (IntImm::new(length.dtype, 0).into(), length)
            }
        };
        let dtype = DataType { bits: min.dtype.bits.max(length.dtype.bits), ..min.dtype };
        let var = Var::new(dtype, name.as_str(), PrimType::new(dtype));
        loops.push((var, promoted(min, dtype), promoted(length, dtype)));
    }
    call.finish(p)?;
    if loops.is_empty() {
        return Err(p.error(call.range, "`T.grid` takes at least one extent"));
    }
    p.tir.nest = Some(Nest { kind: for_kind::SERIAL, loops, annotations: Map::default(), step: None, thread: None });
    Ok(Value::None)
}

/// Targets that are names.
///
/// # Errors
/// Reports another target.
pub(crate) fn target_names<'e>(p: &mut Parser<'_>, target: &'e Expr) -> Eval<Vec<&'e ExprName>> {
    match target {
        Expr::Name(name) => Ok(vec![name]),
        Expr::Tuple(tuple) => names(p, &tuple.elts),
        Expr::List(list) => names(p, &list.elts),
        Expr::Starred(starred) => target_names(p, &starred.value),
        other => Err(p.error(other.range(), "expected a name, or names with commas")),
    }
}

fn names<'e>(p: &mut Parser<'_>, targets: &'e [Expr]) -> Eval<Vec<&'e ExprName>> {
    let mut result = Vec::new();
    for target in targets {
        match target {
            Expr::Name(name) => result.push(name),
            other => return Err(p.error(other.range(), "expected a name")),
        }
    }
    Ok(result)
}

/// The iterations of a `for` statement.
fn nest(p: &mut Parser<'_>, stmt: &StmtFor, targets: &[&ExprName]) -> Eval<Nest> {
    p.tir.nest = None;
    p.tir.targets = targets.iter().map(|name| name.id.to_string()).collect();
    let result = iterations(p, &stmt.iter);
    p.tir.targets.clear();
    result?;
    match p.tir.nest.take() {
        Some(nest) => Ok(nest),
        None => {
            let message = "expected `range`, `T.serial`, `T.parallel`, `T.vectorized`, `T.unroll`, `T.thread_binding` or `T.grid`";
            Err(p.error(stmt.iter.range(), message))
        }
    }
}

fn iterations(p: &mut Parser<'_>, iter: &Expr) -> Eval<()> {
    let Expr::Call(call) = iter else { return eval::eval(p, iter).map(|_| ()) };
    let is_range =
        matches!(&*call.func, Expr::Name(name) if name.id.as_str() == "range" && p.names.get("range").is_none());
    if !is_range {
        return eval::eval(p, iter).map(|_| ());
    }
    // In other places, `range` makes a list of Python.
    let mut args = Vec::new();
    for expr in &call.arguments.args {
        args.push(eval::argument(p, expr)?);
    }
    let mut keywords = Vec::new();
    for keyword in &call.arguments.keywords {
        if let Some(name) = &keyword.arg {
            keywords.push((name.id.clone(), eval::argument(p, &keyword.value)?));
        }
    }
    if args.len() == 3
        && let Some(step) = args.pop()
    {
        keywords.push((ruff_python_ast::name::Name::new("step"), step));
    }
    let call = Call::new("range".to_owned(), iter.range(), args, keywords);
    one_loop(p, &call).map(|_| ())
}

/// A `for` statement.
///
/// # Errors
/// Reports errors of the iterations. The body reports its own.
pub(crate) fn for_loop(p: &mut Parser<'_>, stmt: &StmtFor) -> Eval<()> {
    let targets = target_names(p, &stmt.target);
    let nest = match &targets {
        Ok(targets) => nest(p, stmt, targets),
        Err(reported) => Err(*reported),
    };
    if !stmt.orelse.is_empty() {
        p.error(stmt.range, "`else` of a loop is not part of scripts");
    }
    let count = p.tir.loops.len();
    if let Ok(nest) = &nest {
        let ranges =
            nest.loops.iter().map(|(var, min, length)| (var.clone(), Range::new(min.clone(), length.clone(), None)));
        p.tir.loops.extend(ranges.collect::<Vec<_>>());
    }
    let body = region(p, RegionKind::Other, &stmt.body, |p| {
        bind(p, targets.as_deref().unwrap_or_default(), nest.as_ref().ok(), stmt.target.range());
    });
    p.tir.loops.truncate(count);
    let nest = nest?;
    p.tir.push(build(nest, body));
    Ok(())
}

/// Gives the variables of the loops their names.
fn bind(p: &mut Parser<'_>, targets: &[&ExprName], nest: Option<&Nest>, range: TextRange) {
    let Some(nest) = nest else {
        for name in targets {
            p.define(name.id.as_str(), Value::Unknown, name.range);
        }
        return;
    };
    match targets {
        [name] if nest.loops.len() > 1 => {
            let vars = nest.loops.iter().map(|(var, ..)| Value::object(var.clone())).collect();
            p.define(name.id.as_str(), Value::Tuple(vars), name.range);
        }
        _ if targets.len() == nest.loops.len() => {
            for (name, (var, ..)) in targets.iter().zip(&nest.loops) {
                p.define(name.id.as_str(), Value::object(var.clone()), name.range);
            }
        }
        _ => {
            p.error(range, format!("expected {} names, got {}", nest.loops.len(), targets.len()));
            for name in targets {
                p.define(name.id.as_str(), Value::Unknown, name.range);
            }
        }
    }
}

fn build(nest: Nest, body: Stmt) -> Stmt {
    let Nest { kind, loops, annotations, step, thread } = nest;
    let mut body = body;
    for (var, min, length) in loops.into_iter().rev() {
        let binding = thread.clone().map(|tag| {
            let iter = Var::new(var.dtype, "iter", PrimType::new(var.dtype));
            IterVar::new(None, iter, iter_var_type::THREAD_INDEX, tag)
        });
        body = For::new(var, min, length, kind, body, binding, annotations.clone(), step.clone()).into();
    }
    body
}

/// The length of a loop over an axis: the range from 0 to `stop`.
pub(crate) fn from_zero(stop: PrimExpr) -> Range {
    Range::new(IntImm::new(stop.dtype, 0), stop, None)
}
