//! An optimizer: rules and passes over a language, repeated until nothing changes, with a record of the work.

use object_core::ErrorKind;
use object_core::lexical::{free_vars, structural_equal};
use object_core::prelude::*;
use object_core::rewrite::{Pattern, RewriteRule, RewriteRules};
use object_core::trace::PassManager;
use object_core::visit::fold;
use object_examples::calc::{Add, Call, Expr, ExprKind, Int, Lambda, Let, Var};

// ANCHOR: rules
/// Rules that never make a program larger: arithmetic, and variables without a use.
fn simplification() -> Result<RewriteRules, Error> {
    let numbers = Pattern::parse("calc.Add(a=calc.Int(value=?a), b=calc.Int(value=?b))")?;
    Ok(RewriteRules::new()
        .rule(RewriteRule::parse("calc.Add(a=?x, b=calc.Int(value=0)) => ?x")?.named("x + 0"))
        .rule(RewriteRule::parse("calc.Add(a=calc.Int(value=0), b=?x) => ?x")?.named("0 + x"))
        .rule(
            RewriteRule::computed(numbers, |found| {
                let sum = found.get::<i64>("a")?.checked_add(found.get::<i64>("b")?);
                Ok(sum.map(|sum| Int::new(sum).into()))
            })?
            .named("sum"),
        )
        // The rule matches only where the body does not use the variable: otherwise its result would free it.
        .rule(RewriteRule::parse("calc.Let(value=?v, var=?x, body=?b) => ?b")?.named("unused"))
        // `λx. f x` is `f`, where `f` does not use `x`.
        .rule(RewriteRule::parse("calc.Lambda(param=?x, body=calc.Call(callee=?f, arg=?x)) => ?f")?.named("eta")))
}
// ANCHOR_END: rules

// ANCHOR: inlining
/// Rules that put small values and values with one use in place of their variables.
fn inlining() -> Result<RewriteRules, Error> {
    let binding = || Pattern::parse("calc.Let(value=?v, var=?x, body=?b)");
    Ok(RewriteRules::new()
        .rule(
            RewriteRule::computed(binding()?, |found| {
                let (value, var, body) = (found.get::<Expr>("v")?, found.get::<Var>("x")?, found.get::<Expr>("b")?);
                let is_cheap = value.is::<Int>() || value.is::<Var>() || occurrences(&body, &var) == 1;
                is_cheap.then(|| object_core::lexical::substitute(body, [(&var, value)]).map(Any::from)).transpose()
            })?
            .named("inline"),
        )
        .rule(
            RewriteRule::parse(
                "calc.Call(callee=calc.Lambda(param=?x, body=?b), arg=?v) => calc.Let(value=?v, var=?x, body=?b)",
            )?
            .named("call"),
        ))
}

/// How often the value of an expression reads a variable.
fn occurrences(expr: &Expr, var: &Var) -> u64 {
    fold(expr, |expr: &Expr, count| match ExprKind::of(expr) {
        ExprKind::Var(other) => u64::from(other.ptr_eq(var)),
        _ => count.children(expr).map(|(_, count)| *count).sum(),
    })
}
// ANCHOR_END: inlining

// ANCHOR: passes
/// Both passes, again and again until a round changes nothing.
fn optimize(program: Expr, passes: &PassManager<'_, Expr>) -> Result<Expr, Error> {
    let mut current = program;
    loop {
        let next = passes.run(&current)?;
        // A rewrite that changes nothing returns the object that it got.
        if next.ptr_eq(&current) {
            return Ok(next);
        }
        current = next;
    }
}
// ANCHOR_END: passes

fn main() -> Result<(), Error> {
    // ANCHOR: program
    // A dead binding, a sum of numbers, a call of a known function, and a function that only calls another one.
    let [dead, one, x, z, f, y] = ["dead", "one", "x", "z", "f", "y"].map(Var::new);
    let eta = Lambda::new(&z, Call::new(&f, &z));
    let body = Call::new(Lambda::new(&x, Add::new(Call::new(&x, &one), Int::new(0))), eta);
    let program =
        Expr::from(Let::new(Add::new(&y, &y), &dead, Let::new(Add::new(Int::new(0), Int::new(1)), &one, body)));
    println!("{program}");
    // ANCHOR_END: program

    // ANCHOR: run
    let (simplify, inline) = (simplification()?, inlining()?);
    let free = free_vars(&program);
    let passes = PassManager::new()
        .pass("simplify", |program: &Expr| simplify.run(program.clone()))
        .pass("inline", |program: &Expr| inline.run(program.clone()))
        // An optimizer that frees a variable has a mistake: the pass after which it happens is in the error.
        .verify(|program| match free_vars(program).iter().find(|var| !free.contains(var)) {
            Some(var) => Err(Error::new(ErrorKind::OutOfRange, format!("the variable {var} is free"))),
            None => Ok(()),
        })
        .observe(|pass, program| println!("{pass:8} {program}"));
    let optimized = optimize(program, &passes)?;
    assert!(structural_equal(&optimized, &Expr::from(Call::new(&f, Int::new(1)))));
    // ANCHOR_END: run
    Ok(())
}
