//! Tensor expressions: tensors defined by the value of each element.

use object_core::prelude::*;

use crate::ir::expr::{PrimExpr, RelaxExpr};
use crate::tir::buffer::{Buffer, DataProducerNode};
use crate::tir::reduce::IterVar;
use crate::tir::stmt::Stmt;

/// Base of the operations that produce tensors.
///
/// TVM 0.25 `te.Operation`.
#[derive(Object)]
#[object(type_key = "te.Operation", files = tvm, base)]
pub struct OperationNode {
    /// The name to print.
    pub name: Str,
    /// A label for schedules; empty if none.
    pub tag: Str,
    /// Further facts by name.
    pub attrs: Map<Str, Any>,
}

/// An input tensor. Comparing two of them is an error.
///
/// TVM 0.25 `te.PlaceholderOp`.
#[derive(Object)]
#[object(
    type_key = "te.PlaceholderOp", files = tvm,
    parent = OperationNode,
    base,
    base_args(name: Str, tag: Str, attrs: Map<Str, Any>)
)]
#[structural_eq(none)]
pub struct PlaceholderOpNode {
    /// The [`OperationNode`] part.
    pub base: OperationNode,
    /// One expression per dimension.
    pub shape: Array<PrimExpr>,
    /// The element type.
    pub dtype: DataType,
}

/// An input tensor that stands for an expression of Relax while TVM makes a PrimFunc of an operator. Modules that TVM saves
/// in between contain such inputs.
///
/// TVM 0.25 `relax.TEPlaceholderOp`.
#[derive(Object)]
#[object(
    type_key = "relax.TEPlaceholderOp", files = tvm,
    parent = PlaceholderOpNode,
    base_args(name: Str, tag: Str, attrs: Map<Str, Any>, shape: Array<PrimExpr>, dtype: DataType)
)]
#[structural_eq(tree)]
pub struct TEPlaceholderOpNode {
    /// The [`PlaceholderOpNode`] part.
    pub base: PlaceholderOpNode,
    /// The expression.
    pub value: RelaxExpr,
}

/// Base of operations with one iteration space.
///
/// TVM 0.25 `te.BaseComputeOp`.
#[derive(Object)]
#[object(
    type_key = "te.BaseComputeOp", files = tvm,
    parent = OperationNode,
    base,
    base_args(name: Str, tag: Str, attrs: Map<Str, Any>)
)]
pub struct BaseComputeOpNode {
    /// The [`OperationNode`] part.
    pub base: OperationNode,
    /// The axes of the result, one per dimension.
    pub axis: Array<IterVar>,
    /// The axes of the reduction.
    pub reduce_axis: Array<IterVar>,
}

/// A tensor computed element by element. Comparing two of them is an error.
///
/// TVM 0.25 `te.ComputeOp`.
#[derive(Object)]
#[object(
    type_key = "te.ComputeOp", files = tvm,
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

/// Tensors computed step by step along their first dimension, each step from the steps before it; one tensor per state.
/// Comparing two of them is an error.
///
/// TVM 0.25 `te.ScanOp`.
#[derive(Object)]
#[object(type_key = "te.ScanOp", files = tvm, parent = OperationNode, base_args(name: Str, tag: Str, attrs: Map<Str, Any>))]
#[structural_eq(none)]
pub struct ScanOpNode {
    /// The [`OperationNode`] part.
    pub base: OperationNode,
    /// The steps after those in `init`.
    pub scan_axis: IterVar,
    /// The first steps, one tensor per state.
    pub init: Array<Tensor>,
    /// All further steps, over `state_placeholder`; one tensor per state.
    pub update: Array<Tensor>,
    /// The placeholders in `update` for the states so far; one per state.
    pub state_placeholder: Array<Tensor>,
    /// Tensors that `update` reads. The list helps to find them and may be incomplete.
    pub inputs: Array<Tensor>,
    /// The other dimensions of the results: first the dimensions of the first result, then of the second, and so on.
    #[field(rename = "spatial_axis_")]
    pub spatial_axis: Array<IterVar>,
}

/// Tensors computed by a statement as a whole, such as the call of a library. Comparing two of them is an error.
///
/// TVM 0.25 `te.ExternOp`.
#[derive(Object)]
#[object(type_key = "te.ExternOp", files = tvm, parent = OperationNode, base_args(name: Str, tag: Str, attrs: Map<Str, Any>))]
#[structural_eq(none)]
pub struct ExternOpNode {
    /// The [`OperationNode`] part.
    pub base: OperationNode,
    /// The tensors that the statement reads.
    pub inputs: Array<Tensor>,
    /// The placeholders in `body` for the inputs, one each.
    pub input_placeholders: Array<Buffer>,
    /// The placeholders in `body` for the results, one each.
    pub output_placeholders: Array<Buffer>,
    /// The statement, over the placeholders.
    pub body: Stmt,
}

/// One result of an operation.
///
/// TVM 0.25 `te.Tensor`.
#[derive(Object)]
#[object(type_key = "te.Tensor", files = tvm, parent = DataProducerNode)]
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
