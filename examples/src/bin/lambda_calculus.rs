//! A lambda calculus that runs: evaluation is a set of rewrite rules.

use object_core::lexical::structural_equal;
use object_core::prelude::*;
use object_core::rewrite::{Pattern, RewriteRule, RewriteRules};
use object_core::{ErrorKind, Limits};
use object_examples::calc::{Add, Call, Expr, Int, Lambda, Var};

// ANCHOR: rules
/// The meaning of the language: three rules.
fn evaluator() -> Result<RewriteRules, Error> {
    let sum = Pattern::parse("calc.Add(a=calc.Int(value=?a), b=calc.Int(value=?b))")?;
    Ok(RewriteRules::new()
        .rule(
            RewriteRule::parse("calc.Call(callee=calc.Lambda(param=?x, body=?b), arg=?v) => ?b[?x := ?v]")?
                .named("beta"),
        )
        .rule(RewriteRule::parse("calc.Let(value=?v, var=?x, body=?b) => ?b[?x := ?v]")?.named("let"))
        .rule(
            RewriteRule::computed(sum, |found| {
                let sum = found.get::<i64>("a")?.checked_add(found.get::<i64>("b")?);
                Ok(sum.map(|sum| Int::new(sum).into())) // a sum that overflows stays as it is
            })?
            .named("sum"),
        ))
}
// ANCHOR_END: rules

// ANCHOR: programs
/// `λf. λx. f (... (f x))`: the number as a function that calls another one so often.
fn church(number: usize) -> Expr {
    let (f, x) = (Var::new("f"), Var::new("x"));
    let body = (0..number).fold(Expr::from(&x), |arg, _| Call::new(&f, arg).into());
    Lambda::new(&f, Lambda::new(&x, body)).into()
}

/// `λa. λb. λf. λx. a f (b f x)`
fn plus() -> Expr {
    let [a, b, f, x] = ["a", "b", "f", "x"].map(Var::new);
    let inner = Call::new(Call::new(&b, &f), &x);
    let body = Call::new(Call::new(&a, &f), inner);
    Lambda::new(&a, Lambda::new(&b, Lambda::new(&f, Lambda::new(&x, body)))).into()
}
// ANCHOR_END: programs

fn main() -> Result<(), Error> {
    let rules = evaluator()?;

    // ANCHOR: evaluate
    let five = Expr::from(Call::new(Call::new(plus(), church(2)), church(3)));
    println!("{five}\n  = {}", rules.run(five.clone())?);
    // The result is the Church numeral five, whatever its variables are called.
    assert!(structural_equal(&rules.run(five.clone())?, &church(5)));

    let n = Var::new("n");
    let successor = Lambda::new(&n, Add::new(&n, Int::new(1)));
    let number = Expr::from(Call::new(Call::new(five, successor), Int::new(0)));
    println!("applied to a successor and to 0\n  = {}", rules.run(number)?);
    // ANCHOR_END: evaluate

    // ANCHOR: capture
    // `(λx. λy. x) y`: the free `y` stays free, although the inner function binds a variable of this name.
    let (x, y, bound) = (Var::new("x"), Var::new("y"), Var::new("y"));
    let constant = Lambda::new(&x, Lambda::new(&bound, &x));
    let applied = rules.run(Expr::from(Call::new(&constant, &y)))?;
    assert!(structural_equal(&applied, &Lambda::new(Var::new("z"), &y)));
    // With the bound variable itself as the argument, the function gets another parameter.
    let applied = rules.run(Expr::from(Call::new(&constant, &bound)))?;
    assert!(structural_equal(&applied, &Lambda::new(Var::new("z"), &bound)));
    // ANCHOR_END: capture

    // ANCHOR: omega
    // `(λx. x x) (λx. x x)` has no value: the limit ends the evaluation.
    let double = Lambda::new(&x, Call::new(&x, &x));
    let omega = Expr::from(Call::new(&double, &double));
    let error = evaluator()?.limits(Limits::untrusted().max_steps(10_000)).run(omega).expect_err("it goes on for ever");
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    println!("{}", error.message());
    // ANCHOR_END: omega
    Ok(())
}
