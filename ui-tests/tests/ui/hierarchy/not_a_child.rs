use ui_tests::{Const, Expr, Var};

fn main() {
    let value = Const::new(1);
    let _: Expr = value.clone().into();
    let _: Var = value.into();
}
