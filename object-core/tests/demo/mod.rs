//! A small language for the tests of walks and rewrites.
#![allow(
    missing_docs,
    dead_code,
    unreachable_pub,
    reason = "the types of a test explain themselves; each file uses its part"
)]

use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    #[field(ignore, default)]
    pub span: Option<Str>,
}

#[derive(Object)]
#[object(type_key = "demo.Var", parent = ExprNode, label = "%{name}")]
#[structural_eq(var)]
pub struct VarNode {
    pub base: ExprNode,
    #[field(ignore)]
    pub name: Str,
    pub ty: Option<Expr>,
}

#[derive(Object)]
#[object(type_key = "demo.Imm", parent = ExprNode)]
#[structural_eq(tree)]
pub struct ImmNode {
    pub base: ExprNode,
    pub value: i64,
}

#[derive(Object)]
#[object(type_key = "demo.Add", parent = ExprNode)]
#[structural_eq(tree)]
pub struct AddNode {
    pub base: ExprNode,
    pub lhs: Expr,
    pub rhs: Expr,
}

#[derive(Object)]
#[object(type_key = "demo.Lambda", parent = ExprNode)]
#[structural_eq(tree, scope)]
pub struct LambdaNode {
    pub base: ExprNode,
    #[field(def)]
    pub params: Array<Var>,
    pub body: Expr,
}

#[derive(Object)]
#[object(type_key = "demo.Let", parent = ExprNode)]
#[structural_eq(tree, scope)]
pub struct LetNode {
    pub base: ExprNode,
    #[field(outer)]
    pub value: Expr,
    #[field(def_simple)]
    pub var: Var,
    pub body: Expr,
}

/// A definition that is in force for everything after it.
#[derive(Object)]
#[object(type_key = "demo.Bind", parent = ExprNode)]
#[structural_eq(tree)]
pub struct BindNode {
    pub base: ExprNode,
    #[field(outer)]
    pub value: Expr,
    #[field(def)]
    pub var: Var,
}

#[derive(Object)]
#[object(type_key = "demo.Seq", parent = ExprNode)]
#[structural_eq(tree)]
pub struct SeqNode {
    pub base: ExprNode,
    pub items: Array<Expr>,
}

#[derive(Object)]
#[object(type_key = "demo.Table", parent = ExprNode)]
#[structural_eq(tree)]
pub struct TableNode {
    pub base: ExprNode,
    pub entries: Map<Any, Any>,
}

pub fn var(name: &str) -> Var {
    Var::new(name, None)
}

pub fn imm(value: i64) -> Expr {
    Imm::new(value).into()
}

pub fn add(lhs: impl Into<Expr>, rhs: impl Into<Expr>) -> Expr {
    Add::new(lhs, rhs).into()
}

/// `depth` times `e = Add(e, e)`.
pub fn ladder(depth: usize) -> Expr {
    (0..depth).fold(imm(1), |below, _| add(below.clone(), below))
}
