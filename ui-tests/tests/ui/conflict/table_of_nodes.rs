use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.A")]
#[structural_eq(singleton, key = name, table = list_a)]
struct ANode {
    name: Str,
}

fn list_a() -> Vec<A> {
    Vec::new()
}

#[derive(Object)]
#[object(type_key = "demo.B")]
#[structural_eq(singleton, key = name, table = LIST_B)]
struct BNode {
    name: Str,
}

const LIST_B: [&str; 1] = ["b"];

fn main() {}
