use object_core::prelude::*;

use ui_tests::VarNode;

#[derive(Object)]
#[object(type_key = "demo.X", parent = VarNode, base_args(name: Str))]
#[structural_eq(tree)]
struct XNode {
    base: VarNode,
}

#[derive(Object)]
#[object(type_key = "demo.Const", base)]
#[structural_eq(const_tree)]
struct ConstNode {}

#[derive(Object)]
#[object(type_key = "demo.Y", parent = ConstNode)]
#[structural_eq(none)]
struct YNode {
    base: ConstNode,
}

fn main() {}
