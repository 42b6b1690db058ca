use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "ui.Op", new = unchecked)]
#[structural_eq(singleton, key = name)]
struct OpNode {
    name: Str,
}

#[derive(Object)]
#[object(type_key = "ui.Expr", base, new = none)]
struct ExprNode {}

#[derive(Object)]
#[object(type_key = "ui.Int", new = new)]
#[structural_eq(tree)]
struct IntNode {}

fn main() {}
