//! Expressions as they are written: operations on two numbers, and their comparison without arithmetic.

use object_core::prelude::*;

use crate::ir::expr::{IntImm, PrimExpr};
use crate::tir::arith::{Add, FloorDiv, FloorMod, Max, Min, Mul, Sub};
use crate::tir::expr::Var;

/// The levels of nested operations that a comparison looks at.
const DEPTH: usize = 6;

/// The operands of a sum, difference, product, quotient, remainder, maximum or minimum.
pub(crate) fn operands(expr: &PrimExpr) -> Option<[&PrimExpr; 2]> {
    macro_rules! of {
        ($($Operation:ty),*) => {
            $(if let Some(it) = expr.downcast_ref::<$Operation>() {
                return Some([&it.a, &it.b]);
            })*
        };
    }
    of!(Add, Mul, Sub, FloorDiv, FloorMod, Max, Min);
    None
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
    if depth == 0 || kind(a) != kind(b) || a.dtype != b.dtype {
        return false;
    }
    match (operands(a), operands(b)) {
        (Some([a, c]), Some([b, d])) => {
            are_same_within(a, b, depth - 1, is_value) && are_same_within(c, d, depth - 1, is_value)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tir::{floor_div, max};

    #[test]
    fn expressions_are_compared_as_they_are_written() {
        let (n, m) = (Var::dim("n"), Var::dim("m"));
        let cases: [(PrimExpr, PrimExpr, bool); 6] = [
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
