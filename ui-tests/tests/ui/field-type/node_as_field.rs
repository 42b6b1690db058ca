use object_core::prelude::*;

use ui_tests::ConstNode;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: ConstNode,
    more: Array<ConstNode>,
}

fn main() {}
