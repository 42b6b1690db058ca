use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", format = "let $name")]
#[structural_eq(tree)]
struct XNode {
    name: Str,
    value: i64,
    note: Option<Str>,
}

fn main() {}
