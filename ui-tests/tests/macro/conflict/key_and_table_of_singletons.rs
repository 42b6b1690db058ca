use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree, key = name, table = list)]
struct XNode {
    name: Str,
}

fn main() {}
