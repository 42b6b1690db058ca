use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.A", migrate(from = 1, with = step))]
#[structural_eq(tree)]
struct ANode {}

#[derive(Object)]
#[object(type_key = "demo.B", version = 4, migrate(from = 1, with = step), migrate(from = 3, with = step))]
#[structural_eq(tree)]
struct BNode {}

#[derive(Object)]
#[object(type_key = "demo.C", version = 2, migrate(from = 1, with = step), migrate(from = 1, with = step))]
#[structural_eq(tree)]
struct CNode {}

fn main() {}
