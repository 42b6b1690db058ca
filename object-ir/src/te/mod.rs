//! Tensor expressions: tensors described by what each element is, as they occur in loop bodies.

use object_core::prelude::*;

use crate::ir::expr::PrimExpr;
use crate::tir::buffer::DataProducerNode;
use crate::tir::reduce::IterVar;

/// Base of what can produce a tensor expression.
///
/// TVM 0.25 `te.Operation`.
#[derive(Object)]
#[object(type_key = "te.Operation", base)]
pub struct OperationNode {
    /// The name to print.
    pub name: Str,
    /// A label that schedules look for; empty if none.
    pub tag: Str,
    /// Further facts by name.
    pub attrs: Map<Str, Any>,
}

/// An input tensor. Comparing two of them is an error.
///
/// TVM 0.25 `te.PlaceholderOp`.
#[derive(Object)]
#[object(type_key = "te.PlaceholderOp", parent = OperationNode, base_args(name: Str, tag: Str, attrs: Map<Str, Any>))]
#[structural_eq(none)]
pub struct PlaceholderOpNode {
    /// The [`OperationNode`] part.
    pub base: OperationNode,
    /// One expression per dimension.
    pub shape: Array<PrimExpr>,
    /// The element type.
    pub dtype: DataType,
}

/// Base of operations with one iteration space.
///
/// TVM 0.25 `te.BaseComputeOp`.
#[derive(Object)]
#[object(
    type_key = "te.BaseComputeOp",
    parent = OperationNode,
    base,
    base_args(name: Str, tag: Str, attrs: Map<Str, Any>)
)]
pub struct BaseComputeOpNode {
    /// The [`OperationNode`] part.
    pub base: OperationNode,
    /// The axes of the result, one per dimension.
    pub axis: Array<IterVar>,
    /// The axes that are summed or otherwise reduced over.
    pub reduce_axis: Array<IterVar>,
}

/// A tensor computed element by element. Comparing two of them is an error.
///
/// TVM 0.25 `te.ComputeOp`.
#[derive(Object)]
#[object(
    type_key = "te.ComputeOp",
    parent = BaseComputeOpNode,
    base_args(name: Str, tag: Str, attrs: Map<Str, Any>, axis: Array<IterVar>, reduce_axis: Array<IterVar>)
)]
#[structural_eq(none)]
pub struct ComputeOpNode {
    /// The [`BaseComputeOpNode`] part.
    pub base: BaseComputeOpNode,
    /// The value of an element over the axes; one expression per result.
    pub body: Array<PrimExpr>,
}

/// One result of an operation.
///
/// TVM 0.25 `te.Tensor`.
#[derive(Object)]
#[object(type_key = "te.Tensor", parent = DataProducerNode)]
#[structural_eq(tree)]
pub struct TensorNode {
    /// The [`DataProducerNode`] part.
    pub base: DataProducerNode,
    /// One expression per dimension.
    pub shape: Array<PrimExpr>,
    /// The element type.
    pub dtype: DataType,
    /// The operation.
    pub op: Operation,
    /// Which of its results, counted from 0.
    pub value_index: i64,
}
