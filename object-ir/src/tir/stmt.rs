//! Statements.

use object_core::prelude::*;

use crate::ir::expr::PrimExpr;
use crate::ir::span::Span;
use crate::tir::buffer::Buffer;
use crate::tir::expr::{StringImm, Var};
use crate::tir::reduce::IterVar;

/// Base of statements.
///
/// TVM 0.25 `tirx.Stmt`.
#[derive(Object)]
#[object(type_key = "tirx.Stmt", files = tvm, base)]
#[structural_eq(tree)]
pub struct StmtNode {
    /// The place in the source text. As in TVM, structural equality compares it, unlike the span of an expression.
    pub span: Option<Span>,
}

/// Writes an element (or vector of elements).
///
/// TVM 0.25 `tirx.BufferStore`.
#[derive(Object)]
#[object(type_key = "tirx.BufferStore", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct BufferStoreNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
    /// The buffer.
    pub buffer: Buffer,
    /// The value to write.
    pub value: PrimExpr,
    /// One per dimension; the last may be a vector.
    pub indices: Array<PrimExpr>,
    /// Which lanes of a vector access happen; none for all.
    pub predicate: Option<PrimExpr>,
}

/// Binds a variable in the statements that follow in the same scope.
///
/// TVM 0.25 `tirx.Bind`.
#[derive(Object)]
#[object(type_key = "tirx.Bind", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct BindNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
    /// The variable that this node defines.
    #[field(def)]
    pub var: Var,
    /// The value of the variable.
    pub value: PrimExpr,
}

/// A statement with a fact about some object attached to it.
///
/// TVM 0.25 `tirx.AttrStmt`.
#[derive(Object)]
#[object(type_key = "tirx.AttrStmt", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct AttrStmtNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
    /// The subject of the fact: a variable, an axis, a target or a plain value.
    pub node: Any,
    /// The name of the fact.
    pub attr_key: Str,
    /// The fact.
    pub value: PrimExpr,
    /// The statement.
    pub body: Stmt,
}

/// Stops with an error unless a condition is true.
///
/// TVM 0.25 `tirx.AssertStmt`.
#[derive(Object)]
#[object(type_key = "tirx.AssertStmt", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct AssertStmtNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
    /// The condition.
    pub condition: PrimExpr,
    /// The kind of error, such as `RuntimeError`.
    pub error_kind: StringImm,
    /// The parts of the message, in order.
    pub message_parts: Array<StringImm>,
}

/// Evaluates an expression for its effect.
///
/// TVM 0.25 `tirx.Evaluate`.
#[derive(Object)]
#[object(type_key = "tirx.Evaluate", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct EvaluateNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
    /// The expression.
    pub value: PrimExpr,
}

/// A sequence of statements.
///
/// TVM 0.25 `tirx.SeqStmt`.
#[derive(Object)]
#[object(type_key = "tirx.SeqStmt", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct SeqStmtNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
    /// The statements.
    pub seq: Array<Stmt>,
}

/// Executes one of two statements, or none.
///
/// TVM 0.25 `tirx.IfThenElse`.
#[derive(Object)]
#[object(type_key = "tirx.IfThenElse", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct IfThenElseNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
    /// A truth value.
    pub condition: PrimExpr,
    /// Executed if the condition is true.
    pub then_case: Stmt,
    /// Executed otherwise, if there is one.
    pub else_case: Option<Stmt>,
}

/// A loop over a range.
///
/// TVM 0.25 `tirx.For`.
#[derive(Object)]
#[object(type_key = "tirx.For", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct ForNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
    /// The variable that this node defines.
    #[field(def)]
    pub loop_var: Var,
    /// The first value of the variable.
    pub min: PrimExpr,
    /// The length of the range: values stay below `min + extent`.
    pub extent: PrimExpr,
    /// How the iterations are executed: one of [`for_kind`].
    pub kind: i64,
    /// Executed for each value.
    pub body: Stmt,
    /// The hardware axis of a loop of kind `THREAD_BINDING`.
    pub thread_binding: Option<IterVar>,
    /// Hints for passes by name.
    pub annotations: Map<Str, Any>,
    /// The distance between values; none for 1.
    pub step: Option<PrimExpr>,
}

/// A loop with a condition.
///
/// TVM 0.25 `tirx.While`.
#[derive(Object)]
#[object(type_key = "tirx.While", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct WhileNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
    /// The condition, evaluated before each iteration.
    pub condition: PrimExpr,
    /// The body.
    pub body: Stmt,
}

/// Leaves the innermost loop.
///
/// TVM 0.25 `tirx.Break`.
#[derive(Object)]
#[object(type_key = "tirx.Break", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct BreakNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
}

/// Continues with the next iteration of the innermost loop.
///
/// TVM 0.25 `tirx.Continue`.
#[derive(Object)]
#[object(type_key = "tirx.Continue", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct ContinueNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
}

/// Allocates memory that the rest of the scope sees as a buffer.
///
/// TVM 0.25 `tirx.AllocBuffer`.
#[derive(Object)]
#[object(type_key = "tirx.AllocBuffer", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct AllocBufferNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
    /// The buffer that this node defines.
    #[field(def)]
    pub buffer: Buffer,
    /// Hints for the allocation by name.
    pub annotations: Map<Str, Any>,
}

/// Declares a buffer over memory that already exists.
///
/// TVM 0.25 `tirx.DeclBuffer`.
#[derive(Object)]
#[object(type_key = "tirx.DeclBuffer", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct DeclBufferNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
    /// The buffer.
    pub buffer: Buffer,
}

/// How the iterations of a [`For`] are executed.
pub mod for_kind {
    /// One after the other.
    pub const SERIAL: i64 = 0;
    /// On several threads of the host.
    pub const PARALLEL: i64 = 1;
    /// As lanes of vector instructions.
    pub const VECTORIZED: i64 = 2;
    /// One after the other, written out.
    pub const UNROLLED: i64 = 3;
    /// On the threads of the axis in `thread_binding`.
    pub const THREAD_BINDING: i64 = 4;
}
