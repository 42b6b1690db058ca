use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", format = "call $name($inputs, *)")]
#[structural_eq(tree)]
struct XNode {
    name: Str,
    inputs: Array<Any>,
}

fn main() {}
