use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", format = "let $ = $value")]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

#[derive(Object)]
#[object(type_key = "demo.Y", format = "block $($items), end")]
#[structural_eq(tree)]
struct YNode {
    items: Array<Str>,
}

fn main() {}
