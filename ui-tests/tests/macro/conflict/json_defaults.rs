use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", json = name)]
#[structural_eq(tree)]
struct XNode {
    name: Str,
    level: i64,
}

fn main() {}
