//! Values as scalar expressions (TVM 0.25 `convert` in python/tvm/tirx/expr.py).

use object_core::DataType;
use object_ir::ir::{FloatImm, IntImm, PrimExpr};
use object_ir::tir::IterVar;
use ruff_text_size::TextRange;

use crate::parse::expr::string_dim;
use crate::parse::state::call::Argument;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// The value as a scalar expression, if it is one: an integer of type `int32`, or `int64` if it is large, a number of
/// type `float32`, a truth value, an expression, or the variable of an axis.
pub(crate) fn to_prim(value: &Value) -> Option<PrimExpr> {
    Some(match value {
        Value::Bool(value) => IntImm::new(DataType::boolean(), i64::from(*value)).into(),
        Value::Int(value) => {
            let bits = if i32::try_from(*value).is_ok() { 32 } else { 64 };
            IntImm::new(DataType::int(bits), *value).into()
        }
        Value::Float(value) => FloatImm::new(DataType::float(32), *value).into(),
        Value::Object(object) => {
            let object = object.view();
            match object.to_handle::<PrimExpr>() {
                Some(expr) => expr,
                None => object.to_handle::<IterVar>()?.var.clone().into(),
            }
        }
        _ => return None,
    })
}

/// The argument as a scalar expression. See [`to_prim`].
///
/// # Errors
/// Reports another value.
pub(crate) fn prim(p: &mut Parser<'_>, argument: &Argument) -> Eval<PrimExpr> {
    to_prim(&argument.value).ok_or_else(|| argument.expected(p, "a scalar expression"))
}

/// The value as a dimension of a shape: an integer has the type `int64`. In an annotation of a parameter or a result, a
/// string is an expression over names in scope.
///
/// # Errors
/// Reports another value.
pub(crate) fn dimension(p: &mut Parser<'_>, value: &Value, range: TextRange) -> Eval<PrimExpr> {
    match value {
        Value::Int(value) => Ok(IntImm::new(DataType::int(64), *value).into()),
        Value::Str(text) if p.has_string_dims => {
            let value = string_dim::evaluate(p, text, range)?;
            match value {
                Value::Str(_) => Err(p.expected(range, "a dimension", &value)),
                value => dimension(p, &value, range),
            }
        }
        Value::Str(text) => Err(p.error(
            range,
            format!(
                "{:?} is a string; a dimension is a string only in annotations of parameters and results",
                text.as_str()
            ),
        )),
        value => to_prim(value).ok_or_else(|| p.expected(range, "a dimension", value)),
    }
}

/// The elements of a tuple or a list as dimensions.
///
/// # Errors
/// Reports another value.
pub(crate) fn dimensions(p: &mut Parser<'_>, value: &Value, range: TextRange) -> Eval<Vec<PrimExpr>> {
    match value.items() {
        Some(items) => items.iter().map(|item| dimension(p, item, range)).collect(),
        None => Err(p.expected(range, "a tuple or a list of dimensions", value)),
    }
}
