use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.A", alias = "demo.my-op", removed("old name"))]
#[structural_eq(tree)]
struct ANode {
    #[field(alias = "1st")]
    first: i64,
}

fn main() {}
