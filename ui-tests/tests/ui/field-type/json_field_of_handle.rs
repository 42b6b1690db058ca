use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "demo.Y", base)]
struct YNode {
    inner: ui_tests::Expr,
}

#[derive(Object)]
#[object(type_key = "demo.Z", parent = YNode, base_args(inner: ui_tests::Expr), json = inner)]
#[structural_eq(tree)]
struct ZNode {
    base: YNode,
}

fn main() {}
