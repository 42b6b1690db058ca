//! Operations on objects in statements of Relax.

use ruff_python_ast::{CmpOp, Operator, UnaryOp};
use ruff_text_size::TextRange;

use crate::script::parse::state::call::{Argument, Call};
use crate::script::parse::state::parser::{Eval, ObjectOperations, Parser};
use crate::script::parse::value::Value;

/// The operations.
pub(crate) const OPERATIONS: ObjectOperations = ObjectOperations { binary, compare, unary, subscript, attribute, call };

fn binary(p: &mut Parser<'_>, op: Operator, a: &Argument, _b: &Argument) -> Eval<Value> {
    Err(p.error(a.range, format!("`{}` does not take {}", op.as_str(), a.value.describe())))
}

fn compare(p: &mut Parser<'_>, op: CmpOp, a: &Argument, _b: &Argument) -> Eval<Value> {
    Err(p.error(a.range, format!("`{}` does not take {}", op.as_str(), a.value.describe())))
}

fn unary(p: &mut Parser<'_>, op: UnaryOp, a: &Argument) -> Eval<Value> {
    Err(p.error(a.range, format!("`{}` does not take {}", op.as_str(), a.value.describe())))
}

fn subscript(p: &mut Parser<'_>, a: &Argument, _index: &Argument) -> Eval<Value> {
    Err(p.error(a.range, format!("{} does not have elements", a.value.describe())))
}

fn attribute(p: &mut Parser<'_>, a: &Argument, name: &str, range: TextRange) -> Eval<Value> {
    Err(p.error(range, format!("{} does not have the member `{name}`", a.value.describe())))
}

fn call(p: &mut Parser<'_>, callee: &Value, call: &Call) -> Eval<Value> {
    Err(p.error(call.range, format!("{} is not a function", callee.describe())))
}
