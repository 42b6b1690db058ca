use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    #[field(range = 1..=64, default = 65)]
    bits: i64,
    #[field(range = 1.., default)]
    lanes: i64,
    #[field(one_of = ["add", "sub"], default = "mul")]
    op: Str,
    #[field(len = 1.., default)]
    names: Array<Str>,
}

fn main() {}
