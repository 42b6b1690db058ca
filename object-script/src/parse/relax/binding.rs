//! Assignments (TVM 0.25 `bind_assign_value` in python/tvm/relax/script/parser/parser.py).

use object_core::{DataType, ObjectHandle, structural_equal};
use object_ir::ir::{FloatImm, IntImm, PrimStructInfo, RelaxExpr, StructInfo, TupleStructInfo, Var};
use object_ir::tir;
use ruff_python_ast::{Expr, StmtAnnAssign, StmtAssign};
use ruff_text_size::{Ranged, TextRange};

use crate::parse::expr::eval::argument;
use crate::parse::expr::signature_scalar::{scalar_annotation, scalar_var};
use crate::parse::relax::signature::named_var;
use crate::parse::relax::{constant, normalize, struct_info, values};
use crate::parse::state::call::Argument;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// The method name of the value of `R.match_cast`.
pub(crate) const MATCH_CAST: &str = "R.match_cast";

/// `target = value`.
pub(crate) fn assign(p: &mut Parser<'_>, statement: &StmtAssign) -> Eval<()> {
    let [target] = &*statement.targets else {
        return Err(p.error(
            statement.range,
            "an assignment to several targets at once, such as `a = b = c`, is not supported",
        ));
    };
    let result = argument(p, &statement.value).and_then(|value| to_target(p, target, &value, None));
    define_unknown(p, target, result)
}

/// `target: annotation = value`.
pub(crate) fn annotated(p: &mut Parser<'_>, statement: &StmtAnnAssign) -> Eval<()> {
    let scalar = scalar_annotation(p, &statement.annotation);
    let annotation = argument(p, &statement.annotation).and_then(|value| struct_info::info(p, &value));
    let Some(value) = &statement.value else {
        let result = annotation.and_then(|annotation| free_var(p, &statement.target, annotation));
        return define_unknown(p, &statement.target, result);
    };
    let value = argument(p, value);
    let result = match (annotation, value, scalar) {
        (Ok(_), Ok(value), Some(dtype)) if !is_match_cast(&value.value) => {
            scalar_to_target(p, &statement.target, &value, dtype)
        }
        (Ok(annotation), Ok(value), _) => to_target(p, &statement.target, &value, Some(annotation)),
        (Err(reported), ..) | (_, Err(reported), _) => Err(reported),
    };
    define_unknown(p, &statement.target, result)
}

fn is_match_cast(value: &Value) -> bool {
    matches!(value, Value::Method(method) if method.1 == MATCH_CAST)
}

/// `name: T.int64 = value`: a scalar, which scalar expressions use.
fn scalar_to_target(p: &mut Parser<'_>, target: &Expr, value: &Argument, dtype: DataType) -> Eval<()> {
    let Expr::Name(name) = target else { return Err(p.error(target.range(), "expected a name")) };
    let expr = match (&value.value, value.value.as_int()) {
        (Value::Float(number), _) => values::prim_value(FloatImm::new(dtype, *number).into()),
        (_, Some(number)) => values::prim_value(IntImm::new(dtype, number).into()),
        _ => values::argument(p, value)?,
    };
    let Some(scalar) = scalar_var(name.id.as_str(), dtype).to::<tir::Var>() else { return Ok(()) };
    let info = PrimStructInfo::new(Some(scalar.clone().into()), dtype).into();
    normalize::emit_match_cast(p, expr, &info, name.id.as_str(), value.range)?;
    p.define(name.id.as_str(), Value::object(scalar), name.range);
    Ok(())
}

/// `name: annotation`: a variable that the text does not bind. The printer declares free variables so.
fn free_var(p: &mut Parser<'_>, target: &Expr, annotation: StructInfo) -> Eval<()> {
    let Expr::Name(name) = target else { return Err(p.error(target.range(), "expected a name")) };
    p.define(name.id.as_str(), Value::object(Var::of(name.id.as_str(), annotation)), name.range);
    Ok(())
}

/// Gives the names of the target of a failed statement a value, so that their uses are not reported.
fn define_unknown(p: &mut Parser<'_>, target: &Expr, result: Eval<()>) -> Eval<()> {
    if result.is_err() {
        define_names(p, target, &Value::Unknown);
    }
    result
}

/// Gives the names of a target a value.
fn define_names(p: &mut Parser<'_>, target: &Expr, value: &Value) {
    match target {
        Expr::Name(name) => p.define(name.id.as_str(), value.clone(), name.range),
        Expr::Tuple(tuple) => tuple.elts.iter().for_each(|item| define_names(p, item, value)),
        Expr::List(list) => list.elts.iter().for_each(|item| define_names(p, item, value)),
        _ => {}
    }
}

/// The names that a target binds.
pub(crate) fn target_names<'a>(target: &'a Expr, names: &mut Vec<&'a str>) {
    match target {
        Expr::Name(name) => names.push(name.id.as_str()),
        Expr::Tuple(tuple) => tuple.elts.iter().for_each(|item| target_names(item, names)),
        Expr::List(list) => list.elts.iter().for_each(|item| target_names(item, names)),
        _ => {}
    }
}

fn to_target(p: &mut Parser<'_>, target: &Expr, value: &Argument, annotation: Option<StructInfo>) -> Eval<()> {
    match target {
        Expr::Name(name) => {
            let value = bound(p, name.id.as_str(), value, annotation, target.range())?;
            p.define(name.id.as_str(), value, name.range);
            Ok(())
        }
        Expr::Tuple(tuple) => unpack(p, &tuple.elts, value, target.range()),
        Expr::List(list) => unpack(p, &list.elts, value, target.range()),
        other => Err(p.error(other.range(), "expected a name")),
    }
}

/// `a, b = value`.
fn unpack(p: &mut Parser<'_>, targets: &[Expr], value: &Argument, range: TextRange) -> Eval<()> {
    let mut names = Vec::new();
    targets.iter().for_each(|target| target_names(target, &mut names));
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(p.error(range, "the targets have one name twice"));
    }
    let items: Vec<Value> = match value.value.items() {
        Some(items) => items.to_vec(),
        None => {
            let Some(tuple) = value.value.to::<RelaxExpr>() else { return Err(value.expected(p, "a tuple")) };
            let tuple = normalize::normalize(p, tuple, value.range)?;
            let info = tuple.struct_info.as_ref().and_then(|info| info.downcast_ref::<TupleStructInfo>());
            let Some(count) = info.map(|info| info.fields.len()) else { return Err(value.expected(p, "a tuple")) };
            (0..count).map(|index| Value::object(values::member(tuple.clone(), index as i64))).collect()
        }
    };
    if items.len() != targets.len() {
        let message = format!("expected {} values, got {}", targets.len(), items.len());
        return Err(p.error(range, message));
    }
    for (target, item) in targets.iter().zip(items) {
        to_target(p, target, &Argument { value: item, range: value.range }, None)?;
    }
    Ok(())
}

/// The value of a name after the assignment: a new variable for an expression, and other values as they are.
fn bound(
    p: &mut Parser<'_>,
    name: &str,
    value: &Argument,
    annotation: Option<StructInfo>,
    range: TextRange,
) -> Eval<Value> {
    if let Value::Method(method) = &value.value
        && method.1 == MATCH_CAST
    {
        return match_cast(p, name, &method.0, annotation, range);
    }
    if value.value.is::<tir::Var>() {
        return shape_var(p, name, value, range);
    }
    let expr = match &value.value {
        Value::Tuple(_) => values::argument(p, value)?,
        Value::Bool(_) | Value::Int(_) | Value::Float(_) => constant::of(p, value, None)?,
        other => match other.to::<RelaxExpr>() {
            Some(expr) => expr,
            None if annotation.is_some() => return Err(value.expected(p, "an expression of Relax")),
            None => return Ok(value.value.clone()),
        },
    };
    normalize::emit(p, expr, annotation, name, value.range).map(Value::object)
}

fn match_cast(
    p: &mut Parser<'_>,
    name: &str,
    pair: &Value,
    annotation: Option<StructInfo>,
    range: TextRange,
) -> Eval<Value> {
    let items = pair.items().unwrap_or_default();
    let [value, info] = &*items else { return Err(p.expected(range, "a value and structural information", pair)) };
    let value = values::expr(p, value, range)?;
    let Some(info) = info.to::<StructInfo>() else { return Err(p.expected(range, "structural information", info)) };
    if annotation.is_some_and(|annotation| !structural_equal(&annotation, &info)) {
        return Err(p.error(range, "the annotation and the `R.match_cast` state different structural information"));
    }
    normalize::emit_match_cast(p, value, &info, name, range).map(Value::object)
}

/// `n = T.int64()`: the variable of this name, if the signature defines it.
fn shape_var(p: &mut Parser<'_>, name: &str, value: &Argument, range: TextRange) -> Eval<Value> {
    let Some(var) = named_var(&value.value, name).and_then(|var| var.to::<tir::Var>()) else {
        return Err(value.expected(p, "a variable"));
    };
    if &*var.name != name {
        let message = format!("the variable has the name `{}`, so it cannot get the name `{name}`", var.name);
        return Err(p.error(range, message));
    }
    let Some(known) = p.names.get(name).cloned() else { return Ok(Value::object(var)) };
    let Some(known) = known.to::<tir::Var>() else {
        return Err(p.error(range, format!("`{name}` is the name of a value, so it cannot be a shape variable")));
    };
    if known.dtype != var.dtype {
        let message = format!("`{name}` has the type `{}`, got `{}`", known.dtype, var.dtype);
        return Err(p.error(range, message));
    }
    Ok(Value::object(known))
}
