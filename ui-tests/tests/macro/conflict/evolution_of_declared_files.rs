use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.A", version = 2, removed("old"), files = tvm)]
#[structural_eq(tree)]
struct ANode {}

#[derive(Object)]
#[object(type_key = "demo.B", opaque, alias = "demo.OldB")]
struct BNode {}

fn main() {}
