use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    #[field(one_of = [])]
    op: Str,
    #[field(one_of = ["add", "sub", "add"])]
    other: Str,
    #[field(one_of = [ADD])]
    code: i64,
}

fn main() {}
