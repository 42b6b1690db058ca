use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", json = nmae)]
struct XNode {
    name: Str,
}

fn main() {}
