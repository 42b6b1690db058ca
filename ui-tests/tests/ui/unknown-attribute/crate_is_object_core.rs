use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", crate = std)]
#[structural_eq(tree)]
struct XNode {
    a: i64,
}

fn main() {}
