//! [`sample`]: the value of a dimension for one value of its variables.

use object_core::scalar::TypeCode;
use object_ir::ir::{IntImm, PrimExpr};
use object_ir::tir::{Add, Call, EQ, FloorDiv, FloorMod, GE, GT, LE, LT, Max, Min, Mul, NE, Select, Sub, Var};

use crate::arith::form::choice;

/// The value of each variable: a dimension that many numbers divide.
const VALUE: i128 = 5040;

/// The most nested operations.
const DEPTH: usize = 64;

object_core::variants_of! {
    /// The operations with a sample.
    enum Node of PrimExpr {
        IntImm, Var, Add, Sub, Mul, FloorDiv, FloorMod, Min, Max, EQ, NE, LT, LE, GT, GE, Select, Call,
    }
}

/// The value of a dimension if each variable in it has the same value, which a dimension may have. `None` for other
/// operations than sums, products, choices and the like. Reduces `left` by the number of operations, and ends at 0.
pub(super) fn sample(dim: &PrimExpr, left: &mut usize) -> Option<i128> {
    value(dim, DEPTH, left)
}

fn value(dim: &PrimExpr, depth: usize, left: &mut usize) -> Option<i128> {
    *left = left.checked_sub(1)?;
    let depth = depth.checked_sub(1)?;
    let mut of = |operand: &PrimExpr| value(operand, depth, left);
    match Node::of(dim) {
        Node::IntImm(it) => Some(it.value.into()),
        Node::Var(it) => (it.dtype.code == TypeCode::INT).then_some(VALUE),
        Node::Add(it) => of(&it.a)?.checked_add(of(&it.b)?),
        Node::Sub(it) => of(&it.a)?.checked_sub(of(&it.b)?),
        Node::Mul(it) => of(&it.a)?.checked_mul(of(&it.b)?),
        Node::FloorDiv(it) => divided(of(&it.a)?, of(&it.b)?).map(|(quotient, _)| quotient),
        Node::FloorMod(it) => divided(of(&it.a)?, of(&it.b)?).map(|(_, rest)| rest),
        Node::Min(it) => Some(of(&it.a)?.min(of(&it.b)?)),
        Node::Max(it) => Some(of(&it.a)?.max(of(&it.b)?)),
        Node::EQ(it) => Some((of(&it.a)? == of(&it.b)?).into()),
        Node::NE(it) => Some((of(&it.a)? != of(&it.b)?).into()),
        Node::LT(it) => Some((of(&it.a)? < of(&it.b)?).into()),
        Node::LE(it) => Some((of(&it.a)? <= of(&it.b)?).into()),
        Node::GT(it) => Some((of(&it.a)? > of(&it.b)?).into()),
        Node::GE(it) => Some((of(&it.a)? >= of(&it.b)?).into()),
        Node::Select(_) | Node::Call(_) => {
            let [condition, yes, no] = choice(dim)?;
            let is_true = of(condition)? != 0;
            of(if is_true { yes } else { no })
        }
        Node::Other(_) => None,
    }
}

/// The quotient and the rest for a positive divisor, rounded down.
fn divided(a: i128, b: i128) -> Option<(i128, i128)> {
    (b > 0).then(|| (a.div_euclid(b), a.rem_euclid(b)))
}
