use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", parent = XNode, base)]
#[structural_eq(tree)]
struct XNode {
    base: Box<XNode>,
}

fn main() {}
