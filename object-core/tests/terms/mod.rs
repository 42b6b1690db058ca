//! Terms with one binder, for the tests of tables keyed by structure.
#![allow(missing_docs, unreachable_pub, reason = "the types of a test explain themselves")]

use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "terms.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    #[field(ignore, default)]
    pub note: Any,
}

#[derive(Object)]
#[object(type_key = "terms.Int", parent = ExprNode)]
#[structural_eq(tree)]
pub struct IntNode {
    pub base: ExprNode,
    pub value: i64,
}

#[derive(Object)]
#[object(type_key = "terms.Neg", parent = ExprNode)]
#[structural_eq(tree)]
pub struct NegNode {
    pub base: ExprNode,
    pub of: Expr,
}

#[derive(Object)]
#[object(type_key = "terms.Var", parent = ExprNode)]
#[structural_eq(var)]
pub struct VarNode {
    pub base: ExprNode,
}

#[derive(Object)]
#[object(type_key = "terms.Lambda", parent = ExprNode)]
#[structural_eq(tree)]
pub struct LambdaNode {
    pub base: ExprNode,
    #[field(def)]
    pub param: Var,
    pub body: Expr,
}

#[derive(Object)]
#[object(type_key = "terms.Uncomparable")]
#[structural_eq(none)]
pub struct UncomparableNode {
    pub value: i64,
}

pub fn neg(of: impl Into<Expr>) -> Expr {
    Neg::new(of).into()
}

pub fn int(value: i64) -> Expr {
    Int::new(value).into()
}

pub fn lambda(make: impl FnOnce(Var) -> Expr) -> Expr {
    let param = Var::new();
    Lambda::new(param.clone(), make(param)).into()
}
