//! Comparison of scalars and logic on truth values.

use object_core::prelude::*;

use crate::ir::expr::{PrimExpr, PrimExprNode};

/// Whether `a == b`.
///
/// TVM 0.25 `tirx.EQ`.
#[derive(Object)]
#[object(type_key = "tirx.EQ", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct EQNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// Left side.
    pub a: PrimExpr,
    /// Right side.
    pub b: PrimExpr,
}

/// Whether `a != b`.
///
/// TVM 0.25 `tirx.NE`.
#[derive(Object)]
#[object(type_key = "tirx.NE", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct NENode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// Left side.
    pub a: PrimExpr,
    /// Right side.
    pub b: PrimExpr,
}

/// Whether `a < b`.
///
/// TVM 0.25 `tirx.LT`.
#[derive(Object)]
#[object(type_key = "tirx.LT", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct LTNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// Left side.
    pub a: PrimExpr,
    /// Right side.
    pub b: PrimExpr,
}

/// Whether `a <= b`.
///
/// TVM 0.25 `tirx.LE`.
#[derive(Object)]
#[object(type_key = "tirx.LE", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct LENode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// Left side.
    pub a: PrimExpr,
    /// Right side.
    pub b: PrimExpr,
}

/// Whether `a > b`.
///
/// TVM 0.25 `tirx.GT`.
#[derive(Object)]
#[object(type_key = "tirx.GT", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct GTNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// Left side.
    pub a: PrimExpr,
    /// Right side.
    pub b: PrimExpr,
}

/// Whether `a >= b`.
///
/// TVM 0.25 `tirx.GE`.
#[derive(Object)]
#[object(type_key = "tirx.GE", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct GENode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// Left side.
    pub a: PrimExpr,
    /// Right side.
    pub b: PrimExpr,
}

/// Whether both conditions are true; `b` is evaluated only if `a` is true.
///
/// TVM 0.25 `tirx.And`.
#[derive(Object)]
#[object(type_key = "tirx.And", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct AndNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// First condition.
    pub a: PrimExpr,
    /// Second condition.
    pub b: PrimExpr,
}

/// Whether at least one condition is true; `b` is evaluated only if `a` is false.
///
/// TVM 0.25 `tirx.Or`.
#[derive(Object)]
#[object(type_key = "tirx.Or", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct OrNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// First condition.
    pub a: PrimExpr,
    /// Second condition.
    pub b: PrimExpr,
}

/// Whether `a` is false.
///
/// TVM 0.25 `tirx.Not`.
#[derive(Object)]
#[object(type_key = "tirx.Not", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct NotNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// The condition.
    pub a: PrimExpr,
}
