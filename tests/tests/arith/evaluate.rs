//! The value of an expression for an assignment, by its definition.

use std::collections::BTreeMap;

use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_ir::ir::{IntImm, Op, PrimExpr};
use object_ir::tir::{
    Add, And, Call, Cast, Div, EQ, FloorDiv, FloorMod, GE, GT, LE, LT, Max, Min, Mod, Mul, NE, Not, Or, Select, Sub,
    Var,
};

/// The value of `expr`; `None` if it divides by 0 or overflows `int32` or `int64`.
pub(crate) fn evaluate(expr: &PrimExpr, assignment: &BTreeMap<String, i64>) -> Option<i128> {
    Evaluation { assignment, wraps: false }.of(expr)
}

/// As [`evaluate`], where all types wrap around.
pub(crate) fn evaluate_wrapping(expr: &PrimExpr, assignment: &BTreeMap<String, i64>) -> Option<i128> {
    Evaluation { assignment, wraps: true }.of(expr)
}

struct Evaluation<'a> {
    assignment: &'a BTreeMap<String, i64>,
    /// Whether `int32` and `int64` wrap around too.
    wraps: bool,
}

impl Evaluation<'_> {
    fn of(&self, expr: &PrimExpr) -> Option<i128> {
        let value = |expr: &PrimExpr| self.of(expr);
        let in_type = |value: i128, dtype: DataType| in_type(value, dtype, self.wraps);
        macro_rules! binary {
        ($($node:ident |$a:ident, $b:ident| $result:expr;)*) => {
            $(if let Some(it) = expr.downcast_ref::<$node>() {
                let ($a, $b) = (value(&it.a)?, value(&it.b)?);
                return in_type($result, expr.dtype);
            })*
        };
    }
        binary! {
            Add |a, b| a + b;
            Sub |a, b| a - b;
            // The product of two values of `uint64` may need 128 bits without a sign; such a type wraps around.
            Mul |a, b| a.wrapping_mul(b);
            FloorDiv |a, b| floor_div(a, b)?;
            FloorMod |a, b| a - b * floor_div(a, b)?;
            Div |a, b| a.checked_div(b)?;
            Mod |a, b| a.checked_rem(b)?;
            Min |a, b| a.min(b);
            Max |a, b| a.max(b);
            EQ |a, b| i128::from(a == b);
            NE |a, b| i128::from(a != b);
            LT |a, b| i128::from(a < b);
            LE |a, b| i128::from(a <= b);
            GT |a, b| i128::from(a > b);
            GE |a, b| i128::from(a >= b);
        }
        if let Some(it) = expr.downcast_ref::<IntImm>() {
            return Some(wrap(it.value.into(), it.dtype));
        }
        if let Some(it) = expr.downcast_ref::<Var>() {
            return Some(self.assignment[&*it.name].into());
        }
        if let Some(it) = expr.downcast_ref::<And>() {
            return if value(&it.a)? == 0 { Some(0) } else { self.of(&it.b) };
        }
        if let Some(it) = expr.downcast_ref::<Or>() {
            return if value(&it.a)? != 0 { Some(1) } else { self.of(&it.b) };
        }
        if let Some(it) = expr.downcast_ref::<Not>() {
            return Some(i128::from(value(&it.a)? == 0));
        }
        if let Some(it) = expr.downcast_ref::<Select>() {
            let (a, b) = (self.of(&it.true_value)?, self.of(&it.false_value)?);
            return Some(if value(&it.condition)? != 0 { a } else { b });
        }
        if let Some(it) = expr.downcast_ref::<Cast>() {
            return Some(wrap(value(&it.value)?, expr.dtype));
        }
        let call = expr.downcast_ref::<Call>().unwrap_or_else(|| panic!("no value of {expr:?}"));
        let arg = |index: usize| value(&call.args[index]);
        match &*call.op.downcast_ref::<Op>().expect("an operator").name {
            "tirx.if_then_else" => self.of(&call.args[if arg(0)? != 0 { 1 } else { 2 }]),
            "tirx.likely" => self.of(&call.args[0]),
            "tirx.shift_left" => in_type(arg(0)? << u32::try_from(arg(1)?).ok().filter(|&bits| bits < 63)?, expr.dtype),
            "tirx.shift_right" => {
                in_type(arg(0)? >> u32::try_from(arg(1)?).ok().filter(|&bits| bits < 63)?, expr.dtype)
            }
            "tirx.bitwise_and" => in_type(arg(0)? & arg(1)?, expr.dtype),
            other => panic!("no value of {other}"),
        }
    }
}

fn floor_div(a: i128, b: i128) -> Option<i128> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// The result of an operation; small and unsigned integers wrap around, and all integers if `wraps`.
fn in_type(value: i128, dtype: DataType, wraps: bool) -> Option<i128> {
    let wrapped = wrap(value, dtype);
    let is_index = dtype.code == TypeCode::INT && dtype.bits >= 32;
    (wraps || !is_index || wrapped == value).then_some(wrapped)
}

fn wrap(value: i128, dtype: DataType) -> i128 {
    let bits = 128 - u32::from(dtype.bits);
    match dtype.code {
        TypeCode::BOOL => i128::from(value != 0),
        TypeCode::INT => value << bits >> bits,
        _ => ((value as u128) << bits >> bits) as i128,
    }
}

#[test]
fn products_of_the_greatest_values_wrap_around() {
    let dtype = DataType::uint(64);
    let greatest: PrimExpr = IntImm::new(dtype, -1).into();
    let product: PrimExpr = Mul::new(dtype, &greatest, &greatest).into();
    assert_eq!(evaluate(&product, &BTreeMap::new()), Some(1));
}
