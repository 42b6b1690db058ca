use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[repr(C, packed)]
#[structural_eq(none)]
struct XNode {
    value: i64,
}

fn main() {}

#[derive(Object)]
#[object(type_key = "demo.Raw")]
#[structural_eq(tree)]
#[repr(C, r#packed)]
struct RawNode {
    a: u8,
    b: i64,
}
