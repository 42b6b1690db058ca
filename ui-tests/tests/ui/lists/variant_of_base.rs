use object_core::prelude::*;
use ui_tests::*;

object_core::variants_of! {
    enum ExprKind of Expr { Const, Str, Exprs(Array<Expr>) }
}

object_core::variants_of! {
    enum VarKind of Var { Const, Expr }
}

fn main() {}
