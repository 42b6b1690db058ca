use object_core::prelude::*;

type Name = Option<Str>;

#[derive(Object, Clone)]
enum Value {
    Number(i64),
    Name(Option<Str>),
}

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    name: Option<Name>,
    value: Option<Value>,
}

fn main() {}
