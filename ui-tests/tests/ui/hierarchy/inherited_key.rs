use object_core::prelude::*;

use ui_tests::ExprNode;

#[derive(Object)]
#[object(type_key = "demo.X", parent = ExprNode)]
#[structural_eq(singleton, table = list)]
struct XNode {
    base: ExprNode,
}

fn list() -> Vec<XNode> {
    vec![XNode { base: ExprNode { span: None } }]
}

fn main() {}
