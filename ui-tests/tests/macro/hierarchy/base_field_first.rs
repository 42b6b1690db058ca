use object_core::prelude::*;

use ui_tests::ExprNode;

#[derive(Object)]
#[object(type_key = "demo.X", parent = ExprNode)]
#[structural_eq(tree)]
struct XNode {
    value: i64,
    base: ExprNode,
}

fn main() {}
