use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.A", files = json)]
#[structural_eq(tree)]
struct ANode {}

fn main() {}
