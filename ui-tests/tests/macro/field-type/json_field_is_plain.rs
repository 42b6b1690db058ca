use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", json = items)]
#[structural_eq(tree)]
struct XNode {
    items: Array<i64>,
}

#[derive(Object)]
#[object(type_key = "demo.Y", json = value)]
#[structural_eq(tree)]
struct YNode {
    value: Option<Any>,
}

fn main() {}
