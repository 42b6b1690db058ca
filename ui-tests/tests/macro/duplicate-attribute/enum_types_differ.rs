use object_core::prelude::*;

#[derive(Object, Clone)]
enum Offset {
    Bytes(i64),
    Elements(i64),
}

fn main() {}
