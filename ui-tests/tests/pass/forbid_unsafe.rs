//! The expansion contains `unsafe`, and compiles where the user forbids it.
#![forbid(unsafe_code)]

use object_core::prelude::*;
use ui_tests::{Expr, ExprNode, VarNode};

#[derive(Object)]
#[object(type_key = "forbid_unsafe.Lambda", parent = ExprNode, base)]
#[structural_eq(tree)]
pub struct LambdaNode {
    pub base: ExprNode,
    #[field(def)]
    pub params: Array<Param>,
    pub body: Option<Expr>,
}

#[derive(Object)]
#[object(type_key = "forbid_unsafe.Param", parent = VarNode, base_args(name: Str))]
#[structural_eq(var)]
pub struct ParamNode {
    pub base: VarNode,
}

#[derive(Object)]
#[object(type_key = "forbid_unsafe.Unit")]
#[structural_eq(singleton, key = name)]
pub struct UnitNode {
    pub name: Str,
}

#[derive(Object, Clone, Copy)]
pub enum Order {
    Row,
    Column,
}

#[derive(Object, Clone)]
#[object(type_key = "forbid_unsafe.Lines", opaque)]
pub struct LinesNode {
    pub lines: Vec<String>,
}

pub(super) fn main() {
    let lambda = Lambda::new([Param::new("x")], None);
    assert_eq!(lambda.params.len(), 1);
}
