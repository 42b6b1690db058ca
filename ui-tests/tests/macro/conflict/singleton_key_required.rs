use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(singleton)]
struct XNode {
    name: Str,
}

#[derive(Object)]
#[object(type_key = "demo.Y")]
#[structural_eq(singleton, key = nme)]
struct YNode {
    name: Str,
}

fn main() {
    let _ = X::get("a");
}
