use object_core::prelude::*;
use ui_tests::{Expr, Var};

#[derive(Object)]
#[object(type_key = "demo.Let")]
#[structural_eq(tree)]
struct LetNode {
    #[field(outer, ignore)]
    note: Str,
    #[field(def)]
    var: Var,
    #[field(outer)]
    value: Expr,
}

fn main() {}
