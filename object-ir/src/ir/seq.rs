//! Sequences of bindings with a result, and the base of bindings (spec: binding blocks, `SeqExpr`).

use object_core::prelude::*;

use crate::ir::expr::{RelaxExpr, RelaxExprNode};
use crate::ir::span::Span;
use crate::ir::var::Var;

/// Base of bindings.
///
/// TVM 0.25 `relax.expr.Binding`; spec: `Binding`.
#[derive(Object)]
#[object(type_key = "relax.expr.Binding", files = tvm, base)]
#[structural_eq(tree)]
pub struct BindingNode {
    /// The place in the source text.
    #[field(ignore)]
    pub span: Option<Span>,
    /// The variable that the binding defines.
    #[field(def)]
    pub var: Var,
}

/// Bindings evaluated in order. They may have side effects.
///
/// TVM 0.25 `relax.expr.BindingBlock`; spec: `BindingBlock`.
#[derive(Object)]
#[object(type_key = "relax.expr.BindingBlock", files = tvm, base)]
#[structural_eq(tree)]
pub struct BindingBlockNode {
    /// The bindings, first to last.
    pub bindings: Array<Binding>,
    /// The place in the source text.
    #[field(ignore, default)]
    pub span: Option<Span>,
}

/// Bindings without side effects and branches, which passes may reorder. The scope of its dataflow variables is the
/// block.
///
/// TVM 0.25 `relax.expr.DataflowBlock`; spec: `DataflowBlock`.
#[derive(Object)]
#[object(type_key = "relax.expr.DataflowBlock", files = tvm, parent = BindingBlockNode, base_args(bindings: Array<Binding>))]
#[structural_eq(tree)]
pub struct DataflowBlockNode {
    /// The [`BindingBlockNode`] part.
    pub base: BindingBlockNode,
}

/// Binding blocks followed by a result.
///
/// TVM 0.25 `relax.expr.SeqExpr`; spec: `SeqExpr`.
#[derive(Object)]
#[object(type_key = "relax.expr.SeqExpr", files = tvm, parent = RelaxExprNode)]
#[structural_eq(tree)]
pub struct SeqExprNode {
    /// The [`RelaxExprNode`] part.
    pub base: RelaxExprNode,
    /// The blocks, first to last; variables of earlier blocks are visible in later ones.
    pub blocks: Array<BindingBlock>,
    /// The result.
    pub body: RelaxExpr,
}
