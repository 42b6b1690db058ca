use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", label = "X({nmae:?})")]
#[structural_eq(none)]
struct XNode {
    name: Str,
}

fn main() {}
