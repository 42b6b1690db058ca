use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "ui.Type", base, eq = structural)]
struct TypeNode {}

#[derive(Object)]
#[object(type_key = "ui.X", parent = TypeNode)]
#[structural_eq(none)]
struct XNode {
    base: TypeNode,
}

#[derive(Object)]
#[object(type_key = "ui.Y", parent = TypeNode)]
#[structural_eq(none)]
struct YNode {
    base: TypeNode,
}

fn main() {}
