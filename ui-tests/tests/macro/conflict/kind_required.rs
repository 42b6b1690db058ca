use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(custom)]
struct XNode {
    value: i64,
}

#[derive(Object)]
#[object(type_key = "demo.Y")]
#[structural_eq(key = name)]
struct YNode {
    name: Str,
}

fn main() {}
