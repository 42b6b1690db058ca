use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
#[structural_equal(tree)]
struct XNode {
    a: i64,
}

fn main() {}
