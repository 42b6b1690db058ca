use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.A")]
#[structural_eq(tree)]
struct ANode {
    #[field(required)]
    first: i64,
    #[field(required, default)]
    second: Option<i64>,
}

fn main() {}
