use object_core::prelude::*;

#[derive(Object)]
#[object]
#[structural_eq = "dag"]
struct XNode {
    #[field()]
    value: i64,
}

fn main() {}
