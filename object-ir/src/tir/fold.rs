//! Folding of constants: the results of operations on two scalars that are not new nodes (TVM 0.25
//! src/arith/const_fold.h and src/tirx/op/op.cc).
//!
//! The functions of [`tir`](crate::tir) fold integers if the type has the exact result. The functions of this module do
//! what the constructors of TVM do: integers wrap around, and constants change their type whatever their value is. The
//! operators of a script stand for these constructors, so the text uses an operator only if its constructor makes the same
//! node.

use object_core::prelude::*;
use object_core::scalar::TypeCode;

use crate::ir::expr::{FloatImm, FloatImmNode, IntImm, IntImmNode, PrimExpr};
use crate::tir::arith::{Add, Div, FloorDiv, FloorMod, Max, Min, Mod, Mul, Sub};
use crate::tir::compare::{And, EQ, GE, GT, LE, LT, NE, Or};
use crate::tir::expr::Cast;
use crate::tir::operand::{common_type, constant, has_integer, with_common_lanes};

/// An operation on two scalars that folds constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the operations")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    TruncMod,
    FloorMod,
    Min,
    Max,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
}

/// A constant that is the result of an operation on two constants.
enum Folded {
    Int(i128),
    Float(f64),
    Truth(bool),
}

impl BinaryOp {
    /// The node of the operation. The operands have one type.
    fn node(self, a: PrimExpr, b: PrimExpr) -> PrimExpr {
        let dtype = a.dtype;
        let truth = DataType { raw_lanes: dtype.raw_lanes, ..DataType::boolean() };
        match self {
            BinaryOp::Add => Add::new(dtype, a, b).into(),
            BinaryOp::Sub => Sub::new(dtype, a, b).into(),
            BinaryOp::Mul => Mul::new(dtype, a, b).into(),
            BinaryOp::Div => Div::new(dtype, a, b).into(),
            BinaryOp::FloorDiv => FloorDiv::new(dtype, a, b).into(),
            BinaryOp::TruncMod => Mod::new(dtype, a, b).into(),
            BinaryOp::FloorMod => FloorMod::new(dtype, a, b).into(),
            BinaryOp::Min => Min::new(dtype, a, b).into(),
            BinaryOp::Max => Max::new(dtype, a, b).into(),
            BinaryOp::Equal => EQ::new(truth, a, b).into(),
            BinaryOp::NotEqual => NE::new(truth, a, b).into(),
            BinaryOp::Less => LT::new(truth, a, b).into(),
            BinaryOp::LessEqual => LE::new(truth, a, b).into(),
            BinaryOp::Greater => GT::new(truth, a, b).into(),
            BinaryOp::GreaterEqual => GE::new(truth, a, b).into(),
            BinaryOp::And => And::new(truth, a, b).into(),
            BinaryOp::Or => Or::new(truth, a, b).into(),
        }
    }

    /// The result for two integers; `None` for a division by 0.
    fn of_integers(self, a: i128, b: i128) -> Option<Folded> {
        Some(Folded::Int(match self {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a.checked_div(b)?,
            BinaryOp::FloorDiv => a.checked_div_euclid(b)? - i128::from(b < 0 && a.rem_euclid(b) != 0),
            BinaryOp::TruncMod => a.checked_rem(b)?,
            BinaryOp::FloorMod if b < 0 => -(-a).rem_euclid(-b),
            BinaryOp::FloorMod => a.checked_rem_euclid(b)?,
            BinaryOp::Min => a.min(b),
            BinaryOp::Max => a.max(b),
            _ => return self.compared(&a, &b),
        }))
    }

    /// The result for two numbers of the type `dtype`.
    fn of_floats(self, a: f64, b: f64, dtype: DataType) -> Option<Folded> {
        // Rounding the exact result of two numbers with 32 bits gives what arithmetic with 32 bits gives.
        #[expect(clippy::cast_possible_truncation, reason = "a constant of type `float32` has 32 bits")]
        let rounded = |value: f64| if dtype.bits == 32 { f64::from(value as f32) } else { value };
        let (x, y) = (rounded(a), rounded(b));
        let value = match self {
            BinaryOp::Add => x + y,
            BinaryOp::Sub => x - y,
            BinaryOp::Mul => x * y,
            BinaryOp::Div if y != 0.0 => x / y,
            BinaryOp::FloorDiv if y != 0.0 => rounded(x / y).floor(),
            BinaryOp::Min => x.min(y),
            BinaryOp::Max => x.max(y),
            _ => return self.compared(&a, &b),
        };
        let is_folded = dtype.code == TypeCode::FLOAT && matches!(dtype.bits, 32 | 64);
        is_folded.then(|| Folded::Float(rounded(value)))
    }

    /// The result of a comparison of constants.
    fn compared<T: PartialOrd>(self, a: &T, b: &T) -> Option<Folded> {
        Some(Folded::Truth(match self {
            BinaryOp::Less => a < b,
            BinaryOp::LessEqual => a <= b,
            BinaryOp::Greater => a > b,
            BinaryOp::GreaterEqual => a >= b,
            BinaryOp::Equal => a == b,
            BinaryOp::NotEqual => a != b,
            _ => return None,
        }))
    }

    /// The result if one operand is a constant that decides it.
    fn identity(self, a: &PrimExpr, b: &PrimExpr) -> Option<PrimExpr> {
        use BinaryOp::{Add, Div, FloorDiv, FloorMod, Mul, Sub, TruncMod};
        let operand = match (self, unit(a), unit(b)) {
            (BinaryOp::And | BinaryOp::Or, ..) => self.connective(a, b)?,
            (Div | FloorDiv | TruncMod | FloorMod, _, Some(0)) => return None,
            (TruncMod | FloorMod, Some(0), _) | (TruncMod | FloorMod, _, Some(1)) => return constant(a.dtype, 0),
            (Add, Some(0), _) | (Mul, Some(1), _) | (Mul, _, Some(0)) => b,
            (Add | Sub, _, Some(0)) | (Mul | Div | FloorDiv, _, Some(1)) | (Mul | Div | FloorDiv, Some(0), _) => a,
            _ => return None,
        };
        Some(operand.clone())
    }

    /// The operand that is the result of `and` or `or`, if one of them is a constant.
    fn connective<'e>(self, a: &'e PrimExpr, b: &'e PrimExpr) -> Option<&'e PrimExpr> {
        let is_neutral = |value: i64| (value != 0) == (self == BinaryOp::And);
        match (int(a), int(b)) {
            (Some(value), _) => Some(if is_neutral(value) { b } else { a }),
            (None, Some(value)) => Some(if is_neutral(value) { a } else { b }),
            (None, None) => None,
        }
    }
}

/// The constant or operand that is the result for operands of one type. `integer` is the constant for an exact result.
fn folded(op: BinaryOp, a: &PrimExpr, b: &PrimExpr, integer: fn(DataType, i128) -> Option<i64>) -> Option<PrimExpr> {
    let dtype = a.dtype;
    let constant = match int(a).zip(int(b)) {
        Some((x, y)) => op.of_integers(x.into(), y.into()),
        None => float(a).zip(float(b)).and_then(|(x, y)| op.of_floats(x, y, dtype)),
    };
    let constant = constant.and_then(|constant| match constant {
        Folded::Int(value) => integer(dtype, value).map(|value| IntImm::new(dtype, value).into()),
        Folded::Float(value) => Some(FloatImm::new(dtype, value).into()),
        Folded::Truth(value) => Some(IntImm::new(DataType::boolean(), i64::from(value)).into()),
    });
    constant.or_else(|| op.identity(a, b))
}

/// The operation on operands of one type: a constant that the type has, an operand, or a new node.
pub(crate) fn exact(op: BinaryOp, a: PrimExpr, b: PrimExpr) -> PrimExpr {
    let exact = |dtype, value| i64::try_from(value).ok().filter(|_| has_integer(dtype, value));
    folded(op, &a, &b, exact).unwrap_or_else(|| op.node(a, b))
}

/// The result of TVM's constructor for operands of one type, if it is not a new node.
fn constructed(op: BinaryOp, a: &PrimExpr, b: &PrimExpr) -> Option<PrimExpr> {
    if op == BinaryOp::FloorMod && !is_index(a.dtype) { None } else { folded(op, a, b, wrapped) }
}

/// Whether TVM rejects the operation, because it divides by 0.
fn is_rejected(op: BinaryOp, a: &PrimExpr, b: &PrimExpr) -> bool {
    let divides = matches!(op, BinaryOp::Div | BinaryOp::FloorDiv) || op == BinaryOp::FloorMod && is_index(a.dtype);
    divides && unit(b) == Some(0)
}

/// Whether the constructor for `op` makes the node of `op` with exactly these operands.
#[must_use]
pub fn keeps(op: BinaryOp, a: &PrimExpr, b: &PrimExpr) -> bool {
    let accepts = match op {
        BinaryOp::And | BinaryOp::Or => a.dtype.code == TypeCode::BOOL,
        BinaryOp::FloorDiv | BinaryOp::FloorMod => is_integer(a.dtype),
        _ => true,
    };
    // With different types, the constructor converts an operand.
    a.dtype == b.dtype && accepts && !is_rejected(op, a, b) && constructed(op, a, b).is_none()
}

/// The result of the constructor for `op`: a constant, an operand, or a new node.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) for operands that TVM rejects, and [`OutOfRange`](ErrorKind::OutOfRange) for a
/// division by the constant 0.
pub fn binary(op: BinaryOp, a: &PrimExpr, b: &PrimExpr) -> Result<PrimExpr, Error> {
    let is_bool = |expr: &PrimExpr| expr.dtype.code == TypeCode::BOOL || expr.dtype == DataType::uint(1);
    let types = |expected: &str| {
        let message = format!("expected {expected}, got `{}` and `{}`", a.dtype, b.dtype);
        Err(Error::new(ErrorKind::TypeMismatch, message))
    };
    match op {
        BinaryOp::And | BinaryOp::Or if !is_bool(a) || !is_bool(b) => return types("two truth values"),
        BinaryOp::FloorDiv | BinaryOp::FloorMod if !is_integer(a.dtype) || !is_integer(b.dtype) => {
            return types("two integers");
        }
        _ => {}
    }
    if a.dtype.code == TypeCode::HANDLE || b.dtype.code == TypeCode::HANDLE {
        if !matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) || a.dtype != b.dtype {
            return types("numbers");
        }
    } else if a.dtype.lanes() != b.dtype.lanes() && a.dtype.lanes() != 1 && b.dtype.lanes() != 1 {
        return types("vectors of one length");
    }
    let (a, b) = matched(a, b);
    if is_rejected(op, &a, &b) {
        return Err(Error::new(ErrorKind::OutOfRange, "division by 0"));
    }
    Ok(constructed(op, &a, &b).unwrap_or_else(|| op.node(a, b)))
}

/// `a + b`, also for operands that TVM rejects.
#[must_use]
pub fn add(a: &PrimExpr, b: &PrimExpr) -> PrimExpr {
    unchecked(BinaryOp::Add, a, b)
}

/// `a * b`, also for operands that TVM rejects.
#[must_use]
pub fn mul(a: &PrimExpr, b: &PrimExpr) -> PrimExpr {
    unchecked(BinaryOp::Mul, a, b)
}

fn unchecked(op: BinaryOp, a: &PrimExpr, b: &PrimExpr) -> PrimExpr {
    let (a, b) = matched(a, b);
    constructed(op, &a, &b).unwrap_or_else(|| op.node(a, b))
}

/// The value converted to `dtype`. A constant becomes a constant, whether or not the type has its value.
#[must_use]
pub fn cast(dtype: DataType, value: &PrimExpr) -> PrimExpr {
    let is_float = matches!(dtype.code, TypeCode::FLOAT | TypeCode::BFLOAT);
    match (int(value), float(value)) {
        #[expect(clippy::cast_precision_loss, reason = "a constant of a floating-point type is rounded")]
        (Some(int), _) if is_float => FloatImm::new(dtype, int as f64).into(),
        (Some(int), _) => IntImm::new(dtype, int).into(),
        (None, Some(float)) if is_float => FloatImm::new(dtype, float).into(),
        _ => Cast::new(dtype, value).into(),
    }
}

/// The operands with one type (TVM's `BinaryOpMatchTypes`). Of types without a common one, the left one counts.
fn matched(a: &PrimExpr, b: &PrimExpr) -> (PrimExpr, PrimExpr) {
    let (a, b) = with_common_lanes(a.clone(), b.clone());
    if a.dtype == b.dtype || a.dtype.raw_lanes != b.dtype.raw_lanes {
        return (a, b);
    }
    if common_type(a.dtype, b.dtype) == Some(b.dtype) {
        return (cast(b.dtype, &a), b);
    }
    let b = cast(a.dtype, &b);
    (a, b)
}

/// The value of a constant integer.
#[must_use]
pub fn int(expr: &PrimExpr) -> Option<i64> {
    expr.as_object().view().node::<IntImmNode>().map(|imm| imm.value)
}

fn float(expr: &PrimExpr) -> Option<f64> {
    expr.as_object().view().node::<FloatImmNode>().map(|imm| imm.value)
}

/// The constant 0 or 1.
fn unit(expr: &PrimExpr) -> Option<u8> {
    if let Some(number) = int(expr) {
        return u8::try_from(number).ok().filter(|value| *value <= 1);
    }
    let value = float(expr)?;
    if value == 0.0 { Some(0) } else { (value == 1.0).then_some(1) }
}

/// Whether both expressions are the same.
#[must_use]
pub fn same_scalar(a: &PrimExpr, b: &PrimExpr) -> bool {
    // Most scalars are constants, which need no comparison of graphs.
    match int(a).zip(int(b)) {
        Some((x, y)) => x == y && a.dtype == b.dtype,
        None => a.ptr_eq(b) || structural_equal(a, b),
    }
}

/// The quotient, rounded towards negative infinity; `None` for a division by 0.
#[must_use]
pub fn floor_div(a: i64, b: i64) -> Option<i64> {
    (b != 0).then(|| a.wrapping_div(b) - i64::from(a.wrapping_rem(b) != 0 && (a < 0) != (b < 0)))
}

/// Whether the type has integers and no truth values.
#[must_use]
pub fn is_integer(dtype: DataType) -> bool {
    matches!(dtype.code, TypeCode::INT | TypeCode::UINT)
}

/// Whether the type is one of indices, for which TVM folds remainders.
fn is_index(dtype: DataType) -> bool {
    dtype == DataType::int(32) || dtype == DataType::int(64)
}

/// The value that an integer of the type has after overflow.
#[expect(clippy::unnecessary_wraps, reason = "`exact` has no result then")]
fn wrapped(dtype: DataType, value: i128) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "the low bits count")]
    let value = value as i64;
    let bits = u32::from(dtype.bits);
    if bits == 0 || bits >= 64 {
        return Some(value);
    }
    let low = value & ((1 << bits) - 1);
    let sign = 1_i64 << (bits - 1);
    Some(if dtype.code == TypeCode::INT && low & sign != 0 { low - (1 << bits) } else { low })
}

#[cfg(test)]
mod tests {
    use crate::ir::ty::PrimType;
    use crate::tir::Var;

    use super::*;

    fn var(dtype: DataType) -> PrimExpr {
        Var::new(dtype, "n", PrimType::new(dtype)).into()
    }

    fn number(value: i64) -> PrimExpr {
        IntImm::new(DataType::int(64), value).into()
    }

    #[test]
    fn constants_and_neutral_operands_fold() {
        let n = var(DataType::int(64));
        let keeps = |op, a: &PrimExpr, b: &PrimExpr| keeps(op, a, b);
        assert!(keeps(BinaryOp::Add, &n, &number(1)) && keeps(BinaryOp::Sub, &number(0), &n));
        assert!(!keeps(BinaryOp::Add, &n, &number(0)) && !keeps(BinaryOp::Add, &number(1), &number(2)));
        assert!(!keeps(BinaryOp::Mul, &n, &number(1)) && !keeps(BinaryOp::FloorMod, &n, &number(1)));
        assert!(!keeps(BinaryOp::FloorDiv, &n, &number(0)), "TVM rejects it");
        assert!(!keeps(BinaryOp::Add, &n, &var(DataType::int(32))), "TVM converts an operand");
        assert!(keeps(BinaryOp::Less, &n, &number(1)) && !keeps(BinaryOp::Less, &number(0), &number(1)));
        assert!(!keeps(BinaryOp::And, &n, &n), "TVM rejects it");
    }

    #[test]
    fn sums_have_the_wider_type_and_wrap() {
        let narrow = var(DataType::int(32));
        let sum = add(&narrow, &number(1));
        assert_eq!(sum.dtype, DataType::int(64));
        let imm = |value, bits| PrimExpr::from(IntImm::new(DataType::int(bits), value));
        assert_eq!(int(&add(&imm(i64::from(i32::MAX), 32), &imm(1, 32))), Some(i64::from(i32::MIN)));
        assert_eq!(int(&mul(&imm(100, 8), &imm(2, 8))), Some(-56));
        assert_eq!(int(&add(&imm(2, 32), &imm(3, 64))), Some(5));
    }
}
