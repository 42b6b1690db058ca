//! Operations on expressions in statements of Relax (TVM 0.25 `ExprWithOp` in python/tvm/relax/expr.py).

use std::rc::Rc;

use object_core::ObjectHandle;
use object_ir::ir::{Call as CallExpr, GlobalVar, Op, RelaxExpr, StructInfo};
use ruff_python_ast::{CmpOp, Operator, UnaryOp};
use ruff_text_size::TextRange;

use crate::parse::relax::integers::integer;
use crate::parse::relax::{operator_call, values};
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Eval, ObjectOperations, Parser};
use crate::parse::value::Value;

/// The operations.
pub(crate) const OPERATIONS: ObjectOperations = ObjectOperations { binary, compare, unary, subscript, attribute, call };

fn binary(p: &mut Parser<'_>, op: Operator, a: &Argument, b: &Argument) -> Eval<Value> {
    let name = match op {
        Operator::Add => "add",
        Operator::Sub => "subtract",
        Operator::Mult => "multiply",
        Operator::Div => "divide",
        Operator::FloorDiv => "floor_divide",
        Operator::Mod => "mod",
        Operator::Pow => "power",
        _ => return Err(unsupported(p, op.as_str(), a, b)),
    };
    operation(p, op.as_str(), name, a, b)
}

fn compare(p: &mut Parser<'_>, op: CmpOp, a: &Argument, b: &Argument) -> Eval<Value> {
    let name = match op {
        CmpOp::Lt => "less",
        CmpOp::LtE => "less_equal",
        CmpOp::Gt => "greater",
        CmpOp::GtE => "greater_equal",
        CmpOp::Eq | CmpOp::NotEq => {
            let hint = Some("write `R.equal(a, b)` or `R.not_equal(a, b)`".to_owned());
            let message = format!("`{}` does not compare tensors", op.as_str());
            return Err(p.error_with_hint(a.range, message, hint));
        }
        _ => return Err(unsupported(p, op.as_str(), a, b)),
    };
    operation(p, op.as_str(), name, a, b)
}

/// The call of an operator on two expressions.
fn operation(p: &mut Parser<'_>, symbol: &str, name: &str, a: &Argument, b: &Argument) -> Eval<Value> {
    for operand in [a, b] {
        if matches!(operand.value, Value::Int(_) | Value::Float(_) | Value::Bool(_)) {
            let hint = Some("write `R.const(value, \"float32\")`".to_owned());
            let message = format!("`{symbol}` takes expressions, got {}", operand.value.describe());
            return Err(p.error_with_hint(operand.range, message, hint));
        }
    }
    if !a.value.is::<RelaxExpr>() || !b.value.is::<RelaxExpr>() {
        return Err(unsupported(p, symbol, a, b));
    }
    let range = a.range.cover(b.range);
    operator_call::call(p, &Call::new(format!("R.{name}"), range, vec![a.clone(), b.clone()], Vec::new()))
}

fn unsupported(p: &mut Parser<'_>, symbol: &str, a: &Argument, b: &Argument) -> crate::parse::state::parser::Reported {
    let (left, right) = (a.value.describe(), b.value.describe());
    p.error(a.range.cover(b.range), format!("`{symbol}` does not take {left} and {right}"))
}

fn unary(p: &mut Parser<'_>, op: UnaryOp, a: &Argument) -> Eval<Value> {
    if op == UnaryOp::USub && a.value.is::<RelaxExpr>() {
        return operator_call::call(p, &Call::new("R.negative".to_owned(), a.range, vec![a.clone()], Vec::new()));
    }
    Err(p.error(a.range, format!("`{}` does not take {}", op.as_str(), a.value.describe())))
}

/// A member of a tuple.
///
/// # Errors
/// Reports an index that is not a constant integer.
pub(crate) fn subscript(p: &mut Parser<'_>, a: &Argument, index: &Argument) -> Eval<Value> {
    let tuple = values::argument(p, a)?;
    match integer(&index.value) {
        Some(index) => Ok(Value::object(values::member(tuple, index))),
        None => Err(index.expected(p, "a constant integer")),
    }
}

/// The names of facts about tensors at run time.
const FACTS: [(&str, &str); 4] = [
    ("ndim", "relax.inspect.tensor_ndim"),
    ("byte_offset", "relax.inspect.tensor_byte_offset"),
    ("elem_offset", "relax.inspect.tensor_elem_offset"),
    ("dtype_code", "relax.inspect.tensor_dtype_code"),
];

/// The names of the members of expressions.
pub(crate) fn members_of_expressions() -> Vec<&'static str> {
    FACTS.iter().map(|(name, _)| *name).chain(["astype", "struct_info"]).collect()
}

fn attribute(p: &mut Parser<'_>, a: &Argument, name: &str, range: TextRange) -> Eval<Value> {
    if let Some(expr) = a.value.to::<RelaxExpr>() {
        if name == "astype" {
            return Ok(Value::Method(Rc::new((a.value.clone(), name.to_owned()))));
        }
        if name == "struct_info"
            && let Some(info) = &expr.struct_info
        {
            return Ok(Value::object(info.clone()));
        }
        if let Some((_, op)) = FACTS.iter().find(|(known, _)| *known == name) {
            let op = Op::get(op).map_err(|error| p.object_error(range, &error))?;
            return Ok(Value::object(CallExpr::new(op, [expr], None, [])));
        }
    }
    if let Value::Object(object) = &a.value
        && a.value.is::<StructInfo>()
        && let Some(field) = object.view().get(name)
    {
        return Ok(Value::from_any(field));
    }
    Err(p.error(range, format!("{} does not have the member `{name}`", a.value.describe())))
}

/// A call of a function of the module, of a variable, or of a method.
fn call(p: &mut Parser<'_>, callee: &Value, call: &Call) -> Eval<Value> {
    if let Value::Method(method) = callee
        && method.1 == "astype"
    {
        let mut args = vec![Argument { value: method.0.clone(), range: call.range }];
        args.extend(call.rest().iter().cloned());
        let keywords = call.rest_keywords().into_iter().cloned().collect();
        return operator_call::call(p, &Call::new("R.astype".to_owned(), call.range, args, keywords));
    }
    let Some(function) = callee.to::<RelaxExpr>() else {
        return Err(p.error(call.range, format!("{} is not a function", callee.describe())));
    };
    let mut args = Vec::new();
    for argument in call.rest().to_vec() {
        if function.is::<GlobalVar>() && matches!(argument.value, Value::Int(_) | Value::Float(_) | Value::Str(_)) {
            return Err(argument.expected(p, "an expression of Relax"));
        }
        args.push(values::argument(p, &argument)?);
    }
    call.finish(p)?;
    Ok(Value::object(CallExpr::new(function, args, None, [])))
}
