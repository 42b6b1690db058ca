use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(none)]
struct XNode {
    #[field(rename = "a.b")]
    a: i64,
    #[field(rename = "")]
    b: i64,
}

fn main() {}
