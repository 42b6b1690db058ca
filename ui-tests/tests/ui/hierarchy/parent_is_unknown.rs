use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", parent = ExpNode)]
#[structural_eq(tree)]
struct XNode {
    base: ExpNode,
}

fn main() {}
