//! Calls of operators, such as `R.add(x, y)`. The declaration of an operator determines its arguments and attributes;
//! [`signatures`] has the order and the default values of the parameters in Python.

use object_core::object::TypeInfo;
use object_core::{DataType, ObjectHandle};
use object_ir::ir::{Attrs, Call as CallExpr, Op, RelaxExpr, Tuple, TupleStructInfo};
use object_relax::op::{ArgumentKind, ParameterRole, Presence, Signature, operator};

use crate::parse::expr::convert;
use crate::parse::relax::parts::Parts;
use crate::parse::relax::signatures::{self, default_value};
use crate::parse::relax::{adjust, attributes, struct_info, values};
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;
use crate::words::is_same_keyword;

/// The function `R.name` that makes calls of the operator `relax.name`.
///
/// # Errors
/// Reports wrong arguments.
pub(crate) fn call(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let name = call.name.strip_prefix("R.").unwrap_or(&call.name);
    // An attention with a bias is an operator of its own.
    let bias = call.args.get(3).or_else(|| call.keywords.iter().find(|(name, _)| name == "bias").map(|(_, it)| it));
    let has_bias = bias.is_some_and(|bias| !matches!(bias.value, Value::None));
    let name = if name == "nn.attention" && has_bias { "nn.attention_bias" } else { name };
    let mut parts = bind(p, call, name)?;
    adjust::adjust(p, &mut parts)?;
    build(p, &parts).map(Value::object)
}

/// Distributes the arguments of a call over the arguments and attributes of the operator.
fn bind(p: &mut Parser<'_>, call: &Call, name: &str) -> Eval<Parts> {
    let Some(operator) = operator(&format!("relax.{name}")) else {
        return Err(p.error(call.range, format!("the operator `relax.{name}` is not known")));
    };
    let signature = &operator.signature;
    let mut parts = Parts {
        name: name.to_owned(),
        range: call.range,
        args: signature.arguments().map(|(name, kind, presence)| (name, kind, presence, None)).collect(),
        rest: Vec::new(),
        fields: Vec::new(),
        attrs_type: attrs_type(signature),
        results: Vec::new(),
        completions: operator.completions,
    };
    match signatures::parameters(name) {
        Some(parameters) => {
            for parameter in parameters {
                if parameter.is_variadic {
                    parts.rest = call.rest().to_vec();
                    continue;
                }
                let given = call.take(parameter.name).cloned();
                let default = || {
                    let value = default_value(parameter.default?);
                    Some(Argument { value, range: call.range })
                };
                place(p, &mut parts, parameter.name, given.or_else(default))?;
            }
        }
        None => {
            let names: Vec<&'static str> = parts.args.iter().map(|(name, ..)| *name).collect();
            for name in names {
                let given = call.take(name).cloned();
                place(p, &mut parts, name, given)?;
            }
            for field in parts.attrs_type.map_or(&[][..], |info| info.fields()) {
                let given = call.take(field.name()).cloned();
                place(p, &mut parts, field.name(), given)?;
            }
        }
    }
    // The printer states all attributes by name, also those that the function of Python does not take.
    for (name, argument) in call.rest_keywords() {
        if p.words.added_attributes.iter().any(|added| *added == (parts.name.as_str(), name.as_str())) {
            if !matches!(argument.value, Value::Bool(true)) {
                return Err(argument.expected(p, "`True`, as TVM 0.25 has no other value"));
            }
            continue;
        }
        let is_known = parts.attrs_type.is_some_and(|info| info.field(name).is_some())
            || parts.args.iter().any(|(known, ..)| known == name)
            || STATED_TYPES.iter().any(|stated| is_same_keyword(name, stated));
        if !is_known {
            let mut known: Vec<&str> = parts.args.iter().map(|(name, ..)| *name).collect();
            known.extend(parts.attrs_type.iter().flat_map(|info| info.fields()).map(|field| field.name()));
            let hint = p.near(name, known);
            let message = format!("`{}` does not have the argument `{name}`", call.name);
            return Err(p.error_with_hint(argument.range, message, hint));
        }
        place(p, &mut parts, name, Some(argument.clone()))?;
    }
    call.finish(p)?;
    Ok(parts)
}

fn attrs_type(signature: &Signature) -> Option<&'static TypeInfo> {
    signature.parameters.iter().find_map(|parameter| match parameter.role {
        ParameterRole::Attributes { type_info, .. } => Some(type_info),
        _ => None,
    })
}

/// The keywords of the types that a call states.
const STATED_TYPES: [&str; 2] = ["sinfo_args", "out_sinfo"];

/// Puts a value in the attribute or the argument of this name; a name that is neither is the next argument.
fn place(p: &mut Parser<'_>, parts: &mut Parts, name: &str, given: Option<Argument>) -> Eval<()> {
    if STATED_TYPES.iter().any(|stated| is_same_keyword(name, stated)) {
        if let Some(argument) = given.filter(|argument| !matches!(argument.value, Value::None)) {
            parts.results = struct_info::infos(p, &argument)?;
        }
        return Ok(());
    }
    if let Some((_, field)) = parts.attrs_type.and_then(|info| info.field(name)) {
        if let Some(argument) = given {
            let name = field.name();
            parts.fields.retain(|(known, _)| *known != name);
            parts.fields.push((name, argument));
        }
        return Ok(());
    }
    let by_name = parts.args.iter().position(|(known, ..)| *known == name);
    let index = by_name.or_else(|| parts.args.iter().position(|(.., argument)| argument.is_none()));
    match (index, given) {
        (Some(index), Some(argument)) => parts.args[index].3 = Some(argument),
        (None, Some(argument)) if !matches!(argument.value, Value::None) => {
            let message = format!("`R.{}` does not take the argument `{name}`", parts.name);
            return Err(p.error(argument.range, message));
        }
        _ => {}
    }
    Ok(())
}

/// The call of its parts.
fn build(p: &mut Parser<'_>, parts: &Parts) -> Eval<CallExpr> {
    let mut args = Vec::with_capacity(parts.args.len());
    let mut missing = None;
    for (index, (name, kind, presence, given)) in parts.args.iter().enumerate() {
        if *presence == Presence::Variadic {
            for argument in &parts.rest {
                args.push(values::argument(p, argument)?);
            }
            continue;
        }
        let given = given.as_ref().filter(|argument| !matches!(argument.value, Value::None));
        match given {
            Some(argument) => {
                if let Some(missing) = missing {
                    let message = format!("`R.{}` takes `{name}` only with `{missing}`", parts.name);
                    return Err(p.error(argument.range, message));
                }
                args.push(converted(p, argument, *kind, index)?);
            }
            None if *presence == Presence::Required => {
                return Err(p.error(parts.range, format!("`R.{}` lacks the argument `{name}`", parts.name)));
            }
            None => missing = Some(*name),
        }
    }
    let attrs: Option<Attrs> = match parts.attrs_type {
        Some(info) => Some(attributes::build(p, info, &parts.fields, parts.range)?),
        None => None,
    };
    let op = Op::get(&format!("relax.{}", parts.name)).map_err(|error| p.object_error(parts.range, &error))?;
    Ok(CallExpr::new(op, args, attrs, parts.results.clone()))
}

/// The argument as an expression of the kind that the operator takes.
fn converted(p: &mut Parser<'_>, argument: &Argument, kind: ArgumentKind, index: usize) -> Eval<RelaxExpr> {
    match kind {
        _ if p.words.has_one_scalar && matches!(argument.value, Value::Bool(_)) => values::scalar(p, argument),
        ArgumentKind::Shape => values::shape(p, argument),
        ArgumentKind::Prim | ArgumentKind::PrimValue => values::scalar(p, argument),
        ArgumentKind::Tuple => wrapped(p, argument),
        ArgumentKind::Type if matches!(argument.value, Value::Str(_) | Value::Path(_) | Value::DataType(_)) => {
            let dtype: DataType = argument.dtype(p)?;
            Ok(values::data_type(dtype))
        }
        ArgumentKind::Tensor | ArgumentKind::TensorOrPrim => match argument.value.to::<RelaxExpr>() {
            Some(expr) => Ok(expr),
            // Scalars are expressions of all languages; a number of Python has the type that TIR gives it.
            None if kind == ArgumentKind::TensorOrPrim && p.words.has_one_scalar => {
                convert::prim(p, argument).map(values::prim_value)
            }
            None => {
                let hint = matches!(argument.value, Value::Int(_) | Value::Float(_) | Value::Bool(_))
                    .then(|| "write `R.const(value, \"float32\")`".to_owned());
                let message = format!("expected a tensor, got {}", argument.value.describe());
                Err(p.error_with_hint(argument.range, message, hint))
            }
        },
        // The printer writes an external function as its name if it is the first argument.
        ArgumentKind::Any | ArgumentKind::Function if index == 0 => match &argument.value {
            Value::Str(symbol) => Ok(values::extern_func(symbol, None).into()),
            _ => values::argument(p, argument),
        },
        _ => values::argument(p, argument),
    }
}

/// The arguments of a function as a tuple: an expression that is not a tuple becomes a tuple of one.
///
/// # Errors
/// Reports other values.
pub(crate) fn wrapped(p: &mut Parser<'_>, argument: &Argument) -> Eval<RelaxExpr> {
    let expr = values::argument(p, argument)?;
    let is_tuple = expr.is::<Tuple>() || expr.struct_info.as_ref().is_some_and(|info| info.is::<TupleStructInfo>());
    Ok(if is_tuple { expr } else { values::tuple(vec![expr]) })
}
