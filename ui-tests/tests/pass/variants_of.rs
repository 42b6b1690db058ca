//! An enum of the types that a handle of an open type can point to, for exhaustive matching.
#![deny(missing_docs, warnings)]
#![forbid(unsafe_code)]

use object_core::prelude::*;
use ui_tests::{Const, Expr, Var};

mod inner {
    //! Declares one more.
    use object_core::prelude::*;
    use ui_tests::{Expr, ExprNode};

    /// The negative of an expression.
    #[derive(Object)]
    #[object(type_key = "kinds.Neg", parent = ExprNode)]
    #[structural_eq(tree)]
    pub struct NegNode {
        /// The parent's part.
        pub base: ExprNode,
        /// The operand.
        pub value: Expr,
    }

    /// Listed nowhere.
    #[derive(Object)]
    #[object(type_key = "kinds.Unlisted", parent = ExprNode)]
    #[structural_eq(tree)]
    pub struct UnlistedNode {
        /// The parent's part.
        pub base: ExprNode,
    }
}

object_core::variants_of! {
    /// The expressions of this program.
    pub enum ExprKind of Expr {
        Const,
        /// With more to say.
        Var,
        Negative(inner::Neg),
    }
}

object_core::variants_of! {
    /// Objects of any type, by paths and with containers.
    pub enum Anything of ObjectRef {
        ui_tests::Const,
        inner::Neg,
        Str,
        Vars(Array<Var>),
        Array<Expr>,
        Table(Map<Str, i64>),
        Expr,
    }
}

fn variant(object: impl Into<ObjectRef>) -> &'static str {
    match Anything::of(&object.into()) {
        Anything::Const(_) => "Const",
        Anything::Neg(_) => "Neg",
        Anything::Str(_) => "Str",
        Anything::Vars(_) => "Vars",
        Anything::Array(_) => "Array",
        Anything::Table(_) => "Table",
        Anything::Expr(_) => "Expr",
        Anything::Other(_) => "Other",
    }
}

fn show(expr: &Expr) -> String {
    match ExprKind::of(expr) {
        ExprKind::Const(it) => it.value.to_string(),
        ExprKind::Var(it) => it.name.to_string(),
        ExprKind::Negative(it) => format!("-{}", show(&it.value)),
        ExprKind::Other(it) => it.as_object().type_info().type_key().to_owned(),
    }
}

pub(super) fn main() {
    let unlisted = inner::Unlisted::new();
    let all: [Expr; 4] = [
        Const::new(3).into(),
        Var::new("x").into(),
        inner::Neg::new(inner::Neg::new(Var::new("y"))).into(),
        unlisted.into(),
    ];
    assert_eq!(all.each_ref().map(show), ["3", "x", "--y", "kinds.Unlisted"]);
    assert!(matches!((&all[0]).into(), ExprKind::Const(_)));
    assert_eq!(format!("{:?}", ExprKind::of(&all[0])), format!("Const({:?})", all[0]));

    assert_eq!(all.clone().map(variant), ["Const", "Expr", "Neg", "Expr"]);
    assert_eq!(variant(Array::<Var>::from([Var::new("x")])), "Vars");
    assert_eq!(variant(Array::<Expr>::from(all)), "Array");
    assert_eq!(variant(Array::<i64>::from([1])), "Other");
    assert_eq!([variant(Str::from("a")), variant(Map::<Str, i64>::default())], ["Str", "Table"]);
}
