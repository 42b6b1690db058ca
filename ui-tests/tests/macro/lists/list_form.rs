use ui_tests::*;

object_core::variants_of! {
    enum NoBase { Var, Const }
}

object_core::variants_of! {
    enum WrongWord for Expr { Var, Const }
}

object_core::variants_of! {
    struct NotAnEnum of Expr { Var, Const }
}

object_core::variants_of! {
    enum Lines of Expr { Var { name }, Const(i64, i64), 7, Variable: Var, &Var, (Var, Const) }
}

object_core::variants_of! {
    enum Empty of Expr {}
}

object_core::variants_of! { enum Semicolon of Expr; }

object_core::visitor! {
    trait Visitor { Var, constant => Const, wrong: &Const, twice: Var: Const, none: }
}

object_core::visitor! {
    trait Generic<T> { var: Var }
}

object_core::visitor! {
    pub enum NotATrait { var: Var }
}

fn main() {}
