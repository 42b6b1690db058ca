//! Operators, on values of Python and on scalar expressions. The operators on other objects are the ones of the language.

use std::rc::Rc;

use object_ir::ir::PrimExpr;
use object_ir::tir::Not;
use object_ir::tir::fold::{self, BinaryOp};
use ruff_python_ast::{BoolOp, CmpOp, Operator, UnaryOp};
use ruff_text_size::TextRange;

use crate::parse::expr::convert::to_prim;
use crate::parse::state::call::Argument;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// `a op b`.
pub(crate) fn binary(p: &mut Parser<'_>, op: Operator, a: &Argument, b: &Argument, range: TextRange) -> Eval<Value> {
    if let Some(value) = python(op, &a.value, &b.value) {
        return Ok(value);
    }
    if let Some((a, b)) = prims(&a.value, &b.value)
        && let Some(folded) = folded_op(op)
    {
        if folded == BinaryOp::Div && fold::is_integer(a.dtype) && fold::is_integer(b.dtype) {
            let hint = Some("use `//`, or `T.truncdiv` for a quotient that is rounded towards 0".to_owned());
            return Err(p.error_with_hint(range, "`/` divides floating-point numbers, got integers", hint));
        }
        return scalar(p, folded, &a, &b, range);
    }
    if is_unknown(a, b) {
        return Err(p.follow_up());
    }
    let is_object = |argument: &Argument| matches!(argument.value, Value::Object(_) | Value::Path(_));
    if is_object(a) || is_object(b) {
        let binary = p.languages.operations(p.language).binary;
        return binary(p, op, a, b);
    }
    let (left, right) = (a.value.describe(), b.value.describe());
    Err(p.error(range, format!("`{}` does not take {left} and {right}", op.as_str())))
}

/// An operation on scalar expressions, with folding of constants.
pub(crate) fn scalar(p: &mut Parser<'_>, op: BinaryOp, a: &PrimExpr, b: &PrimExpr, range: TextRange) -> Eval<Value> {
    fold::binary(op, a, b).map(Value::object).map_err(|error| p.object_error(range, &error))
}

/// `a op b`, where the result is a truth value.
pub(crate) fn compare(p: &mut Parser<'_>, op: CmpOp, a: &Argument, b: &Argument, range: TextRange) -> Eval<Value> {
    if is_unknown(a, b) {
        return Err(p.follow_up());
    }
    if let Some(value) = python_comparison(op, &a.value, &b.value) {
        return Ok(Value::Bool(value));
    }
    let folded = match op {
        CmpOp::Eq => Some(BinaryOp::Equal),
        CmpOp::NotEq => Some(BinaryOp::NotEqual),
        CmpOp::Lt => Some(BinaryOp::Less),
        CmpOp::LtE => Some(BinaryOp::LessEqual),
        CmpOp::Gt => Some(BinaryOp::Greater),
        CmpOp::GtE => Some(BinaryOp::GreaterEqual),
        _ => None,
    };
    if let (Some((a, b)), Some(folded)) = (prims(&a.value, &b.value), folded) {
        return scalar(p, folded, &a, &b, range);
    }
    if matches!(a.value, Value::Object(_)) || matches!(b.value, Value::Object(_)) {
        let compare = p.languages.operations(p.language).compare;
        return compare(p, op, a, b);
    }
    let (left, right) = (a.value.describe(), b.value.describe());
    Err(p.error(range, format!("`{}` does not take {left} and {right}", op.as_str())))
}

/// `a and b`, `a or b`. TVM makes operations on the bits of vectors (TVM 0.25 python/tvm/tirx/script/parser/operation.py).
pub(crate) fn logical(p: &mut Parser<'_>, op: BoolOp, a: &Argument, b: &Argument, range: TextRange) -> Eval<Value> {
    if is_unknown(a, b) {
        return Err(p.follow_up());
    }
    let (of_scalars, of_vectors) =
        if op == BoolOp::And { (BinaryOp::And, Operator::BitAnd) } else { (BinaryOp::Or, Operator::BitOr) };
    let is_vector = |value: &Value| to_prim(value).is_some_and(|expr| expr.dtype.lanes() != 1);
    if is_vector(&a.value) || is_vector(&b.value) {
        return binary(p, of_vectors, a, b, range);
    }
    if let Some((a, b)) = prims(&a.value, &b.value) {
        return scalar(p, of_scalars, &a, &b, range);
    }
    match truth(&a.value) {
        Some(value) => Ok(if value == (op == BoolOp::And) { b.value.clone() } else { a.value.clone() }),
        None => Err(a.expected(p, "a condition")),
    }
}

/// `op a`.
pub(crate) fn unary(p: &mut Parser<'_>, op: UnaryOp, a: &Argument, range: TextRange) -> Eval<Value> {
    match (&a.value, op) {
        (Value::Int(value), UnaryOp::USub) => return Ok(Value::Int(value.wrapping_neg())),
        (Value::LargeUint(value), UnaryOp::USub) if *value == i64::MIN.unsigned_abs() => {
            return Ok(Value::Int(i64::MIN));
        }
        (Value::Float(value), UnaryOp::USub) => return Ok(Value::Float(-value)),
        (Value::Int(value), UnaryOp::Invert) => return Ok(Value::Int(!value)),
        (Value::Int(_) | Value::Float(_), UnaryOp::UAdd) => return Ok(a.value.clone()),
        (Value::Unknown, _) => return Err(p.follow_up()),
        (value, UnaryOp::Not) => {
            if let Some(value) = truth(value) {
                return Ok(Value::Bool(!value));
            }
        }
        _ => {}
    }
    if let Some(expr) = a.value.to::<PrimExpr>() {
        match op {
            UnaryOp::Not => return Ok(Value::object(Not::new(expr.dtype, expr))),
            UnaryOp::UAdd => return Ok(a.value.clone()),
            UnaryOp::USub => {
                if let Some(minus_one) = object_ir::tir::constant(expr.dtype, -1) {
                    return scalar(p, BinaryOp::Mul, &expr, &minus_one, range);
                }
            }
            UnaryOp::Invert => {}
        }
    }
    if matches!(a.value, Value::Object(_)) {
        let unary = p.languages.operations(p.language).unary;
        return unary(p, op, a);
    }
    Err(p.error(range, format!("`{}` does not take {}", op.as_str(), a.value.describe())))
}

/// The truth value of a value of Python.
pub(crate) fn truth(value: &Value) -> Option<bool> {
    Some(match value {
        Value::None => false,
        Value::Bool(value) => *value,
        Value::Int(value) => *value != 0,
        Value::Float(value) => *value != 0.0,
        Value::Str(text) => !text.is_empty(),
        Value::Tuple(items) | Value::List(items) => !items.is_empty(),
        Value::Dict(items) => !items.is_empty(),
        _ => return None,
    })
}

fn is_unknown(a: &Argument, b: &Argument) -> bool {
    matches!(a.value, Value::Unknown) || matches!(b.value, Value::Unknown)
}

/// Both values as scalar expressions, if at least one is an expression and not a number of Python.
fn prims(a: &Value, b: &Value) -> Option<(PrimExpr, PrimExpr)> {
    if !matches!(a, Value::Object(_)) && !matches!(b, Value::Object(_)) {
        return None;
    }
    Some((to_prim(a)?, to_prim(b)?))
}

fn folded_op(op: Operator) -> Option<BinaryOp> {
    Some(match op {
        Operator::Add => BinaryOp::Add,
        Operator::Sub => BinaryOp::Sub,
        Operator::Mult => BinaryOp::Mul,
        Operator::Div => BinaryOp::Div,
        Operator::FloorDiv => BinaryOp::FloorDiv,
        Operator::Mod => BinaryOp::FloorMod,
        _ => return None,
    })
}

/// The result for values of Python.
fn python(op: Operator, a: &Value, b: &Value) -> Option<Value> {
    if let (Some(x), Some(y)) = (a.as_int(), b.as_int()) {
        return integers(op, x, y);
    }
    if let (Some(x), Some(y)) = (number(a), number(b)) {
        return Some(Value::Float(match op {
            Operator::Add => x + y,
            Operator::Sub => x - y,
            Operator::Mult => x * y,
            Operator::Div if y != 0.0 => x / y,
            Operator::FloorDiv if y != 0.0 => (x / y).floor(),
            Operator::Mod if y != 0.0 => x - y * (x / y).floor(),
            Operator::Pow => x.powf(y),
            _ => return None,
        }));
    }
    match (op, a, b) {
        (Operator::Add, Value::Str(a), Value::Str(b)) => Some(Value::Str(format!("{a}{b}").as_str().into())),
        (Operator::Add, Value::Tuple(a), Value::Tuple(b)) => Some(Value::Tuple(joined(a, b))),
        (Operator::Add, Value::List(a), Value::List(b)) => Some(Value::List(joined(a, b))),
        (Operator::Mult, Value::List(a), Value::Int(count)) => Some(Value::List(repeated(a, *count)?)),
        (Operator::Mult, Value::Tuple(a), Value::Int(count)) => Some(Value::Tuple(repeated(a, *count)?)),
        _ => None,
    }
}

/// The largest list that `*` makes.
const MAX_REPEATED: usize = 1 << 16;

fn joined(a: &[Value], b: &[Value]) -> Rc<[Value]> {
    a.iter().chain(b).cloned().collect()
}

fn repeated(a: &[Value], count: i64) -> Option<Rc<[Value]>> {
    let count = usize::try_from(count.max(0)).ok()?;
    let is_small = a.len().checked_mul(count).is_some_and(|length| length <= MAX_REPEATED);
    is_small.then(|| a.iter().cycle().take(a.len() * count).cloned().collect())
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Float(value) => Some(*value),
        #[expect(clippy::cast_precision_loss, reason = "Python rounds an integer beside a number")]
        value => value.as_int().map(|value| value as f64),
    }
}

fn integers(op: Operator, x: i64, y: i64) -> Option<Value> {
    Some(Value::Int(match op {
        Operator::Add => x.checked_add(y)?,
        Operator::Sub => x.checked_sub(y)?,
        Operator::Mult => x.checked_mul(y)?,
        Operator::FloorDiv => fold::floor_div(x, y)?,
        Operator::Mod => x.checked_sub(fold::floor_div(x, y)?.checked_mul(y)?)?,
        Operator::Pow => x.checked_pow(u32::try_from(y).ok()?)?,
        Operator::LShift => x.checked_mul(1_i64.checked_shl(u32::try_from(y).ok()?)?)?,
        Operator::RShift => x >> u32::try_from(y).ok().filter(|y| *y < 64)?,
        Operator::BitAnd => x & y,
        Operator::BitOr => x | y,
        Operator::BitXor => x ^ y,
        #[expect(clippy::cast_precision_loss, reason = "Python divides integers as floating-point numbers")]
        Operator::Div if y != 0 => return Some(Value::Float(x as f64 / y as f64)),
        Operator::Div | Operator::MatMult => return None,
    }))
}

/// The result of a comparison of values of Python.
fn python_comparison(op: CmpOp, a: &Value, b: &Value) -> Option<bool> {
    match op {
        CmpOp::Is | CmpOp::IsNot => {
            let is_none = |value: &Value| matches!(value, Value::None);
            let is = is_none(a) && is_none(b);
            return (is_none(a) || is_none(b)).then_some(is == (op == CmpOp::Is));
        }
        CmpOp::In | CmpOp::NotIn => {
            let found = b.items()?.iter().any(|item| python_comparison(CmpOp::Eq, a, item) == Some(true));
            return Some(found == (op == CmpOp::In));
        }
        _ => {}
    }
    let order = match (a, b) {
        (Value::Str(a), Value::Str(b)) => a.as_str().partial_cmp(b.as_str()),
        _ => match (a.as_int(), b.as_int()) {
            (Some(a), Some(b)) => a.partial_cmp(&b),
            _ => number(a)?.partial_cmp(&number(b)?),
        },
    };
    Some(match op {
        CmpOp::Eq => order?.is_eq(),
        CmpOp::NotEq => order?.is_ne(),
        CmpOp::Lt => order?.is_lt(),
        CmpOp::LtE => order?.is_le(),
        CmpOp::Gt => order?.is_gt(),
        CmpOp::GtE => order?.is_ge(),
        CmpOp::Is | CmpOp::IsNot | CmpOp::In | CmpOp::NotIn => return None,
    })
}
