use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree, dag)]
struct XNode {
    value: i64,
}

fn main() {}
