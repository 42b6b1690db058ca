use object_core::prelude::*;

#[derive(Object, Clone)]
#[object(type_key = "demo.X", opaque)]
#[structural_eq(tree)]
struct XNode {
    lines: Vec<String>,
}

fn main() {}
