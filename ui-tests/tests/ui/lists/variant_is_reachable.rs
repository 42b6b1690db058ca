use object_core::prelude::*;
use ui_tests::*;

object_core::variants_of! {
    enum ExprKind of ObjectRef { Const, Expr, Variable(Var), Again(Const), Exprs(Array<Expr>), Vars(Array<Var>) }
}

fn main() {}
