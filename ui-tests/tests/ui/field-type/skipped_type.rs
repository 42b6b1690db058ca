use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "ui.X")]
#[structural_eq(tree)]
struct XNode {
    #[field(skip)]
    file: std::sync::Mutex<i64>,
    #[field(skip)]
    shared: &'static std::fs::File,
}

fn main() {}
