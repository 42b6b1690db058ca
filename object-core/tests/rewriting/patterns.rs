//! Patterns in maps and under binders, rules with closures, and the errors of both.

use crate::demo::{Expr, Imm, Lambda, Let, Seq, Var, add, imm, var};
use object_core::ErrorKind;
use object_core::limits::Limits;
use object_core::prelude::*;
use object_core::rewrite::{Pattern, RewriteRule, RewriteRules};

fn int(value: i64) -> Expr {
    imm(value)
}

#[test]
fn values_of_maps_and_optional_fields_match() {
    let hole = var("hole");
    let template = Map::new([(Str::from("a"), Any::from(&hole)), (Str::from("b"), Any::Int(1))]);
    let pattern = Pattern::new(template).hole(&hole).unwrap();
    // The order of entries means nothing.
    let value = Map::new([(Str::from("b"), Any::Int(1)), (Str::from("a"), Any::from("text"))]);
    assert_eq!(pattern.matches(&value).unwrap().unwrap().value::<Str>(&hole).unwrap(), *"text");
    for other in [
        Map::new([(Str::from("a"), Any::Int(1))]),
        Map::new([(Str::from("c"), Any::Int(1)), ("b".into(), Any::Int(1))]),
    ] {
        assert!(pattern.matches(&other).unwrap().is_none());
    }
}

#[test]
fn a_value_that_another_place_cannot_hold_does_not_match() {
    let (hole, y) = (var("hole"), var("y"));
    // The first place holds expressions only, the second one any value.
    let template = Array::from([Any::from(Seq::new([Expr::from(&hole)])), Any::from(&hole)]);
    let pattern = Pattern::new(template).hole(&hole).unwrap();
    let of = |a: Any, b: Any| Array::from([a, b]);
    let fits = of(Seq::new([Expr::from(&y)]).into(), Any::from(&y));
    assert!(pattern.matches(&fits).unwrap().is_some());
    assert!(pattern.matches(&of(Seq::new([Expr::from(&y)]).into(), Any::Int(1))).unwrap().is_none());
    let plain_first = Pattern::new(Array::from([Any::from(&hole), Any::from(Seq::new([Expr::from(&hole)]))]));
    let plain_first = plain_first.hole(&hole).unwrap();
    assert!(plain_first.matches(&of(Any::Int(1), Seq::new([Expr::from(&y)]).into())).unwrap().is_none());
}

#[test]
fn a_rule_under_a_binder_uses_the_bound_variable() {
    let (hole, x, bound) = (var("hole"), var("x"), var("bound"));
    // `a + 0` becomes `let bound = a in bound`, with a new variable each time.
    let template = Let::new(&hole, &bound, &bound);
    let pattern = Pattern::lexical(add(&hole, int(0))).hole(&hole).unwrap();
    let rules = RewriteRules::new().rule(RewriteRule::new(pattern, template).unwrap());
    let redex = |of: Expr| add(of, int(0));
    let root: Expr = Lambda::new([x.clone()], redex(redex((&x).into()))).into();
    let result = rules.run(root).unwrap();
    let lambda = result.downcast_ref::<Lambda>().unwrap();
    let outer = lambda.body.downcast_ref::<Let>().unwrap();
    let inner = outer.value.downcast_ref::<Let>().unwrap();
    assert!(inner.value.ptr_eq(&lambda.params[0]));
    assert!(!inner.var.ptr_eq(&outer.var) && inner.body.ptr_eq(&inner.var) && outer.body.ptr_eq(&outer.var));
}

#[test]
fn a_closure_decides_and_computes() {
    let (a, b) = (var("a"), var("b"));
    let pattern = Pattern::new(add(&a, &b)).hole(&a).unwrap().hole(&b).unwrap();
    let fold = RewriteRule::computed(pattern, {
        let (a, b) = (a.clone(), b.clone());
        move |found| match (found.value::<Imm>(&a), found.value::<Imm>(&b)) {
            (Ok(a), Ok(b)) => Ok(Some(imm(a.value + b.value).into())),
            _ => Ok(None),
        }
    });
    let rules = RewriteRules::new().rule(fold.unwrap());
    let x: Var = var("x");
    let root = add(add(int(1), int(2)), add(&x, add(int(3), int(4))));
    assert!(structural_equal(&rules.run(root).unwrap(), &add(int(3), add(&x, int(7)))));
}

#[test]
fn wrong_holes_and_endless_rules_are_errors() {
    let (hole, other) = (var("hole"), var("other"));
    let error = Pattern::new(add(&hole, int(0))).hole(&other).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadReference);
    assert!(error.to_string().contains("expected a free variable of the template as a hole"), "{error}");
    let pattern = Pattern::new(add(&hole, int(0))).hole(&hole).unwrap();
    let found = pattern.matches(&add(int(1), int(0))).unwrap().unwrap();
    assert_eq!(found.value::<Any>(&other).unwrap_err().kind(), ErrorKind::BadReference);
    let all = Pattern::new(&hole).hole(&hole).unwrap();
    assert!(all.matches(&int(1)).unwrap().is_some());
    assert_eq!(RewriteRule::new(all, int(1)).unwrap_err().kind(), ErrorKind::Malformed);
    assert_eq!(RewriteRule::new(Pattern::new(1), int(1)).unwrap_err().kind(), ErrorKind::Malformed);
    // A part of the replacement matches again.
    let own = RewriteRule::new(pattern.clone(), Seq::new([add(int(1), add(&hole, int(0)))])).unwrap_err();
    assert!(own.kind() == ErrorKind::Malformed && own.to_string().contains("for ever"), "{own}");
    // A forgotten hole.
    let forgotten = Pattern::new(add(&hole, &other)).hole(&hole).unwrap();
    for rule in [RewriteRule::new(forgotten.clone(), &hole), RewriteRule::computed(forgotten.clone(), |_| Ok(None))] {
        let error = rule.unwrap_err();
        assert!(error.kind() == ErrorKind::Malformed && error.to_string().contains("make it a hole"), "{error}");
    }
    assert_eq!(RewriteRule::new(pattern.clone(), &other).unwrap_err().kind(), ErrorKind::BadReference);
    let constant = RewriteRules::new().rule(RewriteRule::new(forgotten.with_constants([&other]), &hole).unwrap());
    assert!(structural_equal(&constant.run(add(int(1), &other)).unwrap(), &int(1)));
    // Two rules undo each other.
    let swapped = Pattern::new(add(int(0), &hole)).hole(&hole).unwrap();
    let there = RewriteRule::new(pattern, add(int(0), &hole)).unwrap();
    let back = RewriteRule::new(swapped, add(&hole, int(0))).unwrap();
    for limits in [Limits::new().max_nodes(1000), Limits::new().max_steps(1000)] {
        let rules = RewriteRules::new().rule(there.clone()).rule(back.clone()).limits(limits);
        assert_eq!(rules.run(add(int(1), int(0))).unwrap_err().kind(), ErrorKind::LimitExceeded);
    }
}

#[test]
fn deep_values_match() {
    let (hole, x) = (var("hole"), var("x"));
    let tower = |inner: &Var| (0..200_000).fold(Expr::from(inner), |below, _| add(below, int(1)));
    let pattern = Pattern::new(tower(&hole)).hole(&hole).unwrap();
    let found = pattern.matches(&tower(&x)).unwrap().unwrap();
    assert!(found.value::<Var>(&hole).unwrap().ptr_eq(&x));
}
