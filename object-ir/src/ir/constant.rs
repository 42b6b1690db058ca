//! Constants: tensors, scalars, strings and data types.

use object_core::Tensor;
use object_core::prelude::*;

use crate::ir::expr::{LeafExprNode, PrimExpr};

/// A tensor known at compile time.
///
/// TVM 0.25 `relax.expr.Constant`; spec: `Constant`.
#[derive(Object)]
#[object(type_key = "relax.expr.Constant", files = tvm, parent = LeafExprNode)]
#[structural_eq(tree)]
pub struct ConstantNode {
    /// The [`LeafExprNode`] part.
    pub base: LeafExprNode,
    /// Element type, shape and elements.
    pub data: Tensor,
}

/// A scalar as a value: an integer, float or truth value, possibly over shape variables.
///
/// TVM 0.25 `relax.expr.PrimValue`.
#[derive(Object)]
#[object(type_key = "relax.expr.PrimValue", files = tvm, parent = LeafExprNode)]
#[structural_eq(tree)]
pub struct PrimValueNode {
    /// The [`LeafExprNode`] part.
    pub base: LeafExprNode,
    /// The scalar expression.
    pub value: PrimExpr,
}

/// A string as an argument of a call.
///
/// TVM 0.25 `relax.expr.StringImm`.
#[derive(Object)]
#[object(type_key = "relax.expr.StringImm", files = tvm, parent = LeafExprNode)]
#[structural_eq(tree)]
pub struct StringImmNode {
    /// The [`LeafExprNode`] part.
    pub base: LeafExprNode,
    /// The text.
    pub value: Str,
}

/// A data type as an argument of a call.
///
/// TVM 0.25 `relax.expr.DataTypeImm`.
#[derive(Object)]
#[object(type_key = "relax.expr.DataTypeImm", files = tvm, parent = LeafExprNode)]
#[structural_eq(tree)]
pub struct DataTypeImmNode {
    /// The [`LeafExprNode`] part.
    pub base: LeafExprNode,
    /// The data type.
    pub value: DataType,
}
