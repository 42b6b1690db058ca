use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X", label = "X({name)")]
#[structural_eq(none)]
struct XNode {
    name: Str,
}

#[derive(Object)]
#[object(type_key = "demo.Y", label = "Y({name:>8})")]
#[structural_eq(none)]
struct YNode {
    name: Str,
}

#[derive(Object)]
#[object(type_key = "demo.Z", label = "Z(name})")]
#[structural_eq(none)]
struct ZNode {
    name: Str,
}

fn main() {}
