use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X" base)]
#[structural_eq(tree; custom)]
struct XNode {
    #[field(default =, ignore)]
    value: i64,
}

fn main() {}
