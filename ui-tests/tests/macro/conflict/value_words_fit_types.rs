use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    #[field(range = 0..=64)]
    name: Str,
    #[field(len = 1..)]
    count: i64,
    #[field(one_of = ["add"])]
    flag: bool,
    #[field(one_of = ["add", "sub"])]
    code: i64,
    #[field(one_of = [1, 300])]
    byte: u8,
}

fn main() {}
