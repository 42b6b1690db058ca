//! Systems of equations and inequalities over integer variables, as TVM's solvers take and return them.

use object_core::prelude::*;

use crate::ir::expr::{PrimExpr, Range};
use crate::tir::expr::Var;

/// What is known about a multiple of a variable: its values lie between bounds, all of which hold.
///
/// TVM 0.25 `arith.IntGroupBounds`.
#[derive(Object)]
#[object(type_key = "arith.IntGroupBounds")]
#[structural_eq(tree)]
pub struct IntGroupBoundsNode {
    /// What the variable is multiplied by.
    pub coef: PrimExpr,
    /// The product is not less than any of them: `coef * var >= lower`.
    pub lower: Array<PrimExpr>,
    /// The product is equal to each of them.
    pub equal: Array<PrimExpr>,
    /// The product is not greater than any of them: `coef * var <= upper`.
    pub upper: Array<PrimExpr>,
}

/// Variables with what holds for them.
///
/// TVM 0.25 `arith.IntConstraints`.
#[derive(Object)]
#[object(type_key = "arith.IntConstraints")]
#[structural_eq(tree)]
pub struct IntConstraintsNode {
    /// The variables to solve for.
    pub variables: Array<Var>,
    /// The values that a variable can have. It may be any variable that occurs here, and need not be one to solve for.
    pub ranges: Map<Var, Range>,
    /// Equations and inequalities that hold together.
    pub relations: Array<PrimExpr>,
}

/// The same system over two choices of variables, with the way from one to the other.
///
/// TVM 0.25 `arith.IntConstraintsTransform`.
#[derive(Object)]
#[object(type_key = "arith.IntConstraintsTransform")]
#[structural_eq(tree)]
pub struct IntConstraintsTransformNode {
    /// The system as it was.
    pub src: IntConstraints,
    /// The system over the new variables.
    pub dst: IntConstraints,
    /// Every old variable over the new ones.
    pub src_to_dst: Map<Var, PrimExpr>,
    /// Every new variable over the old ones.
    pub dst_to_src: Map<Var, PrimExpr>,
}
