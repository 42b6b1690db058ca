//! Operands of scalar operations: [`IntoPrimExpr`], constants, casts, and the common type of two operands.

use object_core::prelude::*;
use object_core::scalar::TypeCode;

use crate::ir::expr::{FloatImm, IntImm, PrimExpr};
use crate::tir::arith::{Add, Div, FloorDiv, FloorMod, Max, Min, Mod, Mul, Sub};
use crate::tir::compare::{And, EQ, GE, GT, LE, LT, NE, Not, Or};
use crate::tir::expr::{Broadcast, Call, Cast, Select, SizeVar, Var};

/// A value that stands for a scalar expression: an expression, a variable, or a number.
pub trait IntoPrimExpr {
    /// The expression. A number becomes a constant of the type `dtype`, or of `int64` if `dtype` does not have the
    /// number. An expression keeps its own type.
    fn into_prim_expr(self, dtype: DataType) -> PrimExpr;

    /// The type of an expression; `None` for a number.
    fn own_dtype(&self) -> Option<DataType>;
}

macro_rules! expressions {
    ($($Handle:ident)+) => {
        $(
            impl IntoPrimExpr for $Handle {
                fn into_prim_expr(self, _: DataType) -> PrimExpr {
                    self.into()
                }

                fn own_dtype(&self) -> Option<DataType> {
                    Some(self.dtype)
                }
            }
            impl IntoPrimExpr for &$Handle {
                fn into_prim_expr(self, _: DataType) -> PrimExpr {
                    self.into()
                }

                fn own_dtype(&self) -> Option<DataType> {
                    Some(self.dtype)
                }
            }
        )+
    };
}
expressions! {
    PrimExpr Var SizeVar IntImm FloatImm Add Sub Mul Div Mod FloorDiv FloorMod Min Max EQ NE LT LE GT GE And Or Not
    Select Cast Call
}

macro_rules! numbers {
    ($($Number:ident)+) => {
        $(
            impl IntoPrimExpr for $Number {
                fn into_prim_expr(self, dtype: DataType) -> PrimExpr {
                    number(i64::from(self), dtype)
                }

                fn own_dtype(&self) -> Option<DataType> {
                    None
                }
            }
        )+
    };
}
numbers! { i64 i32 u32 }

fn number(value: i64, dtype: DataType) -> PrimExpr {
    let scalar = DataType { raw_lanes: 1, ..dtype };
    let typed = (dtype.code != TypeCode::BOOL).then(|| constant(scalar, value)).flatten();
    typed.unwrap_or_else(|| IntImm::new(DataType::int(64), value).into())
}

/// The constant `value` of a scalar type of numbers. `None` if the type does not have the number, or is not a type of
/// numbers.
#[must_use]
pub fn constant(dtype: DataType, value: i64) -> Option<PrimExpr> {
    if dtype.lanes() != 1 {
        return None;
    }
    if float_rank(dtype).is_some_and(|rank| rank > 0) {
        #[expect(clippy::cast_precision_loss, reason = "a constant of a floating-point type is rounded")]
        return Some(FloatImm::new(dtype, value as f64).into());
    }
    has_integer(dtype, value.into()).then(|| IntImm::new(dtype, value).into())
}

/// Whether an integer type has the number.
pub(crate) fn has_integer(dtype: DataType, value: i128) -> bool {
    let bits = u32::from(dtype.bits.clamp(1, 64));
    match dtype.code {
        TypeCode::INT => (-(1_i128 << (bits - 1))..1 << (bits - 1)).contains(&value),
        TypeCode::UINT => (0..1_i128 << bits).contains(&value),
        TypeCode::BOOL => (0..=1).contains(&value),
        _ => false,
    }
}

/// The expression converted to `dtype`: a constant becomes a constant if `dtype` has its value, other expressions get
/// a [`Cast`].
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) if one of the types is an address and the other is not, or if the numbers
/// of lanes differ.
pub fn cast(dtype: DataType, value: impl IntoPrimExpr) -> Result<PrimExpr, Error> {
    let value = value.into_prim_expr(dtype);
    if value.dtype == dtype {
        return Ok(value);
    }
    if value.dtype.lanes() != dtype.lanes() || [value.dtype, dtype].iter().any(|dtype| dtype.code == TypeCode::HANDLE) {
        return Err(Error::new(
            ErrorKind::TypeMismatch,
            format!("a value of type `{:?}` cannot be cast to `{dtype:?}`", value.dtype),
        ));
    }
    let number = value.downcast_ref::<IntImm>().map(|it| it.value);
    Ok(number.and_then(|number| constant(dtype, number)).unwrap_or_else(|| Cast::new(dtype, value).into()))
}

/// The two operands of an operation, converted to their common type, by the rules of TVM 0.25
/// (`BinaryOpMatchTypes` in `src/tirx/op/op.cc`): a scalar is repeated for each lane of a vector, integers become
/// floating-point numbers, and the narrower type becomes the wider one.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) if there is no common type.
pub fn with_common_type(a: PrimExpr, b: PrimExpr) -> Result<(PrimExpr, PrimExpr), Error> {
    if a.dtype == b.dtype {
        return Ok((a, b));
    }
    // The lanes of scalable vectors are negative.
    let (a, b) = if a.dtype.lanes().min(b.dtype.lanes()) > 0 { with_common_lanes(a, b) } else { (a, b) };
    let Some(common) = common_type(a.dtype, b.dtype) else {
        return Err(Error::new(
            ErrorKind::TypeMismatch,
            format!("operands of types `{:?}` and `{:?}` have no common type; cast one of them", a.dtype, b.dtype),
        ));
    };
    Ok((cast(common, a)?, cast(common, b)?))
}

/// The operands; a scalar is repeated for each lane of a vector.
pub(crate) fn with_common_lanes(a: PrimExpr, b: PrimExpr) -> (PrimExpr, PrimExpr) {
    match (a.dtype.lanes(), b.dtype.lanes()) {
        (1, 1) => (a, b),
        (1, lanes) => (repeat(a, lanes), b),
        (lanes, 1) => (a, repeat(b, lanes)),
        _ => (a, b),
    }
}

fn repeat(scalar: PrimExpr, lanes: i16) -> PrimExpr {
    let dtype = DataType { raw_lanes: lanes.cast_unsigned(), ..scalar.dtype };
    Broadcast::new(dtype, scalar, IntImm::new(DataType::int(32), i64::from(lanes))).into()
}

/// The kinds of numbers: of two operands, the one with the lower rank is cast. 0 for integers and truth values; `None`
/// for types that are not numbers.
fn float_rank(dtype: DataType) -> Option<u8> {
    Some(match dtype.code {
        TypeCode::FLOAT => 5,
        TypeCode::BFLOAT => 4,
        TypeCode(7..=14) => 3,
        TypeCode(15 | 16) => 2,
        TypeCode(17) => 1,
        TypeCode::INT | TypeCode::UINT | TypeCode::BOOL => 0,
        _ => return None,
    })
}

/// The type to which operands of these types are converted.
pub(crate) fn common_type(a: DataType, b: DataType) -> Option<DataType> {
    if a.raw_lanes != b.raw_lanes {
        return None;
    }
    let ranks = (float_rank(a)?, float_rank(b)?);
    let (first, second) = if ranks.0 == 0 && ranks.1 == 0 {
        // A truth value becomes an integer; of two integers the wider one counts, then the unsigned one.
        let width = |dtype: DataType| (dtype.code != TypeCode::BOOL, dtype.bits, dtype.code == TypeCode::UINT);
        (width(a), width(b))
    } else if ranks.0 == ranks.1 && a.code != b.code {
        return None;
    } else {
        ((true, ranks.0, a.bits > b.bits), (true, ranks.1, b.bits > a.bits))
    };
    Some(if first >= second { a } else { b })
}
