//! Branches.

use object_core::prelude::*;

use crate::ir::expr::{RelaxExpr, RelaxExprNode};
use crate::ir::seq::SeqExpr;

/// Evaluates one of two sequences, depending on a condition.
///
/// TVM 0.25 `relax.expr.If`; spec: `If`.
#[derive(Object)]
#[object(type_key = "relax.expr.If", files = tvm, parent = RelaxExprNode)]
#[structural_eq(dag)]
pub struct IfNode {
    /// The [`RelaxExprNode`] part.
    pub base: RelaxExprNode,
    /// A scalar truth value.
    pub cond: RelaxExpr,
    /// Evaluated if the condition is true.
    pub true_branch: SeqExpr,
    /// Evaluated otherwise.
    pub false_branch: SeqExpr,
}
