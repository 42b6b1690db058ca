use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    #[field(ignore, may_contain(var))]
    note: Any,
}

fn main() {}
