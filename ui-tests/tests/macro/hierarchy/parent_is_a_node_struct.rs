use object_core::prelude::*;

use ui_tests::{Expr, ExprNode};

#[derive(Object)]
#[object(type_key = "demo.X", parent = ui_tests::Expr)]
#[structural_eq(tree)]
struct XNode {
    base: ExprNode,
}

fn main() {
    let _: Expr = X::new().into();
}
