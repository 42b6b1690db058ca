use object_core::prelude::*;

#[derive(Object)]
#[object]
#[structural_eq = "tree"]
struct XNode {
    #[field()]
    value: i64,
}

fn main() {}
