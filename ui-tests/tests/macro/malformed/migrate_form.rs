use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.A", version = 2, migrate(1, step))]
#[structural_eq(tree)]
struct ANode {}

#[derive(Object)]
#[object(type_key = "demo.B", version = 2, migrate(from = 1))]
#[structural_eq(tree)]
struct BNode {}

#[derive(Object)]
#[object(type_key = "demo.C", version = 2, migrate(from = 0, with = step))]
#[structural_eq(tree)]
struct CNode {}

#[derive(Object)]
#[object(type_key = "demo.D", version = 2, migrate(from = 1, with = step, to = 2))]
#[structural_eq(tree)]
struct DNode {}

fn main() {}
