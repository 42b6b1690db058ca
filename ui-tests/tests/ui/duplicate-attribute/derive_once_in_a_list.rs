use object_core::prelude::*;

#[derive(Object, Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    a: i64,
}

fn main() {}
