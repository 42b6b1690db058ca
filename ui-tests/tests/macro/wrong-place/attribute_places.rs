use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[field(ignore)]
#[structural_eq(none)]
struct XNode {
    #[object(type_key = "demo.Y")]
    #[structural_eq(tree)]
    value: i64,
}

#[derive(Object, Clone, Copy)]
#[structural_eq(tree)]
enum Kind {
    #[field(ignore)]
    Serial,
}

fn main() {}
