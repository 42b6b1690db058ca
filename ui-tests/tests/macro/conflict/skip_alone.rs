use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "ui.X")]
#[structural_eq(tree)]
struct XNode {
    #[field(skip, ignore)]
    cache: Option<String>,
    #[field(skip, default = 1)]
    count: usize,
    #[field(skip, cache)]
    both: usize,
    #[field(cache, rename = "size")]
    named: usize,
}

fn main() {}
