use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", json = name)]
#[structural_eq(singleton, key = name)]
struct XNode {
    name: Str,
}

#[derive(Object, Clone)]
#[object(type_key = "demo.Y", json = name, opaque)]
struct YNode {
    name: Str,
}

fn main() {}
