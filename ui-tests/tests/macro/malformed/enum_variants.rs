use object_core::prelude::*;

#[derive(Object, Clone)]
enum Value {
    None,
    Int(i64),
    Pair { first: Str, second: Str },
}

// The fields have one type, which is no second mistake.
#[derive(Object, Clone)]
enum Point {
    Start { at: i64 },
    End { at: i64 },
}

#[derive(Object, Clone)]
enum Nothing {}

fn main() {
    let _: Any = Value::Int(1).into();
    let _ = Value::Pair { first: "a".into(), second: "b".into() };
}
