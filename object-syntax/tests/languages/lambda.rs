//! The lambda calculus with types and `let`.

use object_core::prelude::*;

/// Base of types.
#[derive(Object)]
#[object(type_key = "lambda.Type", base)]
pub struct TypeNode {}

/// A type of values without parts.
#[derive(Object)]
#[object(type_key = "lambda.Atom", parent = TypeNode, format = "${name:word}")]
#[structural_eq(tree)]
pub struct AtomNode {
    pub base: TypeNode,
    pub name: Str,
}

/// A type of functions.
#[derive(Object)]
#[object(
    type_key = "lambda.Arrow",
    parent = TypeNode,
    format = "$from -> $to",
    precedence = 1,
    associativity = right
)]
#[structural_eq(tree)]
pub struct ArrowNode {
    pub base: TypeNode,
    pub from: Type,
    pub to: Type,
}

/// Base of expressions.
#[derive(Object)]
#[object(type_key = "lambda.Expr", base)]
pub struct ExprNode {}

/// A variable.
#[derive(Object)]
#[object(type_key = "lambda.Var", parent = ExprNode, format = "$name$(: $ty)?")]
#[structural_eq(var)]
pub struct VarNode {
    pub base: ExprNode,
    #[field(ignore)]
    pub name: Str,
    #[field(default)]
    pub ty: Option<Type>,
}

/// A function.
#[derive(Object)]
#[object(type_key = "lambda.Lambda", parent = ExprNode, format = "\\$param. $body")]
#[structural_eq(tree, scope)]
pub struct LambdaNode {
    pub base: ExprNode,
    #[field(def)]
    pub param: Var,
    pub body: Expr,
}

/// A call.
#[derive(Object)]
#[object(type_key = "lambda.Apply", parent = ExprNode, format = "$function $argument", precedence = 30)]
#[structural_eq(tree)]
pub struct ApplyNode {
    pub base: ExprNode,
    pub function: Expr,
    pub argument: Expr,
}

/// A name for a value in an expression. The value is out of the scope of the name.
#[derive(Object)]
#[object(type_key = "lambda.Let", parent = ExprNode, format = "let $var = $value in $body")]
#[structural_eq(tree, scope)]
pub struct LetNode {
    pub base: ExprNode,
    #[field(outer)]
    pub value: Expr,
    #[field(def)]
    pub var: Var,
    pub body: Expr,
}

/// A number.
#[derive(Object)]
#[object(type_key = "lambda.Int", parent = ExprNode, format = "$value")]
#[structural_eq(tree)]
pub struct IntNode {
    pub base: ExprNode,
    pub value: i64,
}

/// A sum.
#[derive(Object)]
#[object(type_key = "lambda.Add", parent = ExprNode, format = "$lhs + $rhs", precedence = 10)]
#[structural_eq(tree)]
pub struct AddNode {
    pub base: ExprNode,
    pub lhs: Expr,
    pub rhs: Expr,
}

/// A difference.
#[derive(Object)]
#[object(type_key = "lambda.Sub", parent = ExprNode, format = "$lhs - $rhs", precedence = 10)]
#[structural_eq(tree)]
pub struct SubNode {
    pub base: ExprNode,
    pub lhs: Expr,
    pub rhs: Expr,
}

/// A product.
#[derive(Object)]
#[object(type_key = "lambda.Mul", parent = ExprNode, format = "$lhs * $rhs", precedence = 20)]
#[structural_eq(tree)]
pub struct MulNode {
    pub base: ExprNode,
    pub lhs: Expr,
    pub rhs: Expr,
}

/// The negative of a number.
#[derive(Object)]
#[object(type_key = "lambda.Neg", parent = ExprNode, format = "-$value", precedence = 25)]
#[structural_eq(tree)]
pub struct NegNode {
    pub base: ExprNode,
    pub value: Expr,
}

/// A choice.
#[derive(Object)]
#[object(type_key = "lambda.If", parent = ExprNode, format = "if $condition then $then$( else $otherwise)?")]
#[structural_eq(tree)]
pub struct IfNode {
    pub base: ExprNode,
    pub condition: Expr,
    pub then: Expr,
    #[field(default)]
    pub otherwise: Option<Expr>,
}

/// A value without a format.
#[derive(Object)]
#[object(type_key = "lambda.Pair", parent = ExprNode)]
#[structural_eq(tree)]
pub struct PairNode {
    pub base: ExprNode,
    pub first: Expr,
    pub second: Expr,
    #[field(default)]
    pub note: Str,
}
