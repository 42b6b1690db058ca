use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", opaque)]
struct XNode {
    lines: Vec<String>,
}

fn main() {}
