//! Operations on scalar expressions, with the folding of constants that TVM's operators do.

use object_core::prelude::*;
use object_core::scalar::TypeCode;

use crate::ir::expr::{IntImm, PrimExpr};
use crate::tir::compare::Not;
use crate::tir::expr::Select;
use crate::tir::fold::{BinaryOp, exact};
use crate::tir::operand::{IntoPrimExpr, with_common_type};

/// Both operands as expressions of one type. A number takes the type of the other operand.
fn operands(a: impl IntoPrimExpr, b: impl IntoPrimExpr) -> Result<(PrimExpr, PrimExpr), Error> {
    let known = a.own_dtype().or(b.own_dtype()).unwrap_or(DataType::int(64));
    with_common_type(a.into_prim_expr(known), b.into_prim_expr(known))
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident $Op:ident)+) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`TypeMismatch`](ErrorKind::TypeMismatch) if the types of the operands have no common type.
            pub fn $name(a: impl IntoPrimExpr, b: impl IntoPrimExpr) -> Result<PrimExpr, Error> {
                let (a, b) = operands(a, b)?;
                Ok(exact(BinaryOp::$Op, a, b))
            }
        )+
    };
}

operations! {
    /// The sum `a + b`.
    add Add
    /// The difference `a - b`.
    sub Sub
    /// The product `a * b`.
    mul Mul
    /// The quotient `a / b`; of integers, rounded towards zero. A quotient by the constant 0 stays as it is.
    div Div
    /// The quotient of `a` and `b` rounded down. A quotient by the constant 0 stays as it is.
    floor_div FloorDiv
    /// The remainder of [`div`], with the sign of `a`.
    trunc_mod TruncMod
    /// The remainder of [`floor_div`], with the sign of `b`.
    floor_mod FloorMod
    /// The smaller of `a` and `b`.
    min Min
    /// The larger of `a` and `b`.
    max Max
    /// Whether `a == b`.
    equal Equal
    /// Whether `a != b`.
    not_equal NotEqual
    /// Whether `a < b`.
    less Less
    /// Whether `a <= b`.
    less_equal LessEqual
    /// Whether `a > b`.
    greater Greater
    /// Whether `a >= b`.
    greater_equal GreaterEqual
}

/// The quotient of `a` and a positive `b` rounded up, as `(a + b - 1) // b`.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) if the types of the operands have no common type.
pub fn ceil_div(a: impl IntoPrimExpr, b: impl IntoPrimExpr) -> Result<PrimExpr, Error> {
    let (a, b) = operands(a, b)?;
    floor_div(sub(add(a, &b)?, 1)?, b)
}

/// The number with the other sign, `0 - a`.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) if the operand is not a number.
pub fn neg(a: impl IntoPrimExpr) -> Result<PrimExpr, Error> {
    sub(0, a)
}

/// Whether both conditions are true.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) if an operand is not a truth value.
pub fn and(a: &PrimExpr, b: &PrimExpr) -> Result<PrimExpr, Error> {
    connective(BinaryOp::And, a, b)
}

/// Whether at least one of two conditions is true.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) if an operand is not a truth value.
pub fn or(a: &PrimExpr, b: &PrimExpr) -> Result<PrimExpr, Error> {
    connective(BinaryOp::Or, a, b)
}

fn connective(op: BinaryOp, a: &PrimExpr, b: &PrimExpr) -> Result<PrimExpr, Error> {
    known_truth(a)?;
    known_truth(b)?;
    Ok(exact(op, a.clone(), b.clone()))
}

/// Whether a condition is false.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) if the operand is not a truth value.
pub fn not(a: &PrimExpr) -> Result<PrimExpr, Error> {
    Ok(match known_truth(a)? {
        Some(value) => IntImm::new(DataType::boolean(), i64::from(!value)).into(),
        None => Not::new(DataType { raw_lanes: a.dtype.raw_lanes, ..DataType::boolean() }, a).into(),
    })
}

/// The value of `a` if it is a constant, or an error if it is not a truth value.
fn known_truth(a: &PrimExpr) -> Result<Option<bool>, Error> {
    if a.dtype.code == TypeCode::BOOL {
        return Ok(a.downcast_ref::<IntImm>().map(|it| it.value != 0));
    }
    Err(Error::new(
        ErrorKind::TypeMismatch,
        format!("expected a condition of type `bool`, got type `{:?}`; compare the value with 0", a.dtype),
    ))
}

/// One of two values; both are evaluated.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) if the condition is not a truth value, or the values have no common type.
pub fn select(
    condition: &PrimExpr,
    if_true: impl IntoPrimExpr,
    if_false: impl IntoPrimExpr,
) -> Result<PrimExpr, Error> {
    let known = known_truth(condition)?;
    let (if_true, if_false) = operands(if_true, if_false)?;
    Ok(match known {
        Some(true) => if_true,
        Some(false) => if_false,
        None => Select::new(if_true.dtype, condition, if_true, if_false).into(),
    })
}
