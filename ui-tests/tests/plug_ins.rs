//! Types, implementations and instances that this crate adds to the language of the library.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "the types of a test explain themselves")]

use object_core::prelude::*;
use object_core::{register_impl, registry};
use ui_tests::{Const, Cost, Expr, ExprNode, VarNode};

#[derive(Object)]
#[object(type_key = "plug_ins.Distance", parent = ExprNode)]
#[structural_eq(tree)]
pub struct DistanceNode {
    pub base: ExprNode,
    pub from: Expr,
    pub to: Expr,
}

impl Cost for Distance {
    fn cost(&self) -> i64 {
        100 + self.from.cost() + self.to.cost()
    }
}

register_impl!(Distance as dyn Cost);

/// Implements the trait for the types that extend it.
#[derive(Object)]
#[object(type_key = "plug_ins.Unary", parent = ExprNode, base)]
pub struct UnaryNode {
    pub base: ExprNode,
    pub operand: Expr,
}

impl Cost for Unary {
    fn cost(&self) -> i64 {
        10 + self.operand.cost()
    }
}

register_impl!(Unary as dyn Cost);

#[derive(Object)]
#[object(type_key = "plug_ins.Length", parent = UnaryNode, base_args(operand: Expr))]
#[structural_eq(tree)]
pub struct LengthNode {
    pub base: UnaryNode,
}

#[derive(Object)]
#[object(type_key = "plug_ins.Area", parent = UnaryNode, base_args(operand: Expr))]
#[structural_eq(tree)]
pub struct AreaNode {
    pub base: UnaryNode,
}

impl Cost for Area {
    fn cost(&self) -> i64 {
        20 + self.operand.cost()
    }
}

register_impl!(Area as dyn Cost);

/// A type without an implementation.
#[derive(Object)]
#[object(type_key = "plug_ins.Point", parent = VarNode, base_args(name: Str))]
#[structural_eq(var)]
pub struct PointNode {
    pub base: VarNode,
}

/// Nothing implements this trait.
pub trait Print {}

#[test]
fn the_nearest_implementation_counts() {
    let [one, point] = [Expr::from(Const::new(1)), Point::new("p").into()];
    assert_eq!([one.cost(), point.cost()], [0, 1], "the library's implementation, and the default");
    let cases: [(Expr, i64); 3] = [
        (Distance::new(&one, &point).into(), 101),
        (Length::new(&point).into(), 11),
        (Area::new(Length::new(&point)).into(), 31),
    ];
    for (expr, cost) in cases {
        assert_eq!(expr.cost(), cost, "{expr}");
        assert_eq!(expr.as_object().as_trait::<dyn Cost>().map(|it| it.cost()), Some(cost), "{expr}");
        assert!(expr.as_trait::<dyn Print>().is_none());
    }
    assert!(Str::from("text").as_trait::<dyn Cost>().is_none());
}

#[test]
fn the_check_names_the_types_without_an_implementation() {
    registry::check_impls::<Unary, dyn Cost>().expect("both types have one, and the base has no objects");
    let error = registry::check_impls::<Expr, dyn Cost>().expect_err("variables have none");
    assert_eq!(error.kind(), ErrorKind::MissingImpl);
    let message = error.message();
    assert!(message.contains("`plug_ins.Point` (ui-tests/tests/plug_ins.rs:"), "{message}");
    assert!(message.contains("`upstream.Var` (") && message.contains("`register_impl!(X as dyn ui_tests::Cost);`"));
    assert!(["Const", "Distance", "Length", "Unary"].iter().all(|name| !message.contains(name)), "{message}");
}
