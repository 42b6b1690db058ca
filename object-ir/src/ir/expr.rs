//! The bases of expressions and of structural information, and the scalar constants that all languages share.

use object_core::prelude::*;

use crate::ir::span::Span;

/// Base of all expressions, scalar or not.
///
/// TVM 0.25 `ir.BaseExpr`.
#[derive(Object)]
#[object(type_key = "ir.BaseExpr", files = tvm, base)]
#[structural_eq(tree)]
pub struct BaseExprNode {
    /// The place in the source text.
    #[field(ignore, default)]
    pub span: Option<Span>,
}

/// Base of scalar and vector expressions: the expressions in shapes and loop bodies.
///
/// TVM 0.25 `ir.PrimExpr`; spec: `PrimExpr`.
#[derive(Object)]
#[object(type_key = "ir.PrimExpr", files = tvm, parent = BaseExprNode, base)]
#[structural_eq(tree)]
pub struct PrimExprNode {
    /// The [`BaseExprNode`] part.
    pub base: BaseExprNode,
    /// The data type of the value.
    pub dtype: DataType,
}

/// Base of all structural information.
///
/// TVM 0.25 `ir.StructInfo`.
#[derive(Object)]
#[object(type_key = "ir.StructInfo", files = tvm, base)]
#[structural_eq(tree)]
pub struct StructInfoNode {
    /// The place in the source text.
    #[field(ignore)]
    pub span: Option<Span>,
}

/// Base of expressions over tensors, tuples, functions and other objects.
///
/// TVM 0.25 `ir.RelaxExpr`; spec: `Expr`.
#[derive(Object)]
#[object(type_key = "ir.RelaxExpr", files = tvm, parent = BaseExprNode, base)]
#[structural_eq(tree)]
pub struct RelaxExprNode {
    /// The [`BaseExprNode`] part.
    pub base: BaseExprNode,
    /// The structural information of the value, once inferred or annotated. Structural equality ignores it, except in
    /// [`Var`](crate::ir::Var).
    #[field(ignore, rename = "struct_info_")]
    pub struct_info: Option<StructInfo>,
}

/// Base of expressions without subexpressions, which are arguments in normal form.
///
/// TVM 0.25 `relax.expr.LeafExpr`; spec: Normal Form, 1.
#[derive(Object)]
#[object(type_key = "relax.expr.LeafExpr", files = tvm, parent = RelaxExprNode, base)]
pub struct LeafExprNode {
    /// The [`RelaxExprNode`] part.
    pub base: RelaxExprNode,
}

/// An integer constant. Truth values are integers of type `bool`.
///
/// TVM 0.25 `ir.IntImm`.
#[derive(Object)]
#[object(type_key = "ir.IntImm", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct IntImmNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// The value, sign-extended to 64 bits.
    pub value: i64,
}

/// A floating-point constant.
///
/// TVM 0.25 `ir.FloatImm`.
#[derive(Object)]
#[object(type_key = "ir.FloatImm", files = tvm, parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct FloatImmNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// The value in double precision, for every data type.
    pub value: f64,
}

/// The half-open range of integers from `min` to `min + extent`.
///
/// TVM 0.25 `ir.Range`.
#[derive(Object)]
#[object(type_key = "ir.Range", files = tvm)]
#[structural_eq(tree)]
pub struct RangeNode {
    /// The first integer.
    pub min: PrimExpr,
    /// The number of integers.
    pub extent: PrimExpr,
    /// The place in the source text.
    #[field(ignore)]
    pub span: Option<Span>,
}

/// Base of objects that convert to a scalar expression, such as loop axes.
///
/// TVM 0.25 `ir.PrimExprConvertible`.
#[derive(Object)]
#[object(type_key = "ir.PrimExprConvertible", files = tvm, base)]
pub struct PrimExprConvertibleNode {}
