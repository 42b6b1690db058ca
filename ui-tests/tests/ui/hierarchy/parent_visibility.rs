use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Base", base)]
struct BaseNode {}

#[derive(Object)]
#[object(type_key = "demo.X", parent = BaseNode)]
#[structural_eq(tree)]
pub struct XNode {
    base: BaseNode,
}

fn main() {}
