//! Scalar expressions other than arithmetic and comparison.

use object_core::prelude::*;

use crate::ir::attrs::Attrs;
use crate::ir::expr::{PrimExpr, PrimExprNode, RelaxExpr};
use crate::ir::ty::{PrimType, Type};

/// A variable: a shape variable, a loop variable, a parameter or the address of a buffer.
///
/// TVM 0.25 `tirx.Var`.
#[derive(Object)]
#[object(type_key = "tirx.Var", files = tvm, parent = PrimExprNode, base, base_args(dtype: DataType), label = "{name:word}")]
#[structural_eq(var)]
pub struct VarNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// The name to print, not necessarily unique.
    #[field(ignore)]
    pub name: Str,
    /// The type; a pointer type for addresses.
    pub type_annotation: Type,
}

impl Var {
    /// A variable for the size of a dimension, of type `int64`.
    #[must_use]
    pub fn dim(name: impl Into<Str>) -> Var {
        let dtype = DataType::int(64);
        Var::new(dtype, name, PrimType::new(dtype))
    }

    /// Another variable of the same name and type.
    #[must_use]
    pub fn fresh(&self) -> Var {
        Var::new(self.dtype, self.name.clone(), self.type_annotation.clone())
    }
}

/// A variable that is never negative, such as a dimension.
///
/// TVM 0.25 `tirx.SizeVar`.
#[derive(Object)]
#[object(
    type_key = "tirx.SizeVar", files = tvm,
    parent = VarNode,
    base_args(dtype: DataType, name: Str, type_annotation: Type),
    label = "{name:word}"
)]
#[structural_eq(var)]
pub struct SizeVarNode {
    /// The [`VarNode`] part.
    pub base: VarNode,
}

/// A string constant, as an argument of calls and as a message.
///
/// TVM 0.25 `tirx.StringImm`.
#[derive(Object)]
#[object(type_key = "tirx.StringImm", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct StringImmNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// The text.
    pub value: Str,
}

/// A value converted to the node's data type.
///
/// TVM 0.25 `tirx.Cast`.
#[derive(Object)]
#[object(type_key = "tirx.Cast", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct CastNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// The value to convert.
    pub value: PrimExpr,
}

/// One of two values; both are evaluated.
///
/// TVM 0.25 `tirx.Select`.
#[derive(Object)]
#[object(type_key = "tirx.Select", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct SelectNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// A truth value.
    pub condition: PrimExpr,
    /// The result if the condition is true.
    pub true_value: PrimExpr,
    /// The result otherwise.
    pub false_value: PrimExpr,
}

/// A value with a variable bound in it.
///
/// TVM 0.25 `tirx.Let`.
#[derive(Object)]
#[object(type_key = "tirx.Let", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct LetNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// The variable that this node defines.
    #[field(def)]
    pub var: Var,
    /// The value of the variable.
    pub value: PrimExpr,
    /// The result, in which the variable may occur.
    pub body: PrimExpr,
}

/// A call of an intrinsic, or of a function of the module.
///
/// TVM 0.25 `tirx.Call`.
#[derive(Object)]
#[object(type_key = "tirx.Call", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct CallNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// An [`Op`](crate::ir::op::Op) or a [`GlobalVar`](crate::ir::var::GlobalVar).
    pub op: RelaxExpr,
    /// The arguments, in order.
    pub args: Array<PrimExpr>,
    /// Attributes, for the few intrinsics that have any.
    pub attrs: Option<Attrs>,
}

/// A vector of evenly spaced scalars.
///
/// TVM 0.25 `tirx.Ramp`.
#[derive(Object)]
#[object(type_key = "tirx.Ramp", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct RampNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// The first scalar.
    #[field(rename = "base")]
    pub start: PrimExpr,
    /// The distance between neighbours.
    pub stride: PrimExpr,
    /// The number of scalars.
    pub lanes: PrimExpr,
}

/// A vector of one scalar repeated.
///
/// TVM 0.25 `tirx.Broadcast`.
#[derive(Object)]
#[object(type_key = "tirx.Broadcast", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct BroadcastNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// The scalar.
    pub value: PrimExpr,
    /// The number of lanes.
    pub lanes: PrimExpr,
}

/// A vector picked from the lanes of other vectors.
///
/// TVM 0.25 `tirx.Shuffle`.
#[derive(Object)]
#[object(type_key = "tirx.Shuffle", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct ShuffleNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// The vectors; their lanes are numbered consecutively.
    pub vectors: Array<PrimExpr>,
    /// Which lanes, in order.
    pub indices: Array<PrimExpr>,
}
