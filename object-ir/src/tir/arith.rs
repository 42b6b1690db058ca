//! Arithmetic on scalars.

use object_core::prelude::*;

use crate::ir::expr::{PrimExpr, PrimExprNode};

/// The sum `a + b`.
///
/// TVM 0.25 `tirx.Add`.
#[derive(Object)]
#[object(type_key = "tirx.Add", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct AddNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// First summand.
    pub a: PrimExpr,
    /// Second summand.
    pub b: PrimExpr,
}

/// The difference `a - b`.
///
/// TVM 0.25 `tirx.Sub`.
#[derive(Object)]
#[object(type_key = "tirx.Sub", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct SubNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// The minuend.
    pub a: PrimExpr,
    /// The subtrahend.
    pub b: PrimExpr,
}

/// The product `a * b`.
///
/// TVM 0.25 `tirx.Mul`.
#[derive(Object)]
#[object(type_key = "tirx.Mul", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct MulNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// First factor.
    pub a: PrimExpr,
    /// Second factor.
    pub b: PrimExpr,
}

/// The quotient `a / b`; of integers, rounded towards zero.
///
/// TVM 0.25 `tirx.Div`.
#[derive(Object)]
#[object(type_key = "tirx.Div", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct DivNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// Dividend.
    pub a: PrimExpr,
    /// Divisor.
    pub b: PrimExpr,
}

/// The remainder of [`Div`], with the sign of `a`.
///
/// TVM 0.25 `tirx.Mod`.
#[derive(Object)]
#[object(type_key = "tirx.Mod", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct ModNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// Dividend.
    pub a: PrimExpr,
    /// Divisor.
    pub b: PrimExpr,
}

/// The quotient of `a` and `b` rounded down.
///
/// TVM 0.25 `tirx.FloorDiv`.
#[derive(Object)]
#[object(type_key = "tirx.FloorDiv", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct FloorDivNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// Dividend.
    pub a: PrimExpr,
    /// Divisor.
    pub b: PrimExpr,
}

/// The remainder of [`FloorDiv`], with the sign of `b`.
///
/// TVM 0.25 `tirx.FloorMod`.
#[derive(Object)]
#[object(type_key = "tirx.FloorMod", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct FloorModNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// Dividend.
    pub a: PrimExpr,
    /// Divisor.
    pub b: PrimExpr,
}

/// The smaller of `a` and `b`.
///
/// TVM 0.25 `tirx.Min`.
#[derive(Object)]
#[object(type_key = "tirx.Min", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct MinNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// First candidate.
    pub a: PrimExpr,
    /// Second candidate.
    pub b: PrimExpr,
}

/// The larger of `a` and `b`.
///
/// TVM 0.25 `tirx.Max`.
#[derive(Object)]
#[object(type_key = "tirx.Max", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct MaxNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// First candidate.
    pub a: PrimExpr,
    /// Second candidate.
    pub b: PrimExpr,
}
