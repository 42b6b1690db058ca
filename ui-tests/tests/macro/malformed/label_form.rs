use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", label = "X({name)")]
struct XNode {
    name: Str,
}

#[derive(Object)]
#[object(type_key = "demo.Y", label = "Y({name:>8})")]
struct YNode {
    name: Str,
}

#[derive(Object)]
#[object(type_key = "demo.Z", label = "Z(name})")]
struct ZNode {
    name: Str,
}

fn main() {}
