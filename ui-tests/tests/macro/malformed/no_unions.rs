use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
union XNode {
    a: i64,
    b: f64,
}

fn main() {}
