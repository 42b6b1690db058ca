use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.A", version = 0)]
#[structural_eq(tree)]
struct ANode {}

#[derive(Object)]
#[object(type_key = "demo.B", version = 2u8)]
#[structural_eq(tree)]
struct BNode {}

fn main() {}
