use object_core::prelude::*;

#[derive(Object, Clone)]
#[object(type_key = "demo.Hidden", base, opaque)]
struct HiddenNode {
    bytes: Vec<u8>,
}

#[derive(Object)]
#[object(type_key = "demo.X", parent = HiddenNode, base_args(bytes: Vec<u8>))]
#[structural_eq(none)]
struct XNode {
    base: HiddenNode,
    a: i64,
}

fn main() {}
