use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.A", removed())]
#[structural_eq(tree)]
struct ANode {}

#[derive(Object)]
#[object(type_key = "demo.B", removed(hint))]
#[structural_eq(tree)]
struct BNode {}

fn main() {}
