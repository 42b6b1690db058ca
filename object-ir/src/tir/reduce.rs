//! Reductions and the axes that they run over.

use object_core::prelude::*;

use crate::ir::expr::{PrimExpr, PrimExprConvertibleNode, PrimExprNode, Range};
use crate::ir::span::Span;
use crate::ir::{IntImm, Op};
use crate::tir::buffer::DataProducer;
use crate::tir::expr::{Call, Var};

/// An axis of iteration.
///
/// TVM 0.25 `tirx.IterVar`.
#[derive(Object)]
#[object(type_key = "tirx.IterVar", files = tvm, parent = PrimExprConvertibleNode)]
#[structural_eq(tree)]
pub struct IterVarNode {
    /// The [`PrimExprConvertibleNode`] part.
    pub base: PrimExprConvertibleNode,
    /// The range of its values, if known.
    #[field(outer)]
    pub dom: Option<Range>,
    /// The variable that has the current value.
    #[field(def)]
    pub var: Var,
    /// How the axis may be executed: one of [`iter_var_type`].
    pub iter_type: i64,
    /// The hardware index that the axis is bound to, such as `threadIdx.x`; empty if none.
    pub thread_tag: Str,
}

/// The name of the fact that a statement reduces values over threads ([`AttrStmtNode::attr_key`](crate::tir::AttrStmtNode)). Its
/// value has no meaning: it is the [`null_address`] in TVM 0.25, and the number 0 in the versions after it.
pub const REDUCE_SCOPE: &str = "reduce_scope";

/// The address that no memory has, as TVM 0.25 writes it (`make_zero` in src/tirx/op/op.cc).
#[must_use]
pub fn null_address() -> PrimExpr {
    let zero: PrimExpr = IntImm::new(DataType::uint(64), 0).into();
    let operator = Op::get("tirx.reinterpret").unwrap_or_else(|error| panic!("{error}"));
    Call::new(DataType::handle(), operator, Array::from(vec![zero]), None).into()
}

/// How a reduction combines two values, for one or several values at a time.
///
/// TVM 0.25 `tirx.CommReducer`.
#[derive(Object)]
#[object(type_key = "tirx.CommReducer", files = tvm)]
#[structural_eq(tree)]
pub struct CommReducerNode {
    /// The variables for the values so far.
    #[field(def)]
    pub lhs: Array<Var>,
    /// The variables for the next values.
    #[field(def)]
    pub rhs: Array<Var>,
    /// The combined values, over `lhs` and `rhs`.
    pub result: Array<PrimExpr>,
    /// The values to start from.
    pub identity_element: Array<PrimExpr>,
    /// The place in the source text.
    #[field(ignore)]
    pub span: Option<Span>,
}

/// A reduction over axes.
///
/// TVM 0.25 `tirx.Reduce`.
#[derive(Object)]
#[object(type_key = "tirx.Reduce", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct ReduceNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// How values are combined.
    pub combiner: CommReducer,
    /// The values at one point of the axes.
    pub source: Array<PrimExpr>,
    /// The values to start from instead of the identity; empty if none.
    pub init: Array<PrimExpr>,
    /// The axes.
    pub axis: Array<IterVar>,
    /// Points where this is false are left out.
    pub condition: PrimExpr,
    /// Which of the combined values is the result, counted from 0.
    pub value_index: i64,
}

/// An element of a tensor expression.
///
/// TVM 0.25 `tirx.ProducerLoad`.
#[derive(Object)]
#[object(type_key = "tirx.ProducerLoad", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct ProducerLoadNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// The tensor expression.
    pub producer: DataProducer,
    /// One per dimension.
    pub indices: Array<PrimExpr>,
}

/// How an [`IterVar`] may be executed.
pub mod iter_var_type {
    /// In any order, in parallel: the values are independent.
    pub const DATA_PAR: i64 = 0;
    /// Given by the hardware, as the index of a thread.
    pub const THREAD_INDEX: i64 = 1;
    /// As a reduction whose order does not matter.
    pub const COMM_REDUCE: i64 = 2;
    /// In order.
    pub const ORDERED: i64 = 3;
    /// In an unknown order.
    pub const OPAQUE: i64 = 4;
    /// Unrolled.
    pub const UNROLLED: i64 = 5;
    /// As lanes of vector instructions.
    pub const VECTORIZED: i64 = 6;
    /// On several threads of the host.
    pub const PARALLELIZED: i64 = 7;
    /// Inside of an intrinsic over a whole tile.
    pub const TENSORIZED: i64 = 8;
}
