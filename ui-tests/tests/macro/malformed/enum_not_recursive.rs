use object_core::prelude::*;

#[derive(Object, Clone)]
enum Attr {
    Number(i64),
    Text(Str),
    List(Array<Attr>),
}

fn main() {}
