use object_core::prelude::*;

use ui_tests::VarNode;

#[derive(Object)]
#[object(type_key = "demo.X", parent = VarNode, base_args(name: Str))]
#[structural_eq(var)]
struct XNode {
    base: VarNode,
    span: i64,
    #[field(rename = "name")]
    title: Str,
}

fn main() {}
