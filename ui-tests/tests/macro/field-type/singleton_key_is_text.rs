use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(singleton, key = id)]
struct XNode {
    id: i64,
}

fn main() {}
