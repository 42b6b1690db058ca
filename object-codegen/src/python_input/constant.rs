//! Constants in a declaration: the values of defaults.

use std::borrow::Cow;

use object_core::object::Any;
use object_core::{Array, Bytes, DataType, Device, Map, Shape, Str, json};
use ruff_python_ast::{Expr, ExprCall, Number, UnaryOp};

use crate::python_input::annotation::{dotted, last_part};
use crate::python_input::class_draft::{DefaultDraft, Placed};
use crate::python_input::file_reader::FileReader;
use crate::python_input::words::brief;

/// The deepest nesting of containers in a constant.
const MAX_DEPTH: usize = 16;

/// The value of a constant expression.
///
/// # Errors
/// `None`, after the error is noted in `file`.
pub(super) fn constant(file: &FileReader<'_>, expr: &Expr) -> Option<Placed<Any>> {
    match value_of(file, expr, MAX_DEPTH) {
        Ok(value) => Some(Placed { value, place: file.place(expr) }),
        Err((expr, message)) => {
            file.error(expr, message);
            None
        }
    }
}

/// A default: a constant expression, or a variant of an enum.
///
/// # Errors
/// As [`constant`].
pub(super) fn default(file: &FileReader<'_>, expr: &Expr) -> Option<Placed<DefaultDraft>> {
    match dotted(expr) {
        // Numbers of `math` are constants.
        Some(path) if path.contains('.') && !path.starts_with("math.") => {
            Some(Placed { value: DefaultDraft::Variant(path), place: file.place(expr) })
        }
        _ => constant(file, expr).map(value_draft),
    }
}

fn value_draft(constant: Placed<Any>) -> Placed<DefaultDraft> {
    Placed { value: DefaultDraft::Value(constant.value), place: constant.place }
}

/// The value that a `default_factory` makes: `list`, `Array`, or a function without arguments around a constant.
///
/// # Errors
/// `None`, after the error is noted in `file`.
pub(super) fn factory(file: &FileReader<'_>, expr: &Expr) -> Option<Placed<DefaultDraft>> {
    if let Expr::Lambda(lambda) = expr
        && lambda.parameters.as_ref().is_none_or(|parameters| parameters.is_empty())
    {
        return default(file, &lambda.body);
    }
    let value = dotted(expr).and_then(|path| empty(last_part(&path)));
    if value.is_none() {
        let given = file.excerpt(expr);
        file.error(
            expr,
            format!(
                "`{given}` is not a factory that can be read; write `list`, `dict`, or `lambda:` before a constant"
            ),
        );
    }
    value.map(|value| value_draft(Placed { value, place: file.place(expr) }))
}

type Read<'e> = Result<Any, (&'e Expr, String)>;

fn value_of<'e>(file: &FileReader<'_>, expr: &'e Expr, levels: usize) -> Read<'e> {
    let Some(levels) = levels.checked_sub(1) else {
        return Err((expr, format!("the constant is more than {MAX_DEPTH} levels deep")));
    };
    let items =
        |items: &'e [Expr]| items.iter().map(|item| value_of(file, item, levels)).collect::<Result<Array<Any>, _>>();
    match expr {
        Expr::NoneLiteral(_) => Ok(Any::None),
        Expr::BooleanLiteral(literal) => Ok(Any::Bool(literal.value)),
        Expr::StringLiteral(text) => Ok(Str::new(text.value.to_str()).into()),
        Expr::BytesLiteral(literal) => Ok(Bytes::new(&Cow::from(&literal.value)).into()),
        Expr::NumberLiteral(literal) => number(&literal.value, false).map_err(|message| (expr, message)),
        Expr::UnaryOp(unary) => match (unary.op, &*unary.operand) {
            (UnaryOp::USub, Expr::NumberLiteral(literal)) => {
                number(&literal.value, true).map_err(|message| (expr, message))
            }
            (UnaryOp::USub, operand) => match value_of(file, operand, levels)? {
                Any::Float(value) => Ok(Any::Float(-value)),
                _ => Err(not_a_constant(file, expr)),
            },
            _ => Err(not_a_constant(file, expr)),
        },
        Expr::List(list) => items(&list.elts).map(Any::from),
        Expr::Tuple(tuple) => items(&tuple.elts).map(Any::from),
        Expr::Dict(dict) => {
            let entry = |item: &'e ruff_python_ast::DictItem| {
                let key = item.key.as_ref().ok_or_else(|| not_a_constant(file, expr))?;
                Ok((value_of(file, key, levels)?, value_of(file, &item.value, levels)?))
            };
            Ok(dict.items.iter().map(entry).collect::<Result<Map<Any, Any>, _>>()?.into())
        }
        Expr::Call(call) => match dotted(&call.func) {
            Some(path) => made(file, expr, call, last_part(&path), levels),
            None => Err(not_a_constant(file, expr)),
        },
        _ => match dotted(expr).as_deref() {
            Some("math.inf") => Ok(Any::Float(f64::INFINITY)),
            Some("math.nan") => Ok(Any::Float(f64::NAN)),
            _ => Err(not_a_constant(file, expr)),
        },
    }
}

fn not_a_constant<'e>(file: &FileReader<'_>, expr: &'e Expr) -> (&'e Expr, String) {
    let given = file.excerpt(expr);
    (expr, format!("`{given}` is not a constant; write a number, a text, `None`, a container of them, or `dtype(..)`"))
}

fn number(literal: &Number, is_negative: bool) -> Result<Any, String> {
    match literal {
        Number::Int(value) => {
            let wide = value.as_u64().map(i128::from).map(|value| if is_negative { -value } else { value });
            let fits = wide.and_then(|value| i64::try_from(value).ok()).map(Any::Int);
            fits.ok_or_else(|| format!("{value} does not fit 64 bits with a sign"))
        }
        Number::Float(value) => Ok(Any::Float(if is_negative { -value } else { *value })),
        Number::Complex { .. } => Err("complex numbers have no type in a schema".to_owned()),
    }
}

/// The value of a call such as `dtype("float32")` or `Array([1, 2])`.
fn made<'e>(file: &FileReader<'_>, expr: &'e Expr, call: &'e ExprCall, name: &str, levels: usize) -> Read<'e> {
    let arguments = &call.arguments;
    let values = arguments.args.iter().map(|argument| value_of(file, argument, levels));
    let values = values.collect::<Result<Vec<Any>, _>>()?;
    let fault = |message: String| (expr, message);
    if !arguments.keywords.is_empty() {
        return Err(not_a_constant(file, expr));
    }
    let text = |index: usize| values.get(index).and_then(|value: &Any| value.view().as_str()).map(str::to_owned);
    match (name, values.as_slice()) {
        ("dtype" | "DataType", [_]) => {
            let text = text(0).ok_or_else(|| not_a_constant(file, expr))?;
            text.parse::<DataType>().map(Any::DataType).map_err(|error| fault(error.message().to_owned()))
        }
        ("Device", [Any::Int(kind), Any::Int(id)]) => match (i32::try_from(*kind), i32::try_from(*id)) {
            (Ok(device_type), Ok(device_id)) => Ok(Any::Device(Device { device_type, device_id })),
            _ => Err(not_a_constant(file, expr)),
        },
        ("device" | "Device", [_] | [_, Any::Int(_)]) => {
            let kind = text(0).ok_or_else(|| not_a_constant(file, expr))?;
            let with_id = match values.get(1) {
                Some(Any::Int(id)) => format!("{kind}:{id}"),
                _ if kind.contains(':') => kind,
                _ => format!("{kind}:0"),
            };
            with_id.parse::<Device>().map(Any::Device).map_err(|error| fault(error.message().to_owned()))
        }
        ("float", [_]) => match text(0).as_deref().map(str::trim) {
            Some("inf" | "+inf" | "Infinity") => Ok(Any::Float(f64::INFINITY)),
            Some("-inf" | "-Infinity") => Ok(Any::Float(f64::NEG_INFINITY)),
            Some("nan" | "NaN") => Ok(Any::Float(f64::NAN)),
            _ => Err(not_a_constant(file, expr)),
        },
        ("Shape", [extents]) => {
            let array = Array::<i64>::try_from(extents.clone()).map_err(|error| fault(error.message().to_owned()))?;
            Ok(Shape::new(&array.iter().collect::<Vec<i64>>()).into())
        }
        ("Array" | "list" | "tuple" | "Map" | "dict", [one]) => Ok(one.clone()),
        ("List" | "Dict", [one]) => mutable(one).ok_or_else(|| not_a_constant(file, expr)),
        ("Array" | "list" | "tuple" | "Map" | "dict" | "List" | "Dict", []) => {
            empty(name).ok_or_else(|| not_a_constant(file, expr))
        }
        _ => Err(not_a_constant(file, expr)),
    }
}

/// The empty container of this name.
fn empty(name: &str) -> Option<Any> {
    match name {
        "Array" | "list" | "tuple" => Some(Array::<Any>::default().into()),
        "Map" | "dict" => Some(Map::<Any, Any>::default().into()),
        "List" => mutable(&Array::<Any>::default().into()),
        "Dict" => mutable(&Map::<Any, Any>::default().into()),
        _ => None,
    }
}

/// The `ffi.List` with the elements of an array, or the `ffi.Dict` with the entries of a map. `None` for other values.
pub(super) fn mutable(value: &Any) -> Option<Any> {
    let (is, becomes) = match value {
        Any::Object(object) => match object.type_info().type_key() {
            "ffi.Array" => ("\"type\":\"ffi.Array\"", "\"type\":\"ffi.List\""),
            "ffi.Map" => ("\"type\":\"ffi.Map\"", "\"type\":\"ffi.Dict\""),
            _ => return None,
        },
        _ => return None,
    };
    // A graph is the only way to these types for other crates. The container is its last node, and texts in a graph
    // have a backslash before each quote.
    let text = json::to_string(value).ok()?;
    let at = text.rfind(is)?;
    json::from_slice(format!("{}{becomes}{}", &text[..at], &text[at + is.len()..]).as_bytes()).ok()
}

/// A value for a message.
pub(super) fn shown(value: &Any) -> String {
    brief(&value.to_string())
}
