use object_core::prelude::*;

use ui_tests::ExprNode;

#[derive(Object)]
#[object(type_key = "demo.X", parent = ExprNode, base_args(dtype: DataType))]
#[structural_eq(singleton, key = name)]
struct XNode {
    base: ExprNode,
    name: Str,
}

fn main() {}
