//! Sets of integers that contain every value an expression can have.

use object_core::prelude::*;

use crate::ir::expr::PrimExpr;

/// Base of sets of integers whose bounds may be expressions.
///
/// TVM 0.25 `ir.IntSet`.
#[derive(Object)]
#[object(type_key = "ir.IntSet", files = tvm, base)]
pub struct IntSetNode {}

/// All integers from one value to another. Comparing two of them is an error.
///
/// TVM marks an open end with a special variable, `neg_inf` or `pos_inf` of type `handle`, and recognises it by
/// identity. After a round trip through JSON it is an ordinary variable, also for TVM.
///
/// TVM 0.25 `arith.IntervalSet`.
#[derive(Object)]
#[object(type_key = "arith.IntervalSet", files = tvm, parent = IntSetNode)]
#[structural_eq(none)]
pub struct IntervalSetNode {
    /// The [`IntSetNode`] part.
    pub base: IntSetNode,
    /// The least member.
    pub min_value: PrimExpr,
    /// The greatest member.
    pub max_value: PrimExpr,
}

/// All integers from one constant to another.
///
/// TVM 0.25 `arith.ConstIntBound`.
#[derive(Object)]
#[object(type_key = "arith.ConstIntBound", files = tvm)]
#[structural_eq(tree)]
pub struct ConstIntBoundNode {
    /// The least member; [`const_int_bound::NEG_INF`] for no lower end.
    pub min_value: i64,
    /// The greatest member; [`const_int_bound::POS_INF`] for no upper end.
    pub max_value: i64,
}

/// All integers `coeff * x + base`, where `x` is any integer.
///
/// TVM 0.25 `arith.ModularSet`.
#[derive(Object)]
#[object(type_key = "arith.ModularSet", files = tvm)]
#[structural_eq(tree)]
pub struct ModularSetNode {
    /// The distance between neighbours; 0 if `base` is the only member.
    pub coeff: i64,
    /// A member. In the result of an analysis it lies in `0..coeff`, unless `coeff` is 0.
    pub base: i64,
}

/// The bounds of a [`ConstIntBound`] without ends.
pub mod const_int_bound {
    /// No upper end.
    pub const POS_INF: i64 = i64::MAX;
    /// No lower end: the negative of [`POS_INF`], not the least `i64`.
    pub const NEG_INF: i64 = -POS_INF;
}
