//! Expressions as they are written: operations on numbers, and their comparison without arithmetic.

use object_core::prelude::*;
use object_ir::ir::{IntImm, Op, PrimExpr};
use object_ir::tir::{Add, Call, EQ, FloorDiv, FloorMod, GE, GT, LE, LT, Max, Min, Mul, NE, Select, Sub, Var};

/// The levels of nested operations that a comparison looks at.
const DEPTH: usize = 6;

macro_rules! operands_of {
    ($expr:expr, $($Operation:ty),*) => {
        $(if let Some(it) = $expr.downcast_ref::<$Operation>() {
            return Some([&it.a, &it.b]);
        })*
    };
}

/// The operands of a sum, difference, product, quotient, remainder, maximum or minimum.
pub(crate) fn operands(expr: &PrimExpr) -> Option<[&PrimExpr; 2]> {
    operands_of!(expr, Add, Mul, Sub, FloorDiv, FloorMod, Max, Min);
    None
}

/// The operands of a comparison.
fn compared(expr: &PrimExpr) -> Option<[&PrimExpr; 2]> {
    operands_of!(expr, LT, LE, GT, GE, EQ, NE);
    None
}

/// The condition of a choice and the two values, of which the condition decides for one.
pub(crate) fn choice(expr: &PrimExpr) -> Option<[&PrimExpr; 3]> {
    if let Some(it) = expr.downcast_ref::<Select>() {
        return Some([&it.condition, &it.true_value, &it.false_value]);
    }
    let call = expr.downcast_ref::<Call>()?;
    let op = call.op.downcast_ref::<Op>().filter(|op| op.name.as_str() == "tirx.if_then_else");
    let [condition, yes, no] = op.map(|_| call.args.as_slice())? else { return None };
    Some([condition, yes, no])
}

/// The operand `x` of a maximum `max(x, 0)`.
pub(crate) fn at_least_zero(expr: &PrimExpr) -> Option<&PrimExpr> {
    let max = expr.downcast_ref::<Max>()?;
    max.b.downcast_ref::<IntImm>().filter(|least| least.value == 0).map(|_| &max.a)
}

/// Whether two expressions are the same operations on the same variables and constants, so that they have one value.
/// `false` says nothing.
pub(crate) fn are_same(a: &PrimExpr, b: &PrimExpr) -> bool {
    are_same_within(a, b, DEPTH, &mut |a, b| a.ptr_eq(b))
}

/// Whether `a` and `b` are the same operations on the same constants and on variables for which `is_value` returns true: it
/// gets the variable of `a` and the expression in its place in `b`.
pub(crate) fn are_same_up_to<'e>(
    a: &'e PrimExpr,
    b: &'e PrimExpr,
    mut is_value: impl FnMut(&'e Var, &'e PrimExpr) -> bool,
) -> bool {
    are_same_within(a, b, DEPTH, &mut is_value)
}

fn are_same_within<'e>(
    a: &'e PrimExpr,
    b: &'e PrimExpr,
    depth: usize,
    is_value: &mut dyn FnMut(&'e Var, &'e PrimExpr) -> bool,
) -> bool {
    if let Some(var) = a.downcast_ref::<Var>() {
        return is_value(var, b);
    }
    if let Some(a) = a.downcast_ref::<IntImm>() {
        return b.downcast_ref::<IntImm>().is_some_and(|b| a.value == b.value && a.dtype == b.dtype);
    }
    let kind = |expr: &PrimExpr| std::ptr::from_ref(expr.as_object().view().type_info());
    if depth == 0 || a.dtype != b.dtype {
        return false;
    }
    let mut are_same = |a, b| are_same_within(a, b, depth - 1, is_value);
    if kind(a) == kind(b)
        && let Some(([a, c], [b, d])) = operands(a).or_else(|| compared(a)).zip(operands(b).or_else(|| compared(b)))
    {
        return are_same(a, b) && are_same(c, d);
    }
    // A `Select` and a call of `if_then_else` have the same value.
    choice(a).zip(choice(b)).is_some_and(|(a, b)| a.into_iter().zip(b).all(|(a, b)| are_same(a, b)))
}

#[cfg(test)]
mod tests {
    use object_ir::tir::{floor_div, less, less_equal, max, select};

    use super::*;

    #[test]
    fn expressions_are_compared_as_they_are_written() {
        let (n, m) = (Var::dim("n"), Var::dim("m"));
        let choice = |least: i64| select(&less(&n, least).unwrap(), &n, &m).unwrap();
        let lazy: PrimExpr = Call::new(
            DataType::int(64),
            Op::get("tirx.if_then_else").unwrap(),
            [less(&n, 1).unwrap(), n.clone().into(), m.clone().into()],
            None,
        )
        .into();
        let cases: [(PrimExpr, PrimExpr, bool); 10] = [
            (choice(1), choice(1), true),
            (choice(1), choice(2), false),
            (choice(1), lazy, true),
            (less(&n, 1).unwrap(), less_equal(&n, 1).unwrap(), false),
            (&n + 1, &n + 1, true),
            (&n + 1, &m + 1, false),
            (&n + 1, &n + 2, false),
            (&n * &m, &m * &n, false),
            (max(&n, 1).unwrap(), max(&n, 1).unwrap(), true),
            (floor_div(&n, 2).unwrap(), max(&n, 2).unwrap(), false),
        ];
        for (a, b, expected) in cases {
            assert_eq!(are_same(&a, &b), expected, "{a}, {b}");
        }
        let deep = (0..=DEPTH).fold(PrimExpr::from(&n), |deep, _| deep + 1);
        assert!(!are_same(&deep, &deep.clone()), "deep expressions are not compared");
        assert!(are_same_up_to(&(&n + 1), &(&m * 2 + 1), |var, value| var.ptr_eq(&n) && are_same(value, &(&m * 2))));
    }
}
