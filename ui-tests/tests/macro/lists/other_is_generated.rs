use ui_tests::*;

object_core::variants_of! {
    enum ExprKind of Expr { Var, Other(Const) }
}

fn main() {}
