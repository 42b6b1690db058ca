//! The constructors of TVM that fold constants (TVM 0.25 src/tirx/op/op.cc and src/arith/const_fold.h). The operators of
//! the text stand for them, so the text uses an operator only if its constructor makes the same node.

use object_core::scalar::TypeCode;
use object_core::{DataType, ObjectHandle, structural_equal};
use object_ir::ir::{FloatImm, FloatImmNode, IntImm, IntImmNode, PrimExpr};
use object_ir::tir::{Add, And, Broadcast, Cast, Div, EQ, FloorDiv, FloorMod, GE, GT, LE, LT, Mul, NE, Or, Sub};

/// The operators that fold constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FoldedOp {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    FloorMod,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
}

/// The result of folding.
enum Folded {
    A,
    B,
    Int(i64),
    Float(f64),
    Bool(bool),
    /// TVM rejects the operation.
    Rejected,
}

/// Whether the constructor for `op` makes the node of `op` with exactly these operands.
pub(super) fn keeps(op: FoldedOp, a: &PrimExpr, b: &PrimExpr) -> bool {
    let accepts = match op {
        FoldedOp::And | FoldedOp::Or => a.dtype.code == TypeCode::BOOL,
        FoldedOp::FloorDiv | FoldedOp::FloorMod => matches!(a.dtype.code, TypeCode::INT | TypeCode::UINT),
        _ => true,
    };
    // With different types, the constructor converts an operand.
    a.dtype == b.dtype && accepts && fold(op, a, b).is_none()
}

/// `a + b`.
pub(super) fn add(a: &PrimExpr, b: &PrimExpr) -> PrimExpr {
    let (a, b) = matched(a, b);
    let dtype = a.dtype;
    folded(FoldedOp::Add, &a, &b).unwrap_or_else(|| Add::new(dtype, a, b).into())
}

/// `a * b`.
pub(super) fn mul(a: &PrimExpr, b: &PrimExpr) -> PrimExpr {
    let (a, b) = matched(a, b);
    let dtype = a.dtype;
    folded(FoldedOp::Mul, &a, &b).unwrap_or_else(|| Mul::new(dtype, a, b).into())
}

/// The integer `value` of the type `dtype`, if the expression is such a constant.
pub(super) fn int(expr: &PrimExpr) -> Option<i64> {
    expr.as_object().view().node::<IntImmNode>().map(|imm| imm.value)
}

/// Whether both expressions are the same.
pub(super) fn same_scalar(a: &PrimExpr, b: &PrimExpr) -> bool {
    // Most scalars are constants, which need no comparison of graphs.
    match int(a).zip(int(b)) {
        Some((x, y)) => x == y && a.dtype == b.dtype,
        None => a.ptr_eq(b) || structural_equal(a, b),
    }
}

fn float(expr: &PrimExpr) -> Option<f64> {
    expr.as_object().view().node::<FloatImmNode>().map(|imm| imm.value)
}

fn folded(op: FoldedOp, a: &PrimExpr, b: &PrimExpr) -> Option<PrimExpr> {
    match fold(op, a, b)? {
        Folded::A => Some(a.clone()),
        Folded::B => Some(b.clone()),
        Folded::Int(value) => Some(IntImm::new(a.dtype, value).into()),
        Folded::Float(value) => Some(FloatImm::new(a.dtype, value).into()),
        Folded::Bool(value) => Some(IntImm::new(DataType::boolean(), i64::from(value)).into()),
        Folded::Rejected => None,
    }
}

/// The result of the constructor for operands of one type, if it is not a new node.
fn fold(op: FoldedOp, a: &PrimExpr, b: &PrimExpr) -> Option<Folded> {
    match op {
        FoldedOp::And => match (int(a), int(b)) {
            (Some(a), _) => Some(if a == 0 { Folded::A } else { Folded::B }),
            (None, Some(b)) => Some(if b == 0 { Folded::B } else { Folded::A }),
            (None, None) => None,
        },
        FoldedOp::Or => match (int(a), int(b)) {
            (Some(a), _) => Some(if a == 0 { Folded::B } else { Folded::A }),
            (None, Some(b)) => Some(if b == 0 { Folded::A } else { Folded::B }),
            (None, None) => None,
        },
        FoldedOp::FloorMod if !is_index(a.dtype) => None,
        _ => fold_ints(op, int(a), int(b), a.dtype).or_else(|| fold_floats(op, float(a), float(b), a.dtype)),
    }
}

/// Whether the type is one of indices, for which TVM folds remainders.
fn is_index(dtype: DataType) -> bool {
    dtype == DataType::int(32) || dtype == DataType::int(64)
}

/// Which operand is the result, or whether the operation fails, if one operand is `a` or `b`. `zero` and `one` say which
/// constants these are.
fn neutral<T: PartialEq>(op: FoldedOp, a: Option<&T>, b: Option<&T>, zero: &T, one: &T) -> Option<Folded> {
    let is = |operand: Option<&T>, value: &T| operand == Some(value);
    match op {
        FoldedOp::Add if is(a, zero) => Some(Folded::B),
        FoldedOp::Add | FoldedOp::Sub if is(b, zero) => Some(Folded::A),
        FoldedOp::Mul if is(a, one) || is(b, zero) => Some(Folded::B),
        FoldedOp::Mul if is(a, zero) || is(b, one) => Some(Folded::A),
        FoldedOp::Div | FoldedOp::FloorDiv if is(a, zero) || is(b, one) => Some(Folded::A),
        FoldedOp::Div | FoldedOp::FloorDiv | FoldedOp::FloorMod if is(b, zero) => Some(Folded::Rejected),
        _ => None,
    }
}

fn fold_ints(op: FoldedOp, a: Option<i64>, b: Option<i64>, dtype: DataType) -> Option<Folded> {
    if let (Some(a), Some(b)) = (a, b) {
        let value = match op {
            FoldedOp::Add => a.wrapping_add(b),
            FoldedOp::Sub => a.wrapping_sub(b),
            FoldedOp::Mul => a.wrapping_mul(b),
            FoldedOp::Div | FoldedOp::FloorDiv | FoldedOp::FloorMod if b == 0 => return Some(Folded::Rejected),
            FoldedOp::Div => a.wrapping_div(b),
            FoldedOp::FloorDiv => floor_div(a, b).unwrap_or(a),
            FoldedOp::FloorMod => {
                let rest = a.wrapping_rem(b);
                if rest != 0 && (rest < 0) != (b < 0) { rest.wrapping_add(b) } else { rest }
            }
            _ => return compared(op, &a, &b),
        };
        return Some(Folded::Int(wrapped(value, dtype)));
    }
    match op {
        FoldedOp::FloorMod if a == Some(0) => Some(Folded::A),
        FoldedOp::FloorMod if b == Some(1) => Some(Folded::Int(0)),
        _ => neutral(op, a.as_ref(), b.as_ref(), &0, &1),
    }
}

fn fold_floats(op: FoldedOp, a: Option<f64>, b: Option<f64>, dtype: DataType) -> Option<Folded> {
    if let (Some(a), Some(b)) = (a, b) {
        let value = match op {
            FoldedOp::Add => a + b,
            FoldedOp::Sub => a - b,
            FoldedOp::Mul => a * b,
            FoldedOp::Div if b == 0.0 => return Some(Folded::Rejected),
            FoldedOp::Div => a / b,
            FoldedOp::FloorDiv | FoldedOp::FloorMod | FoldedOp::And | FoldedOp::Or => return None,
            _ => return compared(op, &a, &b),
        };
        if dtype.bits == 32 {
            // Rounding the exact result of two float32 gives what float32 arithmetic gives.
            return Some(Folded::Float(f64::from(value as f32)));
        }
        if dtype.bits == 64 {
            return Some(Folded::Float(value));
        }
    }
    neutral(op, a.as_ref(), b.as_ref(), &0.0, &1.0)
}

/// The result of a comparison of constants.
fn compared<T: PartialOrd>(op: FoldedOp, a: &T, b: &T) -> Option<Folded> {
    Some(Folded::Bool(match op {
        FoldedOp::Less => a < b,
        FoldedOp::LessEqual => a <= b,
        FoldedOp::Greater => a > b,
        FoldedOp::GreaterEqual => a >= b,
        FoldedOp::Equal => a == b,
        FoldedOp::NotEqual => a != b,
        _ => return None,
    }))
}

/// The quotient, rounded towards negative infinity; `None` for a division by 0.
pub(super) fn floor_div(a: i64, b: i64) -> Option<i64> {
    (b != 0).then(|| a.wrapping_div(b) - i64::from(a.wrapping_rem(b) != 0 && (a < 0) != (b < 0)))
}

/// Whether the type has integers and no truth values.
pub(super) fn is_integer(dtype: DataType) -> bool {
    matches!(dtype.code, TypeCode::INT | TypeCode::UINT)
}

/// The result of the constructor for `op`: a constant, an operand, or a new node.
///
/// # Errors
/// A message, if TVM rejects the operands.
pub(super) fn binary(op: FoldedOp, a: &PrimExpr, b: &PrimExpr) -> Result<PrimExpr, String> {
    let is_bool = |expr: &PrimExpr| expr.dtype.code == TypeCode::BOOL || expr.dtype == DataType::uint(1);
    let types = |expected: &str| Err(format!("expected {expected}, got `{}` and `{}`", a.dtype, b.dtype));
    match op {
        FoldedOp::And | FoldedOp::Or if !is_bool(a) || !is_bool(b) => return types("two truth values"),
        FoldedOp::FloorDiv | FoldedOp::FloorMod if !is_integer(a.dtype) || !is_integer(b.dtype) => {
            return types("two integers");
        }
        _ => {}
    }
    if a.dtype.code == TypeCode::HANDLE || b.dtype.code == TypeCode::HANDLE {
        if !matches!(op, FoldedOp::Equal | FoldedOp::NotEqual) || a.dtype != b.dtype {
            return types("numbers");
        }
    } else if a.dtype.lanes() != b.dtype.lanes() && a.dtype.lanes() != 1 && b.dtype.lanes() != 1 {
        return types("vectors of one length");
    }
    let (a, b) = matched(a, b);
    if matches!(fold(op, &a, &b), Some(Folded::Rejected)) {
        return Err("division by 0".to_owned());
    }
    if let Some(folded) = folded(op, &a, &b) {
        return Ok(folded);
    }
    let dtype = a.dtype;
    let truth = DataType { raw_lanes: dtype.raw_lanes, ..DataType::boolean() };
    Ok(match op {
        FoldedOp::Add => Add::new(dtype, a, b).into(),
        FoldedOp::Sub => Sub::new(dtype, a, b).into(),
        FoldedOp::Mul => Mul::new(dtype, a, b).into(),
        FoldedOp::Div => Div::new(dtype, a, b).into(),
        FoldedOp::FloorDiv => FloorDiv::new(dtype, a, b).into(),
        FoldedOp::FloorMod => FloorMod::new(dtype, a, b).into(),
        FoldedOp::Less => LT::new(truth, a, b).into(),
        FoldedOp::LessEqual => LE::new(truth, a, b).into(),
        FoldedOp::Equal => EQ::new(truth, a, b).into(),
        FoldedOp::NotEqual => NE::new(truth, a, b).into(),
        FoldedOp::Greater => GT::new(truth, a, b).into(),
        FoldedOp::GreaterEqual => GE::new(truth, a, b).into(),
        FoldedOp::And => And::new(truth, a, b).into(),
        FoldedOp::Or => Or::new(truth, a, b).into(),
    })
}

/// The value that an integer of the type has after overflow.
fn wrapped(value: i64, dtype: DataType) -> i64 {
    let bits = u32::from(dtype.bits);
    if bits == 0 || bits >= 64 {
        return value;
    }
    let low = value & ((1 << bits) - 1);
    let sign = 1_i64 << (bits - 1);
    if dtype.code == TypeCode::INT && low & sign != 0 { low - (1 << bits) } else { low }
}

/// The operands with one type, which is the wider one (TVM's `BinaryOpMatchTypes`). A scalar is repeated for each lane of a
/// vector.
fn matched(a: &PrimExpr, b: &PrimExpr) -> (PrimExpr, PrimExpr) {
    let (left, right) = (a.dtype, b.dtype);
    if left.lanes() != right.lanes() {
        return match (left.lanes() == 1, right.lanes() == 1) {
            (true, false) => matched(&broadcast(a, right), b),
            (false, true) => matched(a, &broadcast(b, left)),
            _ => (a.clone(), b.clone()),
        };
    }
    if left == right {
        return (a.clone(), b.clone());
    }
    let is_int = |dtype: DataType| matches!(dtype.code, TypeCode::INT | TypeCode::UINT);
    // Kinds of types, from the one that gives way first.
    let rank = |dtype: DataType| match dtype.code {
        TypeCode::BOOL => 0,
        _ if is_int(dtype) => 1,
        TypeCode::FLOAT => 4,
        TypeCode::BFLOAT => 3,
        _ => 2,
    };
    let to_right = match rank(left).cmp(&rank(right)) {
        std::cmp::Ordering::Less => true,
        std::cmp::Ordering::Greater => false,
        std::cmp::Ordering::Equal if left.bits != right.bits => left.bits < right.bits,
        // Of integers with one width, the signed one gives way.
        std::cmp::Ordering::Equal => right.code == TypeCode::UINT,
    };
    if to_right { (cast(right, a), b.clone()) } else { (a.clone(), cast(left, b)) }
}

/// The scalar for each lane of a vector of the type `vector`.
fn broadcast(value: &PrimExpr, vector: DataType) -> PrimExpr {
    let dtype = DataType { raw_lanes: vector.raw_lanes, ..value.dtype };
    let lanes = IntImm::new(DataType::int(32), i64::from(vector.lanes()));
    Broadcast::new(dtype, value.clone(), lanes).into()
}

/// The value converted to `dtype`, with folding of constants.
pub(super) fn cast(dtype: DataType, value: &PrimExpr) -> PrimExpr {
    let is_float = matches!(dtype.code, TypeCode::FLOAT | TypeCode::BFLOAT);
    match (int(value), float(value)) {
        (Some(int), _) if is_float => FloatImm::new(dtype, int as f64).into(),
        (Some(int), _) => IntImm::new(dtype, int).into(),
        (None, Some(float)) if is_float => FloatImm::new(dtype, float).into(),
        _ => Cast::new(dtype, value.clone()).into(),
    }
}

#[cfg(test)]
mod tests {
    use object_ir::ir::PrimType;
    use object_ir::tir::Var;

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
        assert!(keeps(FoldedOp::Add, &n, &number(1)) && keeps(FoldedOp::Sub, &number(0), &n));
        assert!(!keeps(FoldedOp::Add, &n, &number(0)) && !keeps(FoldedOp::Add, &number(1), &number(2)));
        assert!(!keeps(FoldedOp::Mul, &n, &number(1)) && !keeps(FoldedOp::FloorMod, &n, &number(1)));
        assert!(!keeps(FoldedOp::FloorDiv, &n, &number(0)), "TVM rejects it");
        assert!(!keeps(FoldedOp::Add, &n, &var(DataType::int(32))), "TVM converts an operand");
        assert!(keeps(FoldedOp::Less, &n, &number(1)) && !keeps(FoldedOp::Less, &number(0), &number(1)));
        assert!(!keeps(FoldedOp::And, &n, &n), "TVM rejects it");
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
