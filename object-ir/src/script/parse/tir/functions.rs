//! The functions of the prefix `T` that scalar expressions consist of.

use object_core::DataType;

use crate::ir::{FloatImm, IntImm, PrimExpr};
use crate::script::fold;
use crate::script::parse::expr::convert;
use crate::script::parse::state::call::Call;
use crate::script::parse::state::parser::{Builtin, Eval, Parser};
use crate::script::parse::value::Value;
use crate::tir;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] = &[];

/// The function with the name of a data type, such as `T.int64`.
pub(crate) fn by_dtype(path: &str) -> Option<Builtin> {
    let dtype = path.strip_prefix("T.")?.parse::<DataType>().ok()?;
    (!dtype.is_void()).then_some(scalar as Builtin)
}

/// `T.int64()`, a variable; `T.int64(value)`, a constant or a converted expression.
fn scalar(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let dtype = call.name.strip_prefix("T.").and_then(|name| name.parse::<DataType>().ok());
    let Some(dtype) = dtype else { return Err(p.error(call.range, "expected a data type")) };
    let value = call.optional("expr").cloned();
    let is_size_var = call.optional("is_size_var").cloned().map_or(Ok(false), |it| it.bool(p))?;
    call.finish(p)?;
    let Some(argument) = value else {
        let ty = crate::ir::PrimType::new(dtype);
        return Ok(if is_size_var {
            Value::object(tir::SizeVar::new(dtype, "", ty))
        } else {
            Value::object(tir::Var::new(dtype, "", ty))
        });
    };
    if let Value::Str(text) = &argument.value {
        return match text.trim().parse::<f64>() {
            Ok(number) if !fold::is_integer(dtype) => Ok(Value::object(FloatImm::new(dtype, number))),
            _ => Err(argument.expected(p, "a number")),
        };
    }
    let expr: PrimExpr = match &argument.value {
        Value::Int(value) if fold::is_integer(dtype) => IntImm::new(dtype, *value).into(),
        _ => convert::prim(p, &argument)?,
    };
    Ok(Value::object(if expr.dtype == dtype { expr } else { fold::cast(dtype, &expr) }))
}
