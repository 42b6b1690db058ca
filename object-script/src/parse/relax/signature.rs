//! Signatures of functions: parameters, results, and the shape variables in them (TVM 0.25
//! `collect_symbolic_var_from_params` in python/tvm/relax/script/parser/parser.py).

use object_core::DataType;
use object_ir::ir::{PrimStructInfo, StructInfo, Var};
use object_ir::tir;
use ruff_python_ast::{Expr, Parameters, Stmt, StmtFunctionDef};
use ruff_text_size::TextRange;

use crate::parse::expr::eval::{argument, eval};
use crate::parse::expr::signature_scalar::{define_type_vars, scalar_annotation, scalar_var};
use crate::parse::expr::string_dim::is_name;
use crate::parse::relax::struct_info;
use crate::parse::state::log::content_range;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// The parameters: name, place and annotation.
type Parameter<'a> = (&'a str, TextRange, &'a Expr);

/// The parameters of a definition.
///
/// # Errors
/// Reports parameters without annotation, with defaults, and other forms of parameters.
pub(crate) fn parameters<'a>(p: &mut Parser<'_>, parameters: &'a Parameters) -> Eval<Vec<Parameter<'a>>> {
    let mut result = Vec::new();
    let mut error = None;
    for parameter in parameters.posonlyargs.iter().chain(&parameters.args) {
        let (name, range) = (&parameter.parameter.name, parameter.range);
        match (&parameter.parameter.annotation, &parameter.default) {
            (Some(annotation), None) => result.push((name.as_str(), name.range, &**annotation)),
            (None, _) => {
                let hint = Some(format!("write `{name}: R.Tensor((2, 3), \"float32\")`"));
                error = Some(p.error_with_hint(range, format!("the parameter `{name}` lacks its annotation"), hint));
            }
            (_, Some(_)) => error = Some(p.error(range, format!("the parameter `{name}` has a default value"))),
        }
    }
    for other in [&parameters.vararg, &parameters.kwarg].into_iter().flatten() {
        error = Some(p.error(other.range, "`*` and `**` parameters are not supported"));
    }
    if let Some(other) = parameters.kwonlyargs.first() {
        error = Some(p.error(other.range, "parameters by name alone are not supported"));
    }
    error.map_or(Ok(result), Err)
}

/// Defines the shape variables of a signature: each name that is a dimension of a parameter by itself. A statement at
/// the start of the body, such as `n = T.int64()`, determines the type of the variable. Such a statement also defines a
/// name that occurs only in larger dimensions, such as `"n * 2"`.
///
/// # Errors
/// Reports errors of such a statement.
pub(crate) fn define_shape_vars(p: &mut Parser<'_>, params: &[Parameter<'_>], body: &[Stmt]) -> Eval<()> {
    define_type_vars(p, &params.iter().map(|(name, ..)| *name).collect::<Vec<_>>());
    for (name, place, annotation) in params {
        if let Some(dtype) = scalar_annotation(p, annotation) {
            p.define(name, scalar_var(name, dtype), *place);
        }
    }
    let mut dimensions = Vec::new();
    params.iter().for_each(|(_, _, annotation)| string_dimensions(annotation, false, &mut dimensions));
    let (names, larger): (Vec<_>, Vec<_>) = dimensions.into_iter().partition(|(text, _)| is_name(text));
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let words = larger.iter().flat_map(|(text, _)| text.split(|char| !is_word(char)));
    for word in words.filter(|word| is_name(word) && names.iter().all(|(name, _)| name != word)) {
        if let Some((var, place)) = prelude_var(p, word, body)? {
            p.define(word, var, place);
        }
    }
    for (name, literal) in names {
        let dtype = DataType::int(64);
        let var = prelude_var(p, name, body)?.map(|(var, _)| var);
        let var = var.unwrap_or_else(|| Value::object(tir::Var::new(dtype, name, object_ir::ir::PrimType::new(dtype))));
        match content_range(p.source, name, literal) {
            Some(place) => p.define(name, var, place),
            None => p.names.set_at(name, var, None),
        }
    }
    Ok(())
}

/// The structural information and the value of a parameter. A scalar is a dimension, which scalar expressions use.
///
/// # Errors
/// Reports errors of the annotation.
pub(crate) fn parameter(p: &mut Parser<'_>, name: &str, expr: &Expr) -> Eval<(Var, Value)> {
    let info = annotation(p, expr)?;
    let scalar = scalar_annotation(p, expr).and_then(|_| p.names.get(name)?.to::<tir::Var>());
    Ok(match scalar {
        Some(scalar) => {
            let info = PrimStructInfo::new(Some(scalar.clone().into()), scalar.dtype);
            (Var::of(name, info), Value::object(scalar))
        }
        None => {
            let var = Var::of(name, info);
            (var.clone(), Value::object(var))
        }
    })
}

/// The variable that a statement of the body makes for `name`, with the place of the name.
fn prelude_var(p: &mut Parser<'_>, name: &str, body: &[Stmt]) -> Eval<Option<(Value, TextRange)>> {
    for statement in body {
        let Stmt::Assign(assign) = statement else { continue };
        let [Expr::Name(target)] = &*assign.targets else { continue };
        if target.id.as_str() != name || !assign.value.is_call_expr() {
            continue;
        }
        let value = eval(p, &assign.value)?;
        if let Some(var) = named_var(&value, name) {
            return Ok(Some((var, target.range)));
        }
    }
    Ok(None)
}

/// The value with a name, if it is a variable of TIR without one.
pub(crate) fn named_var(value: &Value, name: &str) -> Option<Value> {
    if let Some(var) = value.to::<tir::SizeVar>() {
        let ty = var.type_annotation.clone();
        return Some(if var.name.is_empty() {
            Value::object(tir::SizeVar::new(var.dtype, name, ty))
        } else {
            value.clone()
        });
    }
    let var = value.to::<tir::Var>()?;
    let ty = var.type_annotation.clone();
    Some(if var.name.is_empty() { Value::object(tir::Var::new(var.dtype, name, ty)) } else { value.clone() })
}

/// Adds the strings among the dimensions of an annotation, each once. `is_dimension` says whether a string at this place is
/// a dimension.
fn string_dimensions<'a>(expr: &'a Expr, is_dimension: bool, found: &mut Vec<(&'a str, TextRange)>) {
    match expr {
        Expr::StringLiteral(text) if is_dimension => {
            let (text, place) = (text.value.to_str(), text.range);
            if found.iter().all(|(known, _)| *known != text) {
                found.push((text, place));
            }
        }
        Expr::Tuple(tuple) => tuple.elts.iter().for_each(|item| string_dimensions(item, is_dimension, found)),
        Expr::List(list) => list.elts.iter().for_each(|item| string_dimensions(item, is_dimension, found)),
        Expr::Call(call) => {
            let callee = match &*call.func {
                Expr::Attribute(member) => member.attr.as_str(),
                Expr::Name(name) => name.id.as_str(),
                _ => return,
            };
            let has_dims = matches!(callee, "Tensor" | "Shape" | "DTensor");
            for (index, argument) in call.arguments.args.iter().enumerate() {
                let is_list = matches!(argument, Expr::Tuple(_) | Expr::List(_));
                let is_value = callee == "Prim" && index == 1;
                string_dimensions(argument, is_value || (has_dims && index == 0 && is_list), found);
            }
            for keyword in &call.arguments.keywords {
                let name = keyword.arg.as_ref().map_or("", |name| name.as_str());
                let is_list = matches!(keyword.value, Expr::Tuple(_) | Expr::List(_));
                let is_value = callee == "Prim" && name == "value";
                let is_shape = has_dims && matches!(name, "shape" | "values") && is_list;
                string_dimensions(&keyword.value, is_value || is_shape, found);
            }
        }
        _ => {}
    }
}

/// The structural information of an annotation in a signature, where strings are dimensions.
///
/// # Errors
/// Reports errors of the annotation.
pub(crate) fn annotation(p: &mut Parser<'_>, expr: &Expr) -> Eval<StructInfo> {
    let outer = std::mem::replace(&mut p.has_string_dims, true);
    let result = argument(p, expr).and_then(|value| struct_info::info(p, &value));
    p.has_string_dims = outer;
    result
}

/// The structural information of the result; `None` without an annotation.
///
/// # Errors
/// Reports errors of the annotation.
pub(crate) fn result(p: &mut Parser<'_>, function: &StmtFunctionDef) -> Eval<Option<StructInfo>> {
    function.returns.as_ref().map_or(Ok(None), |returns| annotation(p, returns).map(Some))
}
