//! Execution scopes, tile primitives and pipelines.

use object_core::prelude::*;

use crate::ir::expr::PrimExpr;
use crate::ir::op::Op;
use crate::tir::buffer::Buffer;
use crate::tir::expr::Var;
use crate::tir::stmt::StmtNode;

/// A level of the hardware hierarchy whose members execute code together.
///
/// TVM 0.25 `tirx.ExecScope`.
#[derive(Object)]
#[object(type_key = "tirx.ExecScope", files = tvm)]
#[structural_eq(tree)]
pub struct ExecScopeNode {
    /// One of [`scope_kind`].
    pub kind: i64,
}

/// Variables that number the members of one level within another.
///
/// TVM 0.25 `tirx.ScopeIdDef`.
#[derive(Object)]
#[object(type_key = "tirx.ScopeIdDef", files = tvm)]
#[structural_eq(tree)]
pub struct ScopeIdDefNode {
    /// The variables that this node defines, one per dimension.
    #[field(def)]
    pub def_ids: Array<Var>,
    /// The number of members per dimension; none if the compiler infers it.
    pub extents: Option<Array<PrimExpr>>,
    /// The two levels: one of [`scope_binding`].
    pub scope: i64,
    /// Extents to try first, where several are possible.
    pub preferred_extents: Option<Array<PrimExpr>>,
}

/// A statement that introduces the variables of a [`ScopeIdDef`] for the rest of the kernel.
///
/// TVM 0.25 `tirx.ScopeIdDefStmt`.
#[derive(Object)]
#[object(type_key = "tirx.ScopeIdDefStmt", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct ScopeIdDefStmtNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
    /// The definition.
    pub def: ScopeIdDef,
}

/// A call of an operation on whole tiles, which a dispatcher expands.
///
/// TVM 0.25 `tirx.TilePrimitiveCall`.
#[derive(Object)]
#[object(type_key = "tirx.TilePrimitiveCall", files = tvm, parent = StmtNode)]
#[structural_eq(tree)]
pub struct TilePrimitiveCallNode {
    /// The [`StmtNode`] part.
    pub base: StmtNode,
    /// The operation.
    pub op: Op,
    /// Its arguments: buffer regions, scalars and so on.
    pub args: Array<Any>,
    /// Buffers that the expansion may use, by name.
    pub workspace: Map<Str, Buffer>,
    /// Options of the expansion by name.
    pub config: Map<Str, Any>,
    /// The variant to use; none to let the dispatcher choose.
    pub dispatch: Option<Str>,
    /// The level that executes it together.
    pub scope: ExecScope,
}

/// A condition on indices.
///
/// TVM 0.25 `tirx.Predicate`.
#[derive(Object)]
#[object(type_key = "tirx.Predicate", files = tvm)]
#[structural_eq(tree)]
pub struct PredicateNode {
    /// The variables that this node defines, one per index.
    #[field(def)]
    pub vars: Array<Var>,
    /// The condition over these variables.
    pub pred: PrimExpr,
}

/// Work that runs earlier or later than the rest, in stages.
///
/// TVM 0.25 `tirx.Pipeline`.
#[derive(Object)]
#[object(type_key = "tirx.Pipeline", files = tvm, base)]
#[structural_eq(tree)]
pub struct PipelineNode {
    /// The level that executes the pipeline.
    pub thread_scope: ExecScope,
    /// The name to print.
    pub name_hint: Str,
    /// The number of stages that run at the same time.
    pub depth: i64,
    /// Whether producer and consumer are different threads.
    pub separate_pc: bool,
    /// Buffers that the expansion may use, by name.
    pub workspace: Map<Str, Buffer>,
    /// Options of the expansion by name.
    pub schedule_config: Map<Str, Any>,
}

/// A pipeline of copies.
///
/// TVM 0.25 `tirx.CopyPipeline`.
#[derive(Object)]
#[object(
    type_key = "tirx.CopyPipeline", files = tvm,
    parent = PipelineNode,
    base_args(
        thread_scope: ExecScope,
        name_hint: Str,
        depth: i64,
        separate_pc: bool,
        workspace: Map<Str, Buffer>,
        schedule_config: Map<Str, Any>,
    )
)]
#[structural_eq(tree)]
pub struct CopyPipelineNode {
    /// The [`PipelineNode`] part.
    pub base: PipelineNode,
}

/// The levels of the hardware hierarchy.
pub mod scope_kind {
    /// Blocks of threads that share memory with each other.
    pub const CLUSTER: i64 = 2;
    /// A block of threads.
    pub const CTA: i64 = 3;
    /// Four warps.
    pub const WARPGROUP: i64 = 4;
    /// Threads in lockstep.
    pub const WARP: i64 = 5;
    /// One thread.
    pub const THREAD: i64 = 6;
}

/// Pairs of levels: the members of the second are numbered within the first.
pub mod scope_binding {
    /// Clusters in the kernel.
    pub const KERNEL_CLUSTER: i64 = 0;
    /// Thread blocks in the kernel.
    pub const KERNEL_CTA: i64 = 1;
    /// Thread blocks in a cluster.
    pub const CLUSTER_CTA: i64 = 2;
    /// Warp groups in a thread block.
    pub const CTA_WARPGROUP: i64 = 3;
    /// Warps in a thread block.
    pub const CTA_WARP: i64 = 4;
    /// Warps in a warp group.
    pub const WARPGROUP_WARP: i64 = 5;
    /// Threads in a warp.
    pub const WARP_THREAD: i64 = 6;
    /// Threads in a thread block.
    pub const CTA_THREAD: i64 = 7;
    /// Threads in a warp group.
    pub const WARPGROUP_THREAD: i64 = 8;
    /// Pairs of thread blocks in a cluster.
    pub const CLUSTER_CTA_PAIR: i64 = 9;
}
