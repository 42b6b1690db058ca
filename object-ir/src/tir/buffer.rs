//! Buffers: multi-dimensional memory, and access to it.

use object_core::prelude::*;

use crate::ir::expr::{IntImm, PrimExpr, PrimExprConvertibleNode, PrimExprNode, Range};
use crate::ir::span::Span;
use crate::tir::expr::Var;
use crate::tir::layout::Layout;

/// A view of memory as an array of elements.
///
/// TVM 0.25 `tirx.Buffer`.
#[derive(Object)]
#[object(type_key = "tirx.Buffer", files = tvm)]
#[structural_eq(tree)]
pub struct BufferNode {
    /// The address of the first byte.
    #[field(def)]
    pub data: Var,
    /// The element type.
    pub dtype: DataType,
    /// One extent per dimension, in elements.
    #[field(def)]
    pub shape: Array<PrimExpr>,
    /// The distance between neighbours per dimension, in elements; empty for dense row-major order.
    #[field(def)]
    pub strides: Array<PrimExpr>,
    /// The positions that cut the dimensions into groups, one group per physical dimension; empty for one group.
    #[field(def, may_contain(var))]
    pub axis_separators: Array<IntImm>,
    /// The distance from the address to the first element, in elements.
    #[field(def)]
    pub elem_offset: PrimExpr,
    /// The name to print.
    #[field(ignore)]
    pub name: Str,
    /// The alignment: the address is a multiple of this number of bytes.
    pub data_alignment: i64,
    /// `elem_offset` is a multiple of this number of elements; 0 if unknown.
    pub offset_factor: i64,
    /// One of [`buffer_type`].
    pub buffer_type: i64,
    /// The place in the source text.
    #[field(ignore)]
    pub span: Option<Span>,
    /// The map from logical indices to places on the hardware, if strides do not say it.
    pub layout: Option<Layout>,
    /// The addresses that a pass has assigned to the buffer, in bytes; empty before the pass.
    pub allocated_addr: Array<PrimExpr>,
}

/// The element (or vector of elements) of a buffer at some indices.
///
/// TVM 0.25 `tirx.BufferLoad`.
#[derive(Object)]
#[object(type_key = "tirx.BufferLoad", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct BufferLoadNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// The buffer.
    pub buffer: Buffer,
    /// One per dimension; the last may be a vector.
    pub indices: Array<PrimExpr>,
    /// Which lanes of a vector access happen; none for all.
    pub predicate: Option<PrimExpr>,
}

/// A box of elements of a buffer.
///
/// TVM 0.25 `tirx.BufferRegion`.
#[derive(Object)]
#[object(type_key = "tirx.BufferRegion", files = tvm, parent = PrimExprConvertibleNode)]
#[structural_eq(tree)]
pub struct BufferRegionNode {
    /// The [`PrimExprConvertibleNode`] part.
    pub base: PrimExprConvertibleNode,
    /// The buffer.
    pub buffer: Buffer,
    /// One range of indices per dimension.
    pub region: Array<Range>,
}

/// Another name for a box of elements, as a buffer of its own.
///
/// TVM 0.25 `tirx.MatchBufferRegion`.
#[derive(Object)]
#[object(type_key = "tirx.MatchBufferRegion", files = tvm)]
#[structural_eq(tree)]
pub struct MatchBufferRegionNode {
    /// The new buffer; its shape and strides match the shape and strides of the box.
    pub buffer: Buffer,
    /// The box.
    pub source: BufferRegion,
}

/// Base of tensor expressions that a loop body can read.
///
/// TVM 0.25 `tirx.DataProducer`.
#[derive(Object)]
#[object(type_key = "tirx.DataProducer", files = tvm, parent = PrimExprConvertibleNode, base)]
pub struct DataProducerNode {
    /// The [`PrimExprConvertibleNode`] part.
    pub base: PrimExprConvertibleNode,
}

/// How a [`Buffer`] treats dimensions of extent 1.
pub mod buffer_type {
    /// Like any other dimension.
    pub const DEFAULT: i64 = 1;
    /// Any index into them reads the one element.
    pub const AUTO_BROADCAST: i64 = 2;
}
