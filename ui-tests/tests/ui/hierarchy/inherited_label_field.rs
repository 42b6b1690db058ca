use object_core::prelude::*;

use ui_tests::ExprNode;

#[derive(Object)]
#[object(type_key = "demo.X", parent = ExprNode, label = "X({spam})")]
#[structural_eq(tree)]
struct XNode {
    base: ExprNode,
}

#[derive(Object)]
#[object(type_key = "demo.Pair", label = "{left.spam} {text.len}")]
#[structural_eq(tree)]
struct PairNode {
    left: X,
    text: Str,
}

fn main() {}
