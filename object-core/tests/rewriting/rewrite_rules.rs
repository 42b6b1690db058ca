//! Rules over a small language: where they match, what they make, and how they end.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use object_core::ErrorKind;
use object_core::limits::Limits;
use object_core::prelude::*;
use object_core::rewrite::{Match, Pattern, RewriteRule, RewriteRules};

/// An expression with a place in a source text.
#[derive(Object)]
#[object(type_key = "rules.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    /// The place.
    #[field(ignore, default)]
    pub span: Option<Str>,
}

/// A variable.
#[derive(Object)]
#[object(type_key = "rules.Var", parent = ExprNode)]
#[structural_eq(var)]
pub struct VarNode {
    /// The base.
    pub base: ExprNode,
    /// For readers.
    #[field(ignore)]
    pub name: Str,
}

/// A number.
#[derive(Object)]
#[object(type_key = "rules.Int", parent = ExprNode)]
#[structural_eq(tree)]
pub struct IntNode {
    /// The base.
    pub base: ExprNode,
    /// The number.
    pub value: i64,
}

/// A sum.
#[derive(Object)]
#[object(type_key = "rules.Add", parent = ExprNode, base_args(span: Option<Str>))]
#[structural_eq(tree)]
pub struct AddNode {
    /// The base.
    pub base: ExprNode,
    /// The first part.
    pub a: Expr,
    /// The second part.
    pub b: Expr,
}

/// A function, with a comment that is an expression.
#[derive(Object)]
#[object(type_key = "rules.Fun", parent = ExprNode, base_args(span: Option<Str>))]
#[structural_eq(tree, scope)]
pub struct FunNode {
    /// The base.
    pub base: ExprNode,
    /// The parameter.
    #[field(def)]
    pub param: Var,
    /// The result.
    pub body: Expr,
}

/// A value that may be absent, and a place for sums alone.
#[derive(Object)]
#[object(type_key = "rules.Maybe", parent = ExprNode, base_args(span: Option<Str>))]
#[structural_eq(tree)]
pub struct MaybeNode {
    /// The base.
    pub base: ExprNode,
    /// The value.
    pub value: Option<Expr>,
    /// A sum.
    pub sum: Option<Add>,
    /// Sums.
    pub sums: Array<Add>,
    /// Not compared.
    #[field(ignore)]
    pub note: Option<Expr>,
}

fn var(name: &str) -> Var {
    Var::new(name)
}

fn int(value: i64) -> Expr {
    Int::new(value).into()
}

fn add(a: impl Into<Expr>, b: impl Into<Expr>) -> Add {
    Add::new(None, a, b)
}

fn maybe(value: Option<Expr>) -> Maybe {
    Maybe::new(None, value, None, [], None)
}

fn rules(rule: RewriteRule) -> RewriteRules {
    RewriteRules::new().rule(rule)
}

#[test]
fn a_hole_stands_for_a_value_that_is_present() {
    let (hole, y) = (var("hole"), var("y"));
    let pattern = Pattern::new(maybe(Some(hole.clone().into()))).hole(&hole).unwrap();
    let rules = rules(RewriteRule::new(pattern, &hole).unwrap());
    let with = rules.run(Expr::from(add(maybe(Some(y.clone().into())), &y))).unwrap();
    assert!(structural_equal(&with, &add(&y, &y)));
    for without in [Expr::from(add(maybe(None), &y)), maybe(None).into()] {
        assert!(rules.run(without.clone()).unwrap().ptr_eq(&without));
    }
}

#[test]
fn a_rule_does_not_match_where_its_replacement_does_not_fit() {
    let (hole, y) = (var("hole"), var("y"));
    let pattern = Pattern::new(add(&hole, int(0))).hole(&hole).unwrap();
    let rules = rules(RewriteRule::new(pattern, &hole).unwrap());
    let sum = add(&y, int(0));
    let place = Maybe::new(None, Some(sum.clone().into()), Some(sum.clone()), [sum.clone()], None);
    let (result, statistics) = rules.run_observed(place, |_| {}).unwrap();
    assert_eq!((statistics.replacements[0].1, statistics.misfits[0].1), (1, 1));
    // The other fields hold sums only, as an optional handle and as an element.
    assert!(result.value.as_ref().unwrap().ptr_eq(&y));
    assert!(structural_equal(&result.sum.clone().unwrap(), &sum) && structural_equal(&result.sums[0], &sum));
    assert!(rules.run(sum.clone()).unwrap().ptr_eq(&sum), "the root has the type of sums");
    assert!(rules.run(Expr::from(sum)).unwrap().ptr_eq(&y));
    // The template has a place for sums.
    let wrapped = Maybe::new(None, None, Some(add(&hole, &hole)), [], None);
    let template = Maybe::new(None, None, None, [add(int(1), int(1))], Some(hole.clone().into()));
    assert!(Pattern::new(wrapped).hole(&hole).is_ok() && Pattern::new(template).hole(&hole).is_err());
}

#[test]
fn a_hole_may_occur_in_ignored_fields_too() {
    let (hole, y) = (var("hole"), var("y"));
    let binder = Fun::new(None, &hole, &hole);
    for (template, value) in [
        (
            Expr::from(Maybe::new(None, Some(hole.clone().into()), None, [], Some(binder.clone().into()))),
            Expr::from(maybe(Some(y.clone().into()))),
        ),
        (
            add(
                Maybe::new(None, None, None, [], Some(binder.clone().into())),
                add(&hole, Fun::new(None, &hole, &hole)),
            )
            .into(),
            add(maybe(None), add(&y, Fun::new(None, &y, &y))).into(),
        ),
    ] {
        let pattern = Pattern::lexical(&template).hole(&hole).unwrap();
        let found = pattern.matches(&value).unwrap().expect("ignored fields do not matter");
        assert!(found.value::<Var>(&hole).unwrap().ptr_eq(&y));
    }
}

#[test]
fn new_objects_have_the_location_of_the_matched_object() {
    let (x, y) = (var("x"), var("y"));
    let double = || Pattern::new(add(&x, &x)).hole(&x).unwrap();
    let root = || Expr::from(Add::new(Some("file:7".into()), &y, &y));
    let location = |expr: &Expr| expr.span.clone();
    let template = Maybe::new(Some("rule".into()), Some(add(&x, int(1)).into()), None, [], None);
    let result = rules(RewriteRule::new(double(), template.clone()).unwrap()).run(root()).unwrap();
    assert_eq!(location(&result), Some("file:7".into()));
    let inner = result.downcast_ref::<Maybe>().unwrap().value.clone().unwrap();
    assert_eq!(location(&inner), Some("file:7".into()), "a new object inside");
    let computed = RewriteRule::computed(double(), {
        let template = template.clone();
        move |found: &Match| found.instantiate(Any::from(&template)).map(Some)
    });
    assert_eq!(location(&rules(computed.unwrap()).run(root()).unwrap()), Some("file:7".into()));
    let own = RewriteRules::new().rule(RewriteRule::new(double(), template).unwrap()).ignored_fields(|place| {
        place.of_matched().map(|span| Any::from(format!("{}: from {span:?}", place.field().name())))
    });
    assert_eq!(location(&own.run(root()).unwrap()), Some(r#"span: from "file:7""#.into()));
    // Without a location in the program, the one of the rule stays; a variable keeps its name.
    let to_function =
        RewriteRule::new(Pattern::lexical(add(&x, &x)).hole(&x).unwrap(), Fun::new(Some("rule".into()), var("p"), &x));
    let result = rules(to_function.unwrap()).run(Expr::from(add(&y, &y))).unwrap();
    assert_eq!(location(&result), Some("rule".into()));
    assert!(result.downcast_ref::<Fun>().unwrap().param.name.starts_with('p'));
}

#[test]
fn priority_decides_before_order_and_cost_must_fall() {
    let (x, y, z) = (var("x"), var("y"), var("z"));
    let to = |value: i64, priority: i32| {
        RewriteRule::new(Pattern::new(add(&x, &y)).with_holes([&x, &y]).unwrap(), int(value))
            .unwrap()
            .priority(priority)
    };
    let rules = RewriteRules::new().rule(to(1, 0)).rule(to(2, 5)).rule(to(3, 5));
    assert!(structural_equal(&rules.run(Expr::from(add(&x, &y))).unwrap(), &int(2)));
    // Commutativity ends, because the number at the left has to fall.
    let swap = RewriteRule::computed(Pattern::new(add(&x, &y)).with_holes([&x, &y]).unwrap(), {
        let (x, y) = (x.clone(), y.clone());
        move |found| Ok(Some(add(found.value::<Expr>(&y)?, found.value::<Expr>(&x)?).into()))
    });
    let calls = Arc::new(AtomicU64::new(0));
    let cost = {
        let calls = calls.clone();
        move |sum: &Add| {
            calls.fetch_add(1, Ordering::Relaxed);
            sum.a.downcast_ref::<Int>().map_or(9, |int| int.value.unsigned_abs())
        }
    };
    let sorted = RewriteRules::new().rule(swap.unwrap().cost(cost));
    let result = sorted.run(Expr::from(add(int(4), add(&z, int(1))))).unwrap();
    assert!(structural_equal(&result, &add(int(4), add(int(1), &z))), "{result}");
    // Twice for each match: the inner sum, the swapped inner sum, the outer sum.
    assert_eq!(calls.load(Ordering::Relaxed), 6);
}

#[test]
fn rules_without_an_end_are_named() {
    let x = var("x");
    let rule = |name: &str, from: Expr, to: Expr| {
        RewriteRule::new(Pattern::new(from).hole(&x).unwrap(), to).unwrap().named(name)
    };
    let limited = RewriteRules::new().limits(Limits::new().max_nodes(1000));
    let cycle = limited
        .clone()
        .rule(rule("once", maybe(Some(x.clone().into())).into(), add(&x, int(0)).into()))
        .rule(rule("there", add(&x, int(0)).into(), add(int(0), &x).into()))
        .rule(rule("back", add(int(0), &x).into(), add(&x, int(0)).into()));
    let error = cycle.run(Expr::from(maybe(Some(int(1))))).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    let text = error.to_string();
    assert!(text.contains("`there`") && text.contains("`back`") && !text.contains("`once`"), "{text}");
    // The replacements grow, and each is inside of the one before.
    let grows = RewriteRule::computed(Pattern::new(add(&x, int(0))).hole(&x).unwrap(), {
        let x = x.clone();
        move |found| Ok(Some(maybe(Some(add(found.value::<Expr>(&x)?, int(0)).into())).into()))
    });
    let error = limited.rule(grows.unwrap().named("grows")).run(Expr::from(add(int(1), int(0)))).unwrap_err();
    assert!(error.kind() == ErrorKind::LimitExceeded && error.to_string().contains("`grows`"), "{error}");
}

#[test]
fn an_observer_sees_each_replacement_with_its_place() {
    let (x, y) = (var("x"), var("y"));
    let zero = RewriteRule::new(Pattern::new(add(&x, int(0))).hole(&x).unwrap(), &x).unwrap().named("zero");
    let unwrap = Pattern::new(maybe(Some(x.clone().into()))).hole(&x).unwrap();
    let unwrap = RewriteRule::new(unwrap, add(add(&x, int(0)), int(1))).unwrap().named("unwrap");
    let rules = RewriteRules::new().rule(zero).rule(unwrap);
    let mut trace = Vec::new();
    let root = Expr::from(add(&y, maybe(Some(add(&y, int(0)).into()))));
    let (result, statistics) = rules
        .run_observed(root, |fired| {
            trace.push(format!("{} {} {}", fired.rule(), fired.path(), fired.after().type_key()));
        })
        .unwrap();
    assert!(structural_equal(&result, &add(&y, add(&y, int(1)))));
    assert_eq!(trace, ["zero <root>.b.value rules.Var", "unwrap <root>.b rules.Add", "zero <root>.b.a rules.Var"]);
    assert_eq!(statistics.replacements, [("zero".into(), 2), ("unwrap".into(), 1)]);
}

/// A sum of `count` ones, nested to the left.
fn nested(count: usize) -> Expr {
    (0..count).fold(int(1), |sum, _| add(sum, int(1)).into())
}

#[test]
fn the_visits_are_linear_in_the_replacements() {
    let [x, y, z] = ["x", "y", "z"].map(var);
    let holes = [&x, &y, &z];
    let associate = RewriteRule::computed(Pattern::new(add(add(&x, &y), &z)).with_holes(holes).unwrap(), {
        let template = add(&x, add(&y, &z));
        move |found| found.instantiate(Any::from(&template)).map(Some)
    });
    let associate = rules(associate.unwrap());
    for count in [50, 100] {
        let (result, statistics) = associate.run_observed(nested(count), |_| {}).unwrap();
        let replacements = statistics.replacements[0].1;
        assert_eq!(replacements, (count * (count - 1) / 2) as u64);
        assert!(statistics.visits <= 3 * replacements + 3 * count as u64, "{statistics:?}");
        let right = (0..count).fold(int(1), |sum, _| add(int(1), sum).into());
        assert!(structural_equal(&result, &right));
    }
    // Each object once, and each replacement once.
    let swap = RewriteRule::new(Pattern::new(add(&x, &y)).with_holes([&x, &y]).unwrap(), maybe(Some(x.clone().into())))
        .unwrap();
    let (_, statistics) = rules(swap).run_observed(nested(100_000), |_| {}).unwrap();
    assert!(statistics.visits <= 3 * 100_000 + 10, "{statistics:?}");
}
