use object_core::prelude::*;

#[derive(Object, Clone)]
#[object(type_key = "demo.X", opaque, format = "x")]
#[structural_eq(none)]
struct XNode {
    lines: Vec<String>,
}

fn main() {}
