use object_core::prelude::*;

struct PlainNode;

#[derive(Object)]
#[object(type_key = "demo.X", parent = PlainNode)]
#[structural_eq(tree)]
struct XNode {
    base: PlainNode,
}

fn main() {}
