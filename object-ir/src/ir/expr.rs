//! The bases of expressions, and the scalar constants that every language of the module shares.

use object_core::prelude::*;

use crate::ir::span::Span;

/// Base of everything that denotes a value, scalar or not.
///
/// TVM 0.25 `ir.BaseExpr`.
#[derive(Object)]
#[object(type_key = "ir.BaseExpr", base)]
#[structural_eq(tree)]
pub struct BaseExprNode {
    /// Where the expression was written.
    #[field(ignore, default)]
    pub span: Option<Span>,
}

/// Base of scalar (and vector) expressions, the language of shapes and of loop bodies.
///
/// TVM 0.25 `ir.PrimExpr`; spec: `PrimExpr`.
#[derive(Object)]
#[object(type_key = "ir.PrimExpr", parent = BaseExprNode, base)]
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
#[object(type_key = "ir.StructInfo", base)]
#[structural_eq(tree)]
pub struct StructInfoNode {
    /// Where the annotation was written.
    #[field(ignore)]
    pub span: Option<Span>,
}

/// Base of expressions over tensors, tuples, functions and other objects.
///
/// TVM 0.25 `ir.RelaxExpr`; spec: `Expr`.
#[derive(Object)]
#[object(type_key = "ir.RelaxExpr", parent = BaseExprNode, base)]
#[structural_eq(tree)]
pub struct RelaxExprNode {
    /// The [`BaseExprNode`] part.
    pub base: BaseExprNode,
    /// What is known about the value, once inferred or annotated. It does not count in structural equality, except
    /// for [`Var`](crate::ir::var::Var).
    #[field(ignore, rename = "struct_info_")]
    pub struct_info: Option<StructInfo>,
}

/// Base of expressions without subexpressions, which may stand as arguments in normal form.
///
/// TVM 0.25 `relax.expr.LeafExpr`; spec: Normal Form, 1.
#[derive(Object)]
#[object(type_key = "relax.expr.LeafExpr", parent = RelaxExprNode, base)]
pub struct LeafExprNode {
    /// The [`RelaxExprNode`] part.
    pub base: RelaxExprNode,
}

/// An integer constant. Truth values are integers of type `bool`.
///
/// TVM 0.25 `ir.IntImm`.
#[derive(Object)]
#[object(type_key = "ir.IntImm", parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct IntImmNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// The number, sign-extended to 64 bits.
    pub value: i64,
}

/// A floating-point constant.
///
/// TVM 0.25 `ir.FloatImm`.
#[derive(Object)]
#[object(type_key = "ir.FloatImm", parent = PrimExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct FloatImmNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
    /// The number in double precision, whatever the data type.
    pub value: f64,
}

/// The half-open range of integers from `min` to `min + extent`.
///
/// TVM 0.25 `ir.Range`.
#[derive(Object)]
#[object(type_key = "ir.Range")]
#[structural_eq(tree)]
pub struct RangeNode {
    /// The first integer.
    pub min: PrimExpr,
    /// How many integers.
    pub extent: PrimExpr,
    /// Where the range was written.
    #[field(ignore)]
    pub span: Option<Span>,
}

/// Base of objects that may stand where a scalar expression is wanted, such as loop axes.
///
/// TVM 0.25 `ir.PrimExprConvertible`.
#[derive(Object)]
#[object(type_key = "ir.PrimExprConvertible", base)]
pub struct PrimExprConvertibleNode {}
