use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[repr(C, packed)]
struct XNode {
    value: i64,
}

fn main() {}
