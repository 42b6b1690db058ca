use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    #[field(range = 64..0)]
    bits: i64,
    #[field(range = 1.0..1.0)]
    weight: f64,
    #[field(range = 0..=300)]
    byte: u8,
    #[field(range = 0.5..)]
    size: i64,
    #[field(len = -1..)]
    name: Str,
}

fn main() {}
