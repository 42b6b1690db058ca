use object_core::prelude::*;

use ui_tests::ConstNode;

#[derive(Object)]
#[object(type_key = "demo.X", parent = ConstNode)]
#[structural_eq(tree)]
struct XNode {
    base: ConstNode,
}

fn main() {}
