use object_core::prelude::*;
use ui_tests::*;

object_core::visitor! {
    trait Visitor {
        expr: Expr,
        var: Var,
        variable: ui_tests::Var,
        exprs: Array<Expr>,
        vars: Array<Var>,
    }
}

fn main() {}
