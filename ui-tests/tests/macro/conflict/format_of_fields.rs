use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", opaque, format = "x")]
#[structural_eq(none)]
struct XNode {
    handle: u64,
}

fn main() {}
