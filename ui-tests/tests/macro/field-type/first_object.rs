use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Cons")]
#[structural_eq(tree)]
struct ConsNode {
    head: i64,
    tail: Cons,
}

fn main() {}
