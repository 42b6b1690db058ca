use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", format = "let $name = $vlaue")]
#[structural_eq(tree)]
struct XNode {
    name: Str,
    value: i64,
}

fn main() {}
