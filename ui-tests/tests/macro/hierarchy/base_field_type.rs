use object_core::prelude::*;

use ui_tests::{ExprNode, VarNode};

#[derive(Object)]
#[object(type_key = "demo.X", parent = ExprNode)]
#[structural_eq(tree)]
struct XNode {
    base: VarNode,
}

fn main() {}
