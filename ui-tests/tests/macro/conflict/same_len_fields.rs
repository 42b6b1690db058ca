use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", same_len(params), same_len(params, params), same_len(params, count), same_len(params, arg))]
#[structural_eq(tree)]
struct XNode {
    params: Array<Str>,
    args: Array<i64>,
    count: i64,
}

#[derive(Object, Clone)]
#[object(type_key = "demo.Y", opaque, same_len(params, args))]
struct YNode {
    params: Vec<i64>,
    args: Vec<i64>,
}

fn main() {}
