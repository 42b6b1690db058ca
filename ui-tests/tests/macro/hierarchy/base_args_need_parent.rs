use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", base_args(name: Str))]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

fn main() {}
