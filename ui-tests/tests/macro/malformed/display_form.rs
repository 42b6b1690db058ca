use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "ui.X", display = pretty)]
#[structural_eq(tree)]
struct XNode {}

fn main() {}
