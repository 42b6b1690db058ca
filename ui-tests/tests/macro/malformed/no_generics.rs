use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
struct XNode<T> {
    value: T,
}

fn main() {}
