use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.X")]
struct XNode {
    value: i64,
}

#[derive(Object)]
#[object(type_key = "demo.Expr", base)]
struct ExprNode {}

#[derive(Object)]
#[object(type_key = "demo.Add", parent = ExprNode)]
#[structural_eq()]
struct AddNode {
    base: ExprNode,
}

fn main() {}
