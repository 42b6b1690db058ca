//! Laws of the normalizer over random programs.

use std::collections::HashSet;

use object_core::prelude::*;
use object_core::visit::walk;
use object_ir::derivation::Derivation;
use object_ir::ir::{Function, Id, RelaxExpr};
use object_ir::normal_form::{Normalizer, is_normal};
use object_ir::well_formed::{Checker, Phase, all_rules};
use object_tests::programs;

use crate::common::report;
use crate::evaluate::{Effects, Value, call};
use crate::rng::{Rng, setting};

/// A checker for programs that are not normalized.
fn unnormalized() -> Checker {
    let rules = all_rules().filter(|rule| rule.phase == Phase::Normal);
    rules.fold(Checker::new(), |checker, rule| checker.allow(rule.name).expect("a rule"))
}

/// The result and the side effects of a function, for each value of its conditions.
fn runs(function: &Function) -> Vec<(u64, Vec<(String, u64)>)> {
    let conditions = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let run = |(c, d)| {
        let mut effects = Effects::default();
        let numbers = [Value::Number(17), Value::Number(42), Value::Number(c), Value::Number(d)];
        let args: Vec<Value> = numbers.into_iter().chain([Value::Tuple(Vec::new())]).collect();
        let result = call(function, &args, &mut effects).number();
        (result, effects.0)
    };
    conditions.into_iter().map(run).collect()
}

fn check(function: &Function) -> Result<(), String> {
    let given = unnormalized().check(function);
    if !given.is_well_formed() {
        return Err(format!("the generator made an ill-formed program: {given}"));
    }
    let normal = Normalizer::new().function(function).map_err(|error| format!("no normal form: {error}"))?;
    let found = Checker::new().check(&normal);
    if !found.is_well_formed() {
        return Err(format!("the normal form is ill-formed: {found}"));
    }
    if !is_normal(&(&normal).into()) {
        return Err("the normal form is not normal".into());
    }
    let again = Normalizer::new().function(&normal).map_err(|error| format!("no second normal form: {error}"))?;
    if !again.ptr_eq(&normal) {
        return Err("the normal form of the normal form is another object".into());
    }
    if is_normal(&function.into()) != normal.ptr_eq(function) {
        return Err("`is_normal` says something else than the normalizer".into());
    }
    let (before, after) = (runs(function), runs(&normal));
    if before != after {
        return Err(format!("before {before:?}\n  after  {after:?}"));
    }
    let derived = Derivation::new().function(&normal).map_err(|error| format!("cannot be derived: {error}"))?;
    if !structural_equal(&derived.result, &normal) {
        return Err("the derivation finds other structural information".into());
    }
    let mut names = HashSet::new();
    let mut repeated = Vec::new();
    walk(&normal, |id: &Id| {
        if !names.insert(id.name_hint.to_string()) {
            repeated.push(id.name_hint.to_string());
        }
    });
    if !repeated.is_empty() {
        return Err(format!("names occur twice: {repeated:?}"));
    }
    Ok(())
}

/// The number of programs is `NORMAL_FORM_CASES`.
#[test]
fn normal_forms_of_random_programs() {
    let cases = setting("NORMAL_FORM_CASES", 400);
    let mut wrong = Vec::new();
    for case in 0..cases {
        let mut rng = Rng::of(setting("NORMAL_FORM_SEED", 1), "normal form", case);
        let function = programs::function(&mut |count| rng.below(count));
        if let Err(message) = check(&function) {
            let script = object_ir::script::print::print(&RelaxExpr::from(&function));
            wrong.push(format!("case {case}: {message}\n{}", script.text()));
        }
    }
    wrong.truncate(5);
    report(&wrong, usize::try_from(cases).unwrap_or_default());
}
