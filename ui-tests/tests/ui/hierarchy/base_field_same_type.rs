use object_core::prelude::*;

mod other {
    pub struct ExprNode;
}

#[derive(Object)]
#[object(type_key = "demo.X", parent = ui_tests::ExprNode)]
#[structural_eq(tree)]
struct XNode {
    base: other::ExprNode,
}

fn main() {}
