use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", format = "$value + $value")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

fn main() {}
