use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "ui.X", eq = identity)]
#[structural_eq(tree)]
struct XNode {}

#[derive(Object)]
#[object(type_key = "ui.Y", eq = deep)]
#[structural_eq(tree)]
struct YNode {}

fn main() {}
