use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    #[field(range = 0..=LIMIT)]
    bits: i64,
    #[field(range = ..)]
    size: i64,
    #[field(len = 1..="two")]
    names: Array<Str>,
}

fn main() {}
