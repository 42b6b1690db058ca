use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "ui.X")]
#[structural_eq(tree)]
struct XNode {
    #[field(skip, ignore)]
    cache: Option<String>,
    #[field(skip, default = 1)]
    count: usize,
}

fn main() {}
