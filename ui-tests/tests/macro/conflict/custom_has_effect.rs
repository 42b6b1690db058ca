use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(none, custom)]
struct XNode {
    value: i64,
}

#[derive(Object)]
#[object(type_key = "demo.Y")]
#[structural_eq(singleton, key = name, custom)]
struct YNode {
    name: Str,
}

fn main() {}
