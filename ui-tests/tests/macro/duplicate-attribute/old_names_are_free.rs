use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.A", alias = "demo.A", removed("first", "old"))]
#[structural_eq(tree)]
struct ANode {
    first: i64,
    #[field(alias = "old", alias = "first")]
    second: i64,
}

fn main() {}
