use object_core::prelude::*;
use ui_tests::{Expr, Var};

#[derive(Object)]
#[object(type_key = "demo.Lambda")]
#[structural_eq(tree)]
struct LambdaNode {
    is_pure: bool,
    body: Expr,
    #[field(def)]
    params: Array<Var>,
}

fn main() {}
