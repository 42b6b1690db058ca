//! Shapes as values.

use object_core::prelude::*;

use crate::ir::expr::{LeafExprNode, PrimExpr};

/// A shape built from its dimensions.
///
/// TVM 0.25 `relax.expr.ShapeExpr`; spec: `ShapeExpr`.
#[derive(Object)]
#[object(type_key = "relax.expr.ShapeExpr", files = tvm, parent = LeafExprNode)]
#[structural_eq(tree)]
pub struct ShapeExprNode {
    /// The [`LeafExprNode`] part.
    pub base: LeafExprNode,
    /// One int64 expression per dimension.
    pub values: Array<PrimExpr>,
}
