use object_core::prelude::*;
use ui_tests::{ExprNode, VarNode};

#[derive(Object)]
#[object(type_key = "demo.TooFew", parent = VarNode)]
#[structural_eq(var)]
struct TooFewNode {
    base: VarNode,
}

#[derive(Object)]
#[object(type_key = "demo.TooMany", parent = ExprNode, base_args(name: Str))]
#[structural_eq(tree)]
struct TooManyNode {
    base: ExprNode,
}

#[derive(Object)]
#[object(type_key = "demo.Other", parent = VarNode, base_args(name: i64))]
#[structural_eq(var)]
struct OtherNode {
    base: VarNode,
}

fn main() {}
