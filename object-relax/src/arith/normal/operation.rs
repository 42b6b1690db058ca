//! [`Operation`]: the operations on integers and truth values that the normal forms understand, and the
//! [view](Operation::of) of an expression as one of them.

use object_core::scalar::TypeCode;
use object_core::{DataType, ObjectHandle};
use object_ir::ir::{IntImm, Op, PrimExpr};
use object_ir::tir::{
    Add, And, Call, Cast, Div, EQ, FloorDiv, FloorMod, GE, GT, LE, LT, Max, Min, Mod, Mul, NE, Not, Or, Select, Sub,
    Var,
};

use super::interval::Interval;
use super::polynomial::Polynomial;

object_core::variants_of! {
    /// The nodes that are operations, and the constants and variables.
    enum Node of PrimExpr {
        IntImm, Var, Add, Sub, Mul, Div, Mod, FloorDiv, FloorMod, Min, Max, EQ, NE, LT, LE, GT, GE, And, Or, Not,
        Select, Cast, Call,
    }
}

/// An operation, with the same meaning for all integer types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::arith) enum Operation {
    Constant(i64),
    Variable,
    Add,
    Sub,
    Mul,
    FloorDiv,
    FloorMod,
    TruncDiv,
    TruncMod,
    Min,
    Max,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    And,
    Or,
    Not,
    /// Condition, value if true, value if false.
    Select,
    /// Like `Select`; only the chosen value is evaluated.
    IfThenElse,
    Cast,
    /// A call that hints at the value of a condition and returns it.
    Likely,
    ShiftLeft,
    ShiftRight,
    BitwiseAnd,
    /// An expression of another form.
    Opaque,
}

impl Operation {
    /// The operation of an expression with its operands. Operations on other values than integers are opaque.
    pub(in crate::arith) fn of(expr: &PrimExpr) -> (Operation, Vec<&PrimExpr>) {
        let (operation, operands) = view(expr);
        let analysed = |expr: &&PrimExpr| Interval::of_dtype(expr.dtype).is_some();
        if analysed(&expr) && operands.iter().all(analysed) {
            (operation, operands)
        } else {
            (Operation::Opaque, Vec::new())
        }
    }

    /// Whether the result is a truth value by the meaning of the operation.
    pub(in crate::arith) fn is_logic(self) -> bool {
        use Operation::{And, Equal, Less, LessEqual, Not, NotEqual, Or};
        matches!(self, Equal | NotEqual | Less | LessEqual | And | Or | Not)
    }

    /// Whether the operands can change places. The first operand of `and` and `or` guards the second one.
    pub(in crate::arith) fn is_commutative(self) -> bool {
        use Operation::{Add, BitwiseAnd, Equal, Max, Min, Mul, NotEqual};
        matches!(self, Add | Mul | Min | Max | Equal | NotEqual | BitwiseAnd)
    }

    /// The steps of the operation on these operands, apart from its rules. Sums take time in the shorter operand.
    pub(in crate::arith) fn steps(self, operands: &[Polynomial]) -> usize {
        let mut lengths = operands.iter().map(Polynomial::len);
        1 + match self {
            Operation::Add => lengths.min().unwrap_or(0),
            Operation::Sub => lengths.nth(1).unwrap_or(0),
            _ => lengths.sum(),
        }
    }

    /// The exact results for operands whose values are in `range`, the range of their type. A sum or product of sums that
    /// leave the range has any value.
    pub(in crate::arith) fn exact_values(self, range: Interval) -> Interval {
        match self {
            Operation::Add | Operation::Sub | Operation::Mul | Operation::ShiftLeft => Interval::ALL,
            Operation::FloorDiv | Operation::TruncDiv => range.hull(range.negate()),
            _ => range,
        }
    }

    /// Whether the operation evaluates some operands only under a condition.
    pub(in crate::arith) fn is_lazy(self) -> bool {
        matches!(self, Operation::And | Operation::Or | Operation::IfThenElse)
    }
}

fn view(expr: &PrimExpr) -> (Operation, Vec<&PrimExpr>) {
    match Node::of(expr) {
        Node::IntImm(it) if it.value < 0 && it.dtype.code == TypeCode::UINT => (Operation::Opaque, Vec::new()),
        Node::IntImm(it) => (Operation::Constant(it.value), Vec::new()),
        Node::Var(_) => (Operation::Variable, Vec::new()),
        Node::Add(it) => (Operation::Add, vec![&it.a, &it.b]),
        Node::Sub(it) => (Operation::Sub, vec![&it.a, &it.b]),
        Node::Mul(it) => (Operation::Mul, vec![&it.a, &it.b]),
        Node::Div(it) => (Operation::TruncDiv, vec![&it.a, &it.b]),
        Node::Mod(it) => (Operation::TruncMod, vec![&it.a, &it.b]),
        Node::FloorDiv(it) => (Operation::FloorDiv, vec![&it.a, &it.b]),
        Node::FloorMod(it) => (Operation::FloorMod, vec![&it.a, &it.b]),
        Node::Min(it) => (Operation::Min, vec![&it.a, &it.b]),
        Node::Max(it) => (Operation::Max, vec![&it.a, &it.b]),
        Node::EQ(it) => (Operation::Equal, vec![&it.a, &it.b]),
        Node::NE(it) => (Operation::NotEqual, vec![&it.a, &it.b]),
        Node::LT(it) => (Operation::Less, vec![&it.a, &it.b]),
        Node::LE(it) => (Operation::LessEqual, vec![&it.a, &it.b]),
        Node::GT(it) => (Operation::Less, vec![&it.b, &it.a]),
        Node::GE(it) => (Operation::LessEqual, vec![&it.b, &it.a]),
        Node::And(it) => (Operation::And, vec![&it.a, &it.b]),
        Node::Or(it) => (Operation::Or, vec![&it.a, &it.b]),
        Node::Not(it) => (Operation::Not, vec![&it.a]),
        Node::Select(it) => (Operation::Select, vec![&it.condition, &it.true_value, &it.false_value]),
        Node::Cast(it) => (Operation::Cast, vec![&it.value]),
        Node::Call(it) => call(it),
        Node::Other(_) => (Operation::Opaque, Vec::new()),
    }
}

/// The intrinsics without effects whose results depend on their arguments only.
#[rustfmt::skip]
const PURE: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "bitwise_and", "bitwise_not", "bitwise_or",
    "bitwise_xor", "ceil", "clz", "copysign", "cos", "cosh", "erf", "exp", "exp10", "exp2", "fabs", "floor", "fma",
    "fmod", "hypot", "isfinite", "isinf", "isnan", "large_uint_imm", "ldexp", "log", "log10", "log1p", "log2",
    "nearbyint", "popcount", "pow", "q_multiply_shift", "reinterpret", "round", "rsqrt", "sigmoid", "sin", "sinh",
    "sqrt", "tan", "tanh", "trunc",
];

fn call(call: &Call) -> (Operation, Vec<&PrimExpr>) {
    let operation = match (intrinsic(call), call.args.len()) {
        (Some("if_then_else"), 3) => Operation::IfThenElse,
        (Some("likely"), 1) => Operation::Likely,
        (Some("shift_left"), 2) => Operation::ShiftLeft,
        (Some("shift_right"), 2) => Operation::ShiftRight,
        (Some("bitwise_and"), 2) => Operation::BitwiseAnd,
        _ => return (Operation::Opaque, Vec::new()),
    };
    (operation, call.args.as_slice().iter().collect())
}

/// The number of expressions in `expr`, or `None` if one of them is a call that may have an effect, or another result
/// each time.
pub(in crate::arith) fn size_if_pure(expr: &PrimExpr) -> Option<usize> {
    let (mut size, mut is_pure) = (0, true);
    object_core::visit::walk(expr, |part: &PrimExpr, _| {
        size += 1;
        is_pure &=
            part.downcast_ref::<Call>().is_none_or(|part| call(part).0 != Operation::Opaque || has_pure_name(part));
    });
    is_pure.then_some(size)
}

/// The name of the operator of a call, without its prefix.
fn intrinsic(call: &Call) -> Option<&str> {
    call.op.downcast_ref::<Op>().and_then(|op| op.name.strip_prefix("tirx."))
}

fn has_pure_name(call: &Call) -> bool {
    intrinsic(call).is_some_and(|name| PURE.binary_search(&name).is_ok())
}

/// Whether operations on `dtype` never overflow in a correct program, so that they are exact. `int32` and `int64`
/// index arrays; the other integer types wrap around.
pub(in crate::arith) fn is_index(dtype: DataType) -> bool {
    dtype.code == TypeCode::INT && dtype.bits >= 32
}

/// The member of `dtype` that is equal to `value` in its low bits; `None` for other types than integers.
pub(in crate::arith) fn wrap(value: i128, dtype: DataType) -> Option<i128> {
    let range = Interval::of_dtype(dtype)?;
    if dtype.code == TypeCode::BOOL {
        return Some(i128::from(value != 0));
    }
    Some(value.checked_sub(range.lo?)?.rem_euclid(1 << dtype.bits) + range.lo?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pure_intrinsics_are_sorted_operators() {
        assert!(PURE.is_sorted(), "binary search needs sorted names");
        for name in PURE {
            assert!(Op::get(format!("tirx.{name}").as_str()).is_ok(), "`tirx.{name}` is not an operator");
        }
    }
}
