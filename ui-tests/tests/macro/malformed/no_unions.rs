use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(none)]
union XNode {
    a: i64,
    b: f64,
}

fn main() {}
