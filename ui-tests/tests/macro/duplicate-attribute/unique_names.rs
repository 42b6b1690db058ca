use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
    #[field(rename = "value")]
    other: i64,
}

fn main() {}
