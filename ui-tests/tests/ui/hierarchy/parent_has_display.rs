use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "ui.Expr", base, display = none)]
struct ExprNode {}

#[derive(Object)]
#[object(type_key = "ui.X", parent = ExprNode)]
#[structural_eq(tree)]
struct XNode {
    base: ExprNode,
}

fn main() {}
