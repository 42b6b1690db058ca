//! The corrected source of each failing case of the class `lists`.
#![allow(dead_code, unused_imports, reason = "compiling it is the test")]

mod list_form {
    use object_core::prelude::*;
    use ui_tests::*;

    object_core::variants_of! {
        enum ExprKind of Expr { Var, Constant(Const) }
    }

    object_core::visitor! {
        trait Visitor { var: Var, constant: Const }
    }
}

mod list_names_differ {
    use object_core::prelude::*;
    use ui_tests::*;

    object_core::variants_of! {
        enum ExprKind of Expr { ui_tests::Var, Const }
    }

    object_core::visitor! {
        trait Visitor { var: Var, constant: Const, expr: Expr }
    }
}

mod other_is_generated {
    use object_core::prelude::*;
    use ui_tests::*;

    object_core::variants_of! {
        enum ExprKind of Expr { Var, Another(Const) }
    }
}

mod variant_of_base {
    use object_core::prelude::*;
    use ui_tests::*;

    object_core::variants_of! {
        enum ExprKind of Expr { Const, Var }
    }

    object_core::variants_of! {
        enum ObjectKind of ObjectRef { Str, Exprs(Array<Expr>) }
    }
}

mod variant_is_reachable {
    use object_core::prelude::*;
    use ui_tests::*;

    object_core::variants_of! {
        enum ExprKind of ObjectRef { Const, Variable(Var), Expr, Vars(Array<Var>), Exprs(Array<Expr>) }
    }
}

mod visitor_handles_differ {
    use object_core::prelude::*;
    use ui_tests::*;

    object_core::visitor! {
        trait Visitor {
            expr: Expr,
            var: Var,
            vars: Array<Var>,
            exprs: Array<Expr>,
        }
    }
}

mod list_of_handles {
    use object_core::prelude::*;
    use ui_tests::*;

    object_core::variants_of! {
        enum Nodes of Expr { Var }
    }

    object_core::visitor! {
        trait Visitor { text: Str }
    }
}
