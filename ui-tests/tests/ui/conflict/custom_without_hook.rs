use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree, custom)]
struct XNode {
    value: i64,
}

fn main() {}
