//! Operations on bits: `<<`, `>>`, `&`, `|`, `^`, `~` (TVM 0.25 src/tirx/op/op.cc).

use object_core::ObjectHandle;
use object_ir::ir::{IntImm, PrimExpr};
use object_ir::tir::fold::{int, is_integer};
use ruff_python_ast::Operator;
use ruff_text_size::TextRange;

use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::tir::scalar::{intrinsic, matched, prim};
use crate::parse::value::Value;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] = &[
    ("T.shift_left", named),
    ("T.shift_right", named),
    ("T.bitwise_and", named),
    ("T.bitwise_or", named),
    ("T.bitwise_xor", named),
    ("T.bitwise_not", named_not),
];

/// The name of the function that an operator stands for.
pub(crate) fn operator(op: Operator) -> Option<&'static str> {
    Some(match op {
        Operator::LShift => "shift_left",
        Operator::RShift => "shift_right",
        Operator::BitAnd => "bitwise_and",
        Operator::BitOr => "bitwise_or",
        Operator::BitXor => "bitwise_xor",
        _ => return None,
    })
}

fn constant(name: &str, a: i64, b: i64) -> Option<i64> {
    let count = u32::try_from(b).ok().filter(|count| *count < 64);
    Some(match name {
        "shift_left" => a.wrapping_shl(count?),
        "shift_right" => a >> count?,
        "bitwise_and" => a & b,
        "bitwise_or" => a | b,
        _ => a ^ b,
    })
}

/// The result of the function `name`. Constants of `int32` and `int64` are folded.
pub(crate) fn binary(p: &mut Parser<'_>, name: &str, a: &Argument, b: &Argument) -> Eval<Value> {
    let range = TextRange::new(a.range.start(), b.range.end().max(a.range.start()));
    let (a, b) = matched(p, a, b)?;
    let dtype = a.dtype;
    let is_bool = dtype.code == object_core::scalar::TypeCode::BOOL;
    if !is_integer(dtype) && !is_bool {
        return Err(p.error(range, format!("operations on bits take integers, got `{dtype}`")));
    }
    let is_index = matches!(dtype.bits, 32 | 64) && dtype.code == object_core::scalar::TypeCode::INT;
    if let (Some(x), Some(y)) = (int(&a), int(&b))
        && is_index
        && let Some(value) = constant(name, x, y)
    {
        let value = if dtype.bits == 32 { i64::from(value as i32) } else { value };
        return Ok(Value::object(IntImm::new(dtype, value)));
    }
    call(p, dtype, name, vec![a, b], range)
}

fn call(
    p: &mut Parser<'_>,
    dtype: object_core::DataType,
    name: &str,
    args: Vec<PrimExpr>,
    range: TextRange,
) -> Eval<Value> {
    let call = intrinsic(dtype, &format!("tirx.{name}"), args);
    call.map(|call| Value::Object(call.as_object().clone()))
        .ok_or_else(|| p.error(range, format!("the operator `{name}` is not known")))
}

/// The integer with the other bits.
pub(crate) fn not(p: &mut Parser<'_>, a: &Argument) -> Eval<Value> {
    let expr = prim(p, a)?;
    call(p, expr.dtype, "bitwise_not", vec![expr], a.range)
}

fn named(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let (a, b) = (call.required(p, "x")?.clone(), call.required(p, "y")?.clone());
    call.finish(p)?;
    let name = call.name.strip_prefix("T.").unwrap_or(&call.name).to_owned();
    binary(p, &name, &a, &b)
}

fn named_not(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let a = call.required(p, "x")?.clone();
    call.finish(p)?;
    not(p, &a)
}
