use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", type_key = "demo.Y")]
#[structural_eq(tree)]
#[structural_eq(tree)]
struct XNode {
    #[field(meta(a = "1"), ignore, meta(b = "2"))]
    #[field(ignore)]
    a: i64,
}

fn main() {}
