//! Rules as texts over variables: inlining, beta and eta reduction, dead bindings, and the texts that would free a variable.

use crate::demo::{Bind, Expr, Imm, Lambda, Let, Seq, Var, add, imm, var};
use object_core::ErrorKind;
use object_core::prelude::*;
use object_core::rewrite::{Pattern, RewriteRule, RewriteRules};
use object_core::visit::ScopeTypes;

const INLINE: &str = "demo.Let(value=?v, var=?x, body=?b) => ?b[?x := ?v]";
const DEAD: &str = "demo.Let(value=?v, var=?x, body=?b) => ?b";
const RESULT: &str = "demo.Let(value=?v, var=?x, body=?x) => ?v";
const FLOAT: &str = "demo.Add(lhs=demo.Let(value=?v, var=?x, body=?b), rhs=?c) => demo.Let(value=?v, var=?x, body=demo.Add(lhs=?b, rhs=?c))";
const NAMED: &str = "demo.Add(lhs=demo.Lambda(params=[?x], body=?b), rhs=?a) => demo.Let(value=?a, var=?x, body=?b)";

fn run(rule: &str, root: impl Into<Expr>) -> Expr {
    let rule = RewriteRule::parse(rule).unwrap_or_else(|error| panic!("{error}"));
    RewriteRules::new().rule(rule).run(root.into()).unwrap()
}

#[track_caller]
fn becomes(rule: &str, root: impl Into<Expr>, expected: impl Into<Expr>) {
    let (root, expected) = (root.into(), expected.into());
    let result = run(rule, root.clone());
    assert!(object_core::lexical::structural_equal(&result, &expected), "{root}\n{result}\n{expected}");
}

#[track_caller]
fn stays(rule: &str, root: impl Into<Expr>) {
    let root = root.into();
    let result = run(rule, root.clone());
    assert!(result.ptr_eq(&root), "{root}\n{result}");
}

#[test]
fn a_hole_for_a_variable_has_any_fields() {
    let (x, y) = (var("x"), var("y"));
    let typed = Var::new("t", Some(imm(7)));
    for x in [&x, &typed] {
        becomes(RESULT, Let::new(&y, x, x), &y);
        becomes(DEAD, Let::new(imm(1), x, &y), &y);
        stays(DEAD, Let::new(imm(1), x, add(x, &y)));
        stays(RESULT, Let::new(imm(1), x, &y));
    }
    // The body is the variable of the inner binding, which is the same object.
    stays(
        "demo.Let(value=?v, var=?x, body=demo.Let(value=?w, var=?y, body=?x)) => ?v",
        Let::new(imm(1), &x, Let::new(imm(2), &x, &x)),
    );
    let found = Pattern::parse("demo.Let(value=?v, var=?x, body=?b)").unwrap().matches(&Let::new(
        imm(1),
        &typed,
        add(&typed, &y),
    ));
    let found = found.unwrap().expect("it matches");
    assert!(found.get::<Var>("x").unwrap().ptr_eq(&typed));
    assert!(structural_equal(&found.get::<Expr>("b").unwrap(), &add(&typed, &y)));
}

#[test]
fn values_take_the_place_of_variables_without_capture() {
    let [x, y, z] = ["x", "y", "z"].map(var);
    becomes(INLINE, Let::new(add(&z, imm(1)), &x, add(&x, &x)), add(add(&z, imm(1)), add(&z, imm(1))));
    // `y` of the value is not the `y` that the lambda binds.
    let capturing = Let::new(&y, &x, Lambda::new([y.clone()], add(&x, &y)));
    becomes(INLINE, capturing, Lambda::new([z.clone()], add(&y, &z)));
    becomes(INLINE, Let::new(imm(1), &x, Let::new(&x, &y, add(&x, &y))), add(imm(1), imm(1)));
    let beta =
        "demo.Add(lhs=demo.Lambda(params=[?x, ?y], body=?b), rhs=demo.Seq(items=[?v, ?w])) => ?b[?x := ?v, ?y := ?w]";
    let call = |a: &Var, b: &Var| {
        add(Lambda::new([x.clone(), y.clone()], add(&x, add(&y, &z))), Seq::new([a, b].map(Expr::from)))
    };
    becomes(beta, call(&y, &x), add(&y, add(&x, &z)));
    stays(beta, call(&y, &x).downcast_ref::<crate::demo::Add>().unwrap().lhs.clone());
    // The value is a text with holes.
    let doubled = "demo.Let(value=demo.Imm(value=?n), var=?x, body=?b) => ?b[?x := demo.Add(lhs=demo.Imm(value=?n), rhs=demo.Imm(value=?n))]";
    becomes(doubled, Let::new(imm(2), &x, Lambda::new([z.clone()], &x)), Lambda::new([z.clone()], add(imm(2), imm(2))));
}

#[test]
fn a_value_that_would_leave_the_scope_of_its_variable_does_not_match() {
    let [x, y, f, g] = ["x", "y", "f", "g"].map(var);
    let eta = "demo.Lambda(params=[?x], body=demo.Add(lhs=?f, rhs=?x)) => ?f";
    becomes(eta, Lambda::new([x.clone()], add(&f, &x)), &f);
    stays(eta, Lambda::new([x.clone()], add(&x, &x)));
    // One hole inside and outside of the scope.
    let both = "demo.Add(lhs=?f, rhs=demo.Lambda(params=[?x], body=?f)) => ?f";
    becomes(both, add(&f, Lambda::new([x.clone()], &f)), &f);
    stays(both, add(&x, Lambda::new([x.clone()], &x)));
    // A value comes into the scope of a variable.
    becomes(FLOAT, add(Let::new(imm(1), &x, add(&x, &f)), &g), Let::new(imm(1), &x, add(add(&x, &f), &g)));
    stays(FLOAT, add(Let::new(imm(1), &x, &x), &x));
    // The value of the inner binding uses the outer variable.
    let swap = "demo.Let(value=?v, var=?x, body=demo.Let(value=?w, var=?y, body=?b)) => \
                demo.Lambda(params=[?y, ?x], body=demo.Add(lhs=?w, rhs=?b))";
    let nested = |w: &Var, inner: &Var| Let::new(imm(1), &x, Let::new(w, inner, add(&x, inner)));
    becomes(swap, nested(&f, &y), Lambda::new([y.clone(), x.clone()], add(&f, add(&x, &y))));
    stays(swap, nested(&f, &x));
    // A type that uses the outer variable.
    let typed = Var::new("t", Some(Expr::from(&x)));
    stays(
        "demo.Let(value=?v, var=?x, body=demo.Let(value=?w, var=?y, body=?b)) => demo.Let(value=?w, var=?y, body=?b[?x := ?v])",
        Let::new(imm(1), &x, Let::new(imm(2), &typed, &typed)),
    );
}

#[test]
fn a_binding_place_of_another_kind_takes_variables_without_others() {
    let [x, y, n] = ["x", "y", "n"].map(var);
    // A lambda binds the variables in the type of its parameter, and a let does not.
    becomes(NAMED, add(Lambda::new([x.clone()], add(&x, &y)), imm(1)), Let::new(imm(1), &x, add(&x, &y)));
    let typed = Var::new("t", Some(Expr::from(&n)));
    stays(NAMED, add(Lambda::new([typed.clone()], add(&typed, &n)), imm(1)));
    // The lambda binds `n` too, and the body uses it, as a whole and in the type of `t`.
    let beta = "demo.Add(lhs=demo.Lambda(params=[?x], body=?b), rhs=?a) => ?b[?x := ?a]";
    stays(beta, add(Lambda::new([typed.clone()], add(&typed, &n)), imm(1)));
    becomes(beta, add(Lambda::new([typed.clone()], &y), imm(1)), &y);
    becomes(INLINE, Let::new(imm(1), &typed, add(&typed, &n)), add(imm(1), &n));
    // A free variable with `x` in its type would become another free variable.
    let of_x = Var::new("t", Some(Expr::from(&x)));
    stays(INLINE, Let::new(imm(1), &x, add(&of_x, &x)));
    // An array of parameters.
    let inner =
        "demo.Lambda(params=?ps, body=demo.Add(lhs=?b, rhs=demo.Imm(value=0))) => demo.Lambda(params=?ps, body=?b)";
    becomes(inner, Lambda::new([typed.clone()], add(&typed, imm(0))), Lambda::new([typed.clone()], &typed));
    let first =
        "demo.Lambda(params=[?x, ?rest...], body=?b) => demo.Seq(items=[demo.Lambda(params=[?rest...], body=?b)])";
    becomes(first, Lambda::new([x.clone(), y.clone()], &y), Seq::new([Lambda::new([y.clone()], &y)].map(Expr::from)));
    stays(first, Lambda::new([x.clone(), y.clone()], &x));
}

#[test]
fn bindings_that_do_not_end_stay() {
    let (x, y) = (var("x"), var("y"));
    let fold = "demo.Bind(value=demo.Add(lhs=?a, rhs=demo.Imm(value=0)), var=?x) => demo.Bind(value=?a, var=?x)";
    let block = |value: Expr| Seq::new([Bind::new(value, &x).into(), Expr::from(&x)]);
    assert!(structural_equal(&run(fold, block(add(&y, imm(0)))), &block(Expr::from(&y))));
    let inner = "demo.Seq(items=[demo.Bind(value=?v, var=?x), ?r]) => demo.Seq(items=[demo.Imm(value=0), demo.Bind(value=?v, var=?x), ?r])";
    let result = run(inner, block(y.clone().into()));
    assert!(ScopeTypes::new().free_vars(&result).iter().all(|free| free.ptr_eq(&ObjectRef::from(&y))), "{result}");
    for text in [
        "demo.Bind(value=?v, var=?x) => ?v",
        "demo.Seq(items=[demo.Bind(value=?v, var=?x), ?r]) => ?r[?x := ?v]",
        "demo.Seq(items=[demo.Lambda(params=[?x], body=?b)]) => demo.Bind(value=demo.Imm(value=1), var=?x)",
    ] {
        let error = RewriteRule::parse(text).expect_err(text);
        assert!(error.kind() == ErrorKind::Malformed && error.to_string().contains("as `scope`"), "{text}: {error}");
    }
}

#[test]
fn texts_that_free_a_variable_are_errors() {
    let pattern = "demo.Let(value=?v, var=?x, body=?b)";
    for (text, part) in [
        (format!("{pattern} => ?x"), "the variable of `?x` is free here"),
        (format!("{pattern} => demo.Let(value=?x, var=?x, body=?b)"), "is free here"),
        (format!("{pattern} => demo.Let(value=?v, var=?x, body=demo.Let(value=?v, var=?x, body=?b))"), "bound twice"),
        (format!("{pattern} => ?v[?x := ?b]"), "binds no variable around `?v`"),
        (format!("{pattern} => ?b[?v := ?v]"), "binds no variable around `?b`"),
        (format!("{pattern} => ?b[?y := ?v]"), "no hole `?y`"),
        (format!("{pattern} => ?b[?x := ?v, ?x := ?v]"), "stands twice"),
        (format!("{pattern} => demo.Let(value=?v, var=?x, body=?x[?x := ?v])"), "stands for a variable"),
        ("demo.Add(lhs=?a, rhs=?b) => demo.Lambda(params=[?a], body=?b)".into(), "stands for no variable"),
        ("demo.Add(lhs=?a, rhs=?b[?a := ?b]) => ?a".into(), "alone in a pattern"),
        ("demo.Add(lhs=?x, rhs=demo.Lambda(params=[?x], body=?b)) => demo.Imm(value=1)".into(), "at one place"),
        ("demo.Add(lhs=demo.Lambda(params=[?x], body=?b), rhs=?x) => demo.Imm(value=1)".into(), "at one place"),
        ("demo.Lambda(params=[?x, ?x], body=?b) => demo.Imm(value=1)".into(), "at one place"),
        ("demo.Lambda(params=?x, body=?b) => ?b[?x := demo.Imm(value=1)]".into(), "an array of variables"),
        ("demo.Let(value=?v, ...) => ?v".into(), "the field `var` of `demo.Let` binds variables; state it"),
        (r#"demo.Imm(value=1) => demo.Var(name="x")"#.into(), "a new variable is free"),
    ] {
        let error = RewriteRule::parse(&text).map(|rule| rule.name()).expect_err(&text);
        assert!(error.to_string().contains(part) && error.to_string().contains("line 1, column"), "{text}: {error}");
    }
}

#[test]
fn a_closure_gets_the_variable_and_the_body() {
    let (x, y) = (var("x"), var("y"));
    let rule = RewriteRule::computed(
        Pattern::parse("demo.Let(value=demo.Imm(value=?n), var=?x, body=?b)").unwrap(),
        |found| {
            let (x, body): (Var, Expr) = (found.get("x")?, found.get("b")?);
            let replaced = object_core::lexical::substitute(body, [(x, Imm::new(found.get::<i64>("n")? + 1))])?;
            Ok(Some(replaced.into()))
        },
    );
    let result = RewriteRules::new().rule(rule.unwrap()).run(Expr::from(Let::new(imm(1), &x, add(&x, &y)))).unwrap();
    assert!(structural_equal(&result, &add(imm(2), &y)));
}

/// `count` bindings, each of which uses the variable of the one before.
fn chain(count: usize) -> Expr {
    let vars: Vec<Var> = (0..=count).map(|number| var(&format!("x{number}"))).collect();
    let last = Expr::from(&vars[count]);
    (0..count).rev().fold(last, |body, number| Let::new(add(&vars[number], imm(1)), &vars[number + 1], body).into())
}

#[test]
fn rules_on_live_bindings_take_linear_time() {
    for rule in [DEAD, RESULT, FLOAT] {
        let rules = RewriteRules::new().rule(RewriteRule::parse(rule).unwrap());
        let steps = |count| {
            let chain = chain(count);
            let taken = object_core::steps::count(u64::MAX, || {
                let result = rules.run(chain.clone()).unwrap();
                assert!(rule == RESULT || result.ptr_eq(&chain));
            });
            taken.expect("the limit is not reached")
        };
        let (short, long) = (steps(4000), steps(8000));
        println!("{rule}: {short} {long}");
        assert!(2 * long <= 5 * short, "{rule}: {short}, {long}");
    }
}
