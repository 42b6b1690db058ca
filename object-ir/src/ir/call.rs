//! Calls.

use object_core::prelude::*;

use crate::ir::attrs::Attrs;
use crate::ir::expr::{RelaxExpr, RelaxExprNode, StructInfo};

/// A call of an operator, a function of the module, an external function or a closure.
///
/// TVM 0.25 `relax.expr.Call`; spec: `Call`.
#[derive(Object)]
#[object(type_key = "relax.expr.Call", files = tvm, parent = RelaxExprNode)]
#[structural_eq(tree)]
pub struct CallNode {
    /// The [`RelaxExprNode`] part.
    pub base: RelaxExprNode,
    /// The callee.
    pub op: RelaxExpr,
    /// The arguments, in order.
    pub args: Array<RelaxExpr>,
    /// The attributes of an operator call, of the type that the operator names.
    pub attrs: Option<Attrs>,
    /// Explicit structural information: the results of `call_tir` and of external functions.
    pub sinfo_args: Array<StructInfo>,
}
