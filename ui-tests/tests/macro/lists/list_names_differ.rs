use ui_tests::*;

object_core::variants_of! {
    enum ExprKind of Expr { Var, Const, ui_tests::Var }
}

object_core::visitor! {
    trait Visitor { var: Var, constant: Const, var: Expr }
}

fn main() {}
