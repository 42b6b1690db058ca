//! Sequences of bindings with a result (spec: binding blocks, `SeqExpr`).

use object_core::prelude::*;

use crate::ir::expr::{RelaxExpr, RelaxExprNode};
use crate::ir::span::Span;
use crate::ir::var::Var;

/// Base of bindings.
///
/// TVM 0.25 `relax.expr.Binding`; spec: `Binding`.
#[derive(Object)]
#[object(type_key = "relax.expr.Binding", base)]
#[structural_eq(tree)]
pub struct BindingNode {
    /// Where the binding was written.
    #[field(ignore)]
    pub span: Option<Span>,
    /// The variable that is defined here.
    #[field(def)]
    pub var: Var,
}

/// Bindings evaluated in order, with effects allowed.
///
/// TVM 0.25 `relax.expr.BindingBlock`; spec: `BindingBlock`.
#[derive(Object)]
#[object(type_key = "relax.expr.BindingBlock", base)]
#[structural_eq(tree)]
pub struct BindingBlockNode {
    /// The bindings, first to last.
    pub bindings: Array<Binding>,
    /// Where the block was written.
    #[field(ignore, default)]
    pub span: Option<Span>,
}

/// Bindings without effects or branches, which passes may reorder; its dataflow variables end with it.
///
/// TVM 0.25 `relax.expr.DataflowBlock`; spec: `DataflowBlock`.
#[derive(Object)]
#[object(type_key = "relax.expr.DataflowBlock", parent = BindingBlockNode, base_args(bindings: Array<Binding>))]
#[structural_eq(tree)]
pub struct DataflowBlockNode {
    /// The [`BindingBlockNode`] part.
    pub base: BindingBlockNode,
}

/// Binding blocks followed by the value of the whole.
///
/// TVM 0.25 `relax.expr.SeqExpr`; spec: `SeqExpr`.
#[derive(Object)]
#[object(type_key = "relax.expr.SeqExpr", parent = RelaxExprNode)]
#[structural_eq(tree)]
pub struct SeqExprNode {
    /// The [`RelaxExprNode`] part.
    pub base: RelaxExprNode,
    /// The blocks, first to last; variables of earlier blocks are visible in later ones.
    pub blocks: Array<BindingBlock>,
    /// The result.
    pub body: RelaxExpr,
}
