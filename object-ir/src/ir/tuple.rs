//! Tuples and access to their members.

use object_core::prelude::*;

use crate::ir::expr::{RelaxExpr, RelaxExprNode};

/// A grouping of values; in normal form it counts as a leaf.
///
/// TVM 0.25 `relax.expr.Tuple`; spec: `Tuple`.
#[derive(Object)]
#[object(type_key = "relax.expr.Tuple", files = tvm, parent = RelaxExprNode)]
#[structural_eq(tree)]
pub struct TupleNode {
    /// The [`RelaxExprNode`] part.
    pub base: RelaxExprNode,
    /// The members, in order.
    pub fields: Array<RelaxExpr>,
}

/// A member of a tuple.
///
/// TVM 0.25 `relax.expr.TupleGetItem`; spec: `TupleGetItem`.
#[derive(Object)]
#[object(type_key = "relax.expr.TupleGetItem", files = tvm, parent = RelaxExprNode)]
#[structural_eq(tree)]
pub struct TupleGetItemNode {
    /// The [`RelaxExprNode`] part.
    pub base: RelaxExprNode,
    /// The tuple.
    pub tuple_value: RelaxExpr,
    /// Which member, counted from 0.
    pub index: i64,
}
