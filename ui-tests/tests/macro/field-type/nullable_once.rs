use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    a: Option<Option<i64>>,
    b: Array<std::option::Option<Any>>,
    c: Map<Str, Option<Option<Str>>>,
}

fn main() {}
