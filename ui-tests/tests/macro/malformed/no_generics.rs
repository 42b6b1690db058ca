use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(none)]
struct XNode<T> {
    value: T,
}

fn main() {}
