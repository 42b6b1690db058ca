use object_core::prelude::*;

use ui_tests::VarNode;

#[derive(Object)]
#[object(type_key = "demo.X", parent = VarNode)]
#[structural_eq(var)]
struct XNode {
    base: VarNode,
}

fn main() {}
