//! Blocks: units of computation that schedules move as a whole.

use object_core::prelude::*;

use crate::ir::expr::PrimExpr;
use crate::tir::buffer::{Buffer, BufferRegion, MatchBufferRegion};
use crate::tir::reduce::IterVar;
use crate::tir::stmt::{Stmt, StmtNode};

/// A computation over its own axes, with what it reads and writes.
///
/// TVM 0.25 `tirx.SBlock`.
#[derive(Object)]
#[object(type_key = "tirx.SBlock", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct SBlockNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
    /// The axes that the block defines.
    #[field(def)]
    pub iter_vars: Array<IterVar>,
    /// The elements that the block reads at one point of the axes.
    pub reads: Array<BufferRegion>,
    /// The elements that the block writes at one point of the axes.
    pub writes: Array<BufferRegion>,
    /// The name to print.
    #[field(ignore)]
    pub name_hint: Str,
    /// Buffers whose lifetime is the block.
    pub alloc_buffers: Array<Buffer>,
    /// Other names for parts of buffers.
    pub match_buffers: Array<MatchBufferRegion>,
    /// Hints for passes by name.
    pub annotations: Map<Str, Any>,
    /// Executed before the first iteration of a reduction.
    pub init: Option<Stmt>,
    /// The computation.
    pub body: Stmt,
}

/// The execution of a block at one point of its axes.
///
/// TVM 0.25 `tirx.SBlockRealize`.
#[derive(Object)]
#[object(type_key = "tirx.SBlockRealize", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct SBlockRealizeNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
    /// One value per axis of the block.
    pub iter_values: Array<PrimExpr>,
    /// The condition; the block does not run where it is false.
    pub predicate: PrimExpr,
    /// The block.
    pub block: SBlock,
}
