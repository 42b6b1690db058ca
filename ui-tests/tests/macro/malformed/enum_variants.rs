use object_core::prelude::*;

#[derive(Object, Clone)]
enum Value {
    None,
    Int(i64),
    Pair { first: Str, second: Str },
}

#[derive(Object, Clone)]
enum Nothing {}

fn main() {
    let _: Any = Value::Int(1).into();
    let _ = Value::Pair { first: "a".into(), second: "b".into() };
}
