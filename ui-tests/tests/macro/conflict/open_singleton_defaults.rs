use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(singleton, key = name)]
struct XNode {
    name: Str,
    level: i64,
    note: Option<Str>,
}

fn main() {}
