use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", same_len(params args))]
#[structural_eq(tree)]
struct XNode {
    params: Array<Str>,
    args: Array<i64>,
}

#[derive(Object)]
#[object(type_key = "demo.Y", same_len())]
#[structural_eq(tree)]
struct YNode {
    params: Array<Str>,
}

fn main() {}
