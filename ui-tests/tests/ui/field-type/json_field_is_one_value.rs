use object_core::prelude::*;

type Names = Array<Str>;

#[derive(Object, Clone)]
enum Value {
    Number(i64),
    Expr(ui_tests::Expr),
}

#[derive(Object)]
#[object(type_key = "demo.X", json = names)]
#[structural_eq(tree)]
struct XNode {
    names: Names,
}

#[derive(Object)]
#[object(type_key = "demo.Y", json = expr)]
#[structural_eq(tree)]
struct YNode {
    expr: Option<ui_tests::Expr>,
}

#[derive(Object)]
#[object(type_key = "demo.Z", json = value)]
#[structural_eq(tree)]
struct ZNode {
    value: Value,
}

fn main() {}
