//! Operations on scalar expressions, with the folding of constants that TVM's operators do.

use object_core::prelude::*;
use object_core::scalar::TypeCode;

use crate::ir::expr::{FloatImm, IntImm, PrimExpr};
use crate::tir::arith::{Add, Div, FloorDiv, FloorMod, Max, Min, Mod, Mul, Sub};
use crate::tir::compare::{And, EQ, GE, GT, LE, LT, NE, Not, Or};
use crate::tir::expr::Select;
use crate::tir::operand::{IntoPrimExpr, constant, has_integer, with_common_type};

/// How an operation computes with constants, and which operands decide its result.
struct Folding {
    /// The result for two integers. `None` if there is no result; a result out of range is not folded either.
    integers: fn(i128, i128) -> Option<i128>,
    /// The result for two numbers with 64 bits.
    floats: fn(f64, f64) -> Option<f64>,
    /// The result for two numbers with 32 bits.
    short_floats: fn(f32, f32) -> Option<f32>,
    /// The result if one operand is the constant 0 or 1.
    identity: fn(Units) -> Side,
}

/// Whether an operand is the constant 0 or 1.
#[derive(Clone, Copy)]
struct Units {
    a: Option<u8>,
    b: Option<u8>,
}

/// One of the operands, or a constant.
enum Side {
    A,
    B,
    Zero,
    Neither,
}

/// Converts the operands to a common type, and folds constants.
fn fold(
    a: impl IntoPrimExpr,
    b: impl IntoPrimExpr,
    folding: &Folding,
    node: fn(DataType, PrimExpr, PrimExpr) -> PrimExpr,
) -> Result<PrimExpr, Error> {
    let (a, b) = operands(a, b)?;
    let dtype = a.dtype;
    if let Some((x, y)) = integers(&a, &b) {
        let folded = (folding.integers)(x, y).filter(|value| has_integer(dtype, *value));
        if let Some(value) = folded.and_then(|value| i64::try_from(value).ok()) {
            return Ok(IntImm::new(dtype, value).into());
        }
    } else if let Some((x, y)) = floats(&a, &b) {
        #[expect(clippy::cast_possible_truncation, reason = "a constant of type `float32` has 32 bits")]
        let folded = match dtype.bits {
            32 => (folding.short_floats)(x as f32, y as f32).map(f64::from),
            64 => (folding.floats)(x, y),
            _ => None,
        };
        if let Some(value) = folded.filter(|_| dtype.code == TypeCode::FLOAT) {
            return Ok(FloatImm::new(dtype, value).into());
        }
    }
    Ok(match (folding.identity)(Units { a: unit(&a), b: unit(&b) }) {
        Side::A => a,
        Side::B => b,
        Side::Zero => constant(dtype, 0).unwrap_or_else(|| node(dtype, a, b)),
        Side::Neither => node(dtype, a, b),
    })
}

/// Both operands as expressions of one type. A number takes the type of the other operand.
fn operands(a: impl IntoPrimExpr, b: impl IntoPrimExpr) -> Result<(PrimExpr, PrimExpr), Error> {
    let known = a.own_dtype().or(b.own_dtype()).unwrap_or(DataType::int(64));
    with_common_type(a.into_prim_expr(known), b.into_prim_expr(known))
}

fn integers(a: &PrimExpr, b: &PrimExpr) -> Option<(i128, i128)> {
    Some((a.downcast_ref::<IntImm>()?.value.into(), b.downcast_ref::<IntImm>()?.value.into()))
}

fn floats(a: &PrimExpr, b: &PrimExpr) -> Option<(f64, f64)> {
    Some((a.downcast_ref::<FloatImm>()?.value, b.downcast_ref::<FloatImm>()?.value))
}

fn unit(expr: &PrimExpr) -> Option<u8> {
    if let Some(number) = expr.downcast_ref::<IntImm>() {
        return u8::try_from(number.value).ok().filter(|value| *value <= 1);
    }
    let value = expr.downcast_ref::<FloatImm>()?.value;
    if value == 0.0 { Some(0) } else { (value == 1.0).then_some(1) }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident $Node:ident { $integers:expr, $floats:expr, $short:expr, $identity:expr })+) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`TypeMismatch`](ErrorKind::TypeMismatch) if the types of the operands have no common type.
            pub fn $name(a: impl IntoPrimExpr, b: impl IntoPrimExpr) -> Result<PrimExpr, Error> {
                let folding =
                    Folding { integers: $integers, floats: $floats, short_floats: $short, identity: $identity };
                fold(a, b, &folding, |dtype, a, b| $Node::new(dtype, a, b).into())
            }
        )+
    };
}

operations! {
    /// The sum `a + b`.
    add Add {
        i128::checked_add, |a, b| Some(a + b), |a, b| Some(a + b),
        |units| match units {
            Units { a: Some(0), .. } => Side::B,
            Units { b: Some(0), .. } => Side::A,
            _ => Side::Neither,
        }
    }
    /// The difference `a - b`.
    sub Sub {
        i128::checked_sub, |a, b| Some(a - b), |a, b| Some(a - b),
        |units| if units.b == Some(0) { Side::A } else { Side::Neither }
    }
    /// The product `a * b`.
    mul Mul {
        i128::checked_mul, |a, b| Some(a * b), |a, b| Some(a * b),
        |units| match units {
            Units { a: Some(1), .. } | Units { b: Some(0), .. } => Side::B,
            Units { b: Some(1), .. } | Units { a: Some(0), .. } => Side::A,
            _ => Side::Neither,
        }
    }
    /// The quotient `a / b`; of integers, rounded towards zero. A quotient by the constant 0 stays as it is.
    div Div {
        i128::checked_div, |a, b| (b != 0.0).then(|| a / b), |a, b| (b != 0.0).then(|| a / b), quotient
    }
    /// The quotient of `a` and `b` rounded down. A quotient by the constant 0 stays as it is.
    floor_div FloorDiv {
        |a, b| (b != 0).then(|| a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0)),
        |a, b| (b != 0.0).then(|| (a / b).floor()), |a, b| (b != 0.0).then(|| (a / b).floor()), quotient
    }
    /// The remainder of [`div`], with the sign of `a`.
    trunc_mod Mod { i128::checked_rem, |_, _| None, |_, _| None, remainder }
    /// The remainder of [`floor_div`], with the sign of `b`.
    floor_mod FloorMod {
        |a, b| (b != 0).then(|| if b < 0 { -(-a).rem_euclid(-b) } else { a.rem_euclid(b) }),
        |_, _| None, |_, _| None, remainder
    }
    /// The smaller of `a` and `b`.
    min Min { |a, b| Some(a.min(b)), |a, b| Some(a.min(b)), |a, b| Some(a.min(b)), |_| Side::Neither }
    /// The larger of `a` and `b`.
    max Max { |a, b| Some(a.max(b)), |a, b| Some(a.max(b)), |a, b| Some(a.max(b)), |_| Side::Neither }
}

fn quotient(units: Units) -> Side {
    match units {
        Units { b: Some(0), .. } => Side::Neither,
        Units { a: Some(0), .. } | Units { b: Some(1), .. } => Side::A,
        _ => Side::Neither,
    }
}

fn remainder(units: Units) -> Side {
    match units {
        Units { b: Some(0), .. } => Side::Neither,
        Units { a: Some(0), .. } | Units { b: Some(1), .. } => Side::Zero,
        _ => Side::Neither,
    }
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

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident $Node:ident $operator:tt)+) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`TypeMismatch`](ErrorKind::TypeMismatch) if the types of the operands have no common type.
            pub fn $name(a: impl IntoPrimExpr, b: impl IntoPrimExpr) -> Result<PrimExpr, Error> {
                let (a, b) = operands(a, b)?;
                let verdict = integers(&a, &b)
                    .map(|(a, b)| a $operator b)
                    .or_else(|| floats(&a, &b).map(|(a, b)| a $operator b));
                Ok(match verdict {
                    Some(verdict) => truth(verdict),
                    None => $Node::new(truth_type(&a), a, b).into(),
                })
            }
        )+
    };
}

comparisons! {
    /// Whether `a == b`.
    equal EQ ==
    /// Whether `a != b`.
    not_equal NE !=
    /// Whether `a < b`.
    less LT <
    /// Whether `a <= b`.
    less_equal LE <=
    /// Whether `a > b`.
    greater GT >
    /// Whether `a >= b`.
    greater_equal GE >=
}

fn truth(value: bool) -> PrimExpr {
    IntImm::new(DataType::boolean(), i64::from(value)).into()
}

/// The type of a comparison of values like `operand`, with as many lanes.
fn truth_type(operand: &PrimExpr) -> DataType {
    DataType { raw_lanes: operand.dtype.raw_lanes, ..DataType::boolean() }
}

macro_rules! connectives {
    ($($(#[$doc:meta])* $name:ident $Node:ident $neutral:literal)+) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            /// [`TypeMismatch`](ErrorKind::TypeMismatch) if an operand is not a truth value.
            pub fn $name(a: &PrimExpr, b: &PrimExpr) -> Result<PrimExpr, Error> {
                let known = [known_truth(a)?, known_truth(b)?];
                Ok(match known {
                    [Some(known), _] if known == $neutral => b.clone(),
                    [Some(_), _] => a.clone(),
                    [_, Some(known)] if known == $neutral => a.clone(),
                    [_, Some(_)] => b.clone(),
                    [None, None] => $Node::new(truth_type(a), a, b).into(),
                })
            }
        )+
    };
}

connectives! {
    /// Whether both conditions are true.
    and And true
    /// Whether at least one of two conditions is true.
    or Or false
}

/// Whether a condition is false.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) if the operand is not a truth value.
pub fn not(a: &PrimExpr) -> Result<PrimExpr, Error> {
    Ok(match known_truth(a)? {
        Some(value) => truth(!value),
        None => Not::new(truth_type(a), a).into(),
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
