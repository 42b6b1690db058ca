use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(singleton, key = name)]
struct XNode {
    #[field(ignore, default = Str::new("x"))]
    name: Str,
}

fn main() {}
