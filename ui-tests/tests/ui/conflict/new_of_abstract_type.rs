use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Open", base)]
struct OpenNode {
    span: i64,
}

fn open() -> Open {
    Open::new(1)
}

fn main() {}
