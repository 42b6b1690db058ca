//! Types, implementations and instances that this crate adds to the language of the library.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "the types of a test explain themselves")]

use object_core::dynamic::Schema;
use object_core::prelude::*;
use object_core::{json, register_impl, register_instances, registry};
use ui_tests::{Const, Cost, Expr, ExprNode, Func, FuncNode, VarNode};

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

fn geometry() -> Vec<FuncNode> {
    vec![FuncNode { name: "st_distance".into(), arity: 2 }]
}

register_instances!(Func = geometry);

/// A function with a further fact. It has the key of its parent.
#[derive(Object)]
#[object(type_key = "plug_ins.Aggregate", parent = FuncNode)]
#[structural_eq(singleton, table = aggregates)]
pub struct AggregateNode {
    pub base: FuncNode,
    pub is_exact: bool,
}

fn aggregates() -> Vec<AggregateNode> {
    let aggregate = |name: &str, is_exact| AggregateNode { base: FuncNode { name: name.into(), arity: 1 }, is_exact };
    vec![aggregate("st_union", true), aggregate("st_cluster", false)]
}

#[derive(Object)]
#[object(type_key = "plug_ins.Call")]
#[structural_eq(tree)]
pub struct CallNode {
    pub func: Func,
    pub args: Array<Expr>,
}

#[test]
fn the_base_finds_the_instances_of_all_crates() {
    let arity = |name: &str| Func::get(name).map(|func| func.arity).ok();
    assert_eq!(["add", "st_distance", "st_union", "st_unoin"].map(arity), [Some(2), Some(2), Some(1), None]);
    let union = Aggregate::get("st_union").expect("it is in the table");
    assert!(union.is_exact && Func::get("st_union").expect("it extends the type").ptr_eq(&union));
    let error = Aggregate::get("add").expect_err("it belongs to the parent");
    assert_eq!(error.kind(), ErrorKind::UnknownSingleton);
    let names = Func::all().expect("no two have one key").iter().map(|func| func.name.to_string()).collect::<Vec<_>>();
    assert_eq!(names, ["add", "st_cluster", "st_distance", "st_union"], "by key, whatever the order of linking");
    let aggregates = Aggregate::all().expect("no two have one key");
    assert!(aggregates.len() == 2 && aggregates[1].ptr_eq(&union));
    let error = Func::get("st_unoin").expect_err("no crate has it");
    assert!(error.message().contains("did you mean `st_union`?"), "{error}");
}

#[test]
fn a_file_leads_to_the_instances_of_all_crates() {
    for name in ["add", "st_distance", "st_cluster"] {
        let call = Call::new(Func::get(name).expect("it exists"), []);
        let text = json::to_string(&call).expect("it can be written");
        let read: Call = json::from_str(&text).expect("it can be read");
        assert!(read.func.ptr_eq(&call.func) && structural_equal(&read, &call), "{text}");
        assert_eq!(text.contains("plug_ins.Aggregate"), name == "st_cluster", "{text}");
    }
    let schema = Schema::of(&[AggregateNode::TYPE_INFO]).to_json().expect("a schema");
    assert!(schema.contains(r#""singleton_key":"name""#), "{schema}");
}

/// A set that takes every key.
#[derive(Object)]
#[object(type_key = "plug_ins.Unit")]
#[structural_eq(singleton, key = name)]
pub struct UnitNode {
    pub name: Str,
    #[field(default = 1)]
    pub factor: i64,
}

fn lengths() -> Vec<UnitNode> {
    vec![UnitNode { name: "km".into(), factor: 1000 }]
}

register_instances!(Unit = lengths);

#[test]
fn an_open_set_has_the_declared_instances_and_all_others() {
    let factor = |name: &str| Unit::get(name).map(|unit| unit.factor);
    assert_eq!((factor("m").ok(), factor("km").ok()), (Some(1), Some(1000)));
}

#[derive(Object)]
#[object(type_key = "plug_ins.Twice")]
#[structural_eq(singleton, key = name, table = first)]
pub struct TwiceNode {
    pub name: Str,
}

fn first() -> Vec<TwiceNode> {
    vec![TwiceNode { name: "a".into() }]
}

fn second() -> Vec<TwiceNode> {
    vec![TwiceNode { name: "b".into() }, TwiceNode { name: "a".into() }]
}

register_instances!(Twice = second);

#[test]
fn a_key_of_two_declarations_is_an_error_that_names_both() {
    for key in ["a", "b"] {
        let error = Twice::get(key).expect_err("two instances have the key `a`");
        assert_eq!(Twice::all().expect_err("as a look-up").kind(), error.kind());
        assert_eq!(error.kind(), ErrorKind::DuplicateKey);
        assert_eq!(error.message().matches("plug_ins.rs:").count(), 2, "{error}");
    }
}
