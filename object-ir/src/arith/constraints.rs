//! Systems of equations and inequalities over integer variables, the input and output of TVM's solvers.

use object_core::prelude::*;

use crate::ir::expr::{PrimExpr, Range};
use crate::tir::expr::Var;

/// Bounds of a multiple of a variable.
///
/// TVM 0.25 `arith.IntGroupBounds`.
#[derive(Object)]
#[object(type_key = "arith.IntGroupBounds", files = tvm)]
#[structural_eq(tree)]
pub struct IntGroupBoundsNode {
    /// The factor of the variable.
    pub coef: PrimExpr,
    /// The product is not less than any of them: `coef * var >= lower`.
    pub lower: Array<PrimExpr>,
    /// The product is equal to each of them.
    pub equal: Array<PrimExpr>,
    /// The product is not greater than any of them: `coef * var <= upper`.
    pub upper: Array<PrimExpr>,
}

/// Variables with their constraints.
///
/// TVM 0.25 `arith.IntConstraints`.
#[derive(Object)]
#[object(type_key = "arith.IntConstraints", files = tvm)]
#[structural_eq(tree)]
pub struct IntConstraintsNode {
    /// The variables to solve for.
    pub variables: Array<Var>,
    /// The values that a variable can have. A key may also be a variable that is not in `variables`.
    pub ranges: Map<Var, Range>,
    /// Equations and inequalities, all of them true.
    pub relations: Array<PrimExpr>,
}

/// The same system over two sets of variables, with the maps between them.
///
/// TVM 0.25 `arith.IntConstraintsTransform`.
#[derive(Object)]
#[object(type_key = "arith.IntConstraintsTransform", files = tvm)]
#[structural_eq(tree)]
pub struct IntConstraintsTransformNode {
    /// The system over the old variables.
    pub src: IntConstraints,
    /// The system over the new variables.
    pub dst: IntConstraints,
    /// Every old variable over the new ones.
    pub src_to_dst: Map<Var, PrimExpr>,
    /// Every new variable over the old ones.
    pub dst_to_src: Map<Var, PrimExpr>,
}
