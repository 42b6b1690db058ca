use object_core::prelude::*;

use ui_tests::{Expr, ExprNode};

#[derive(Object)]
#[object(type_key = "demo.X", parent = ExprNode)]
#[structural_eq(tree)]
struct XNode {
    value: i64,
}

fn main() {
    let _: Expr = X::new(1).into();
}
