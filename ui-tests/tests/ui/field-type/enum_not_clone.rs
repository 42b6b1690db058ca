use object_core::prelude::*;

#[derive(Object)]
enum Kind {
    Serial,
    Parallel,
}

#[derive(Object)]
enum Literal {
    Int(i64),
    Text(Str),
}

fn main() {}
