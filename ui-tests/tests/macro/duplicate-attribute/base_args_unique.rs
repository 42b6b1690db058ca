use object_core::prelude::*;

use ui_tests::VarNode;

#[derive(Object)]
#[object(type_key = "demo.X", parent = VarNode, base_args(name: Str, name: Str, dtype: DataType))]
#[structural_eq(var)]
struct XNode {
    base: VarNode,
    dtype: DataType,
}

fn main() {}
