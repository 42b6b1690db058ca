use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
#[structural_eq(tree)]
struct XNode {
    a: i64,
}

fn x() -> X {
    XNode::new(1)
}

fn main() {}
