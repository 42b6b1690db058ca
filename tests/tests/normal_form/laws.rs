//! Laws of the normalizer over random programs.

use std::collections::HashSet;

use object_core::prelude::*;
use object_core::visit::walk;
use object_ir::ir::{Function, Id, RelaxExpr};
use object_relax::derivation::Derivation;
use object_relax::normal_form::Normalizer;
use object_tests::{normal_law, programs};

use crate::common::report;
use crate::evaluate::{Effects, Value, call};
use object_tests::setting;

use crate::rng::Rng;

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
    let given = normal_law::unnormalized().check(function);
    if !given.is_well_formed() {
        return Err(format!("the generator made an ill-formed program: {given}"));
    }
    normal_law::check(&function.into())?;
    let normal = Normalizer::new().function(function).map_err(|error| format!("no normal form: {error}"))?;
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
    walk(&normal, |id: &Id, _| {
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
    let cases = setting("NORMAL_FORM_CASES", 80);
    let mut wrong = Vec::new();
    for case in 0..cases {
        let mut rng = Rng::of(setting("NORMAL_FORM_SEED", 1), "normal form", case);
        let function = programs::function(&mut |count| rng.below(count));
        if let Err(message) = check(&function) {
            let script = object_script::print::print(&RelaxExpr::from(&function));
            wrong.push(format!("case {case}: {message}\n{}", script.text()));
        }
    }
    wrong.truncate(5);
    report(&wrong, usize::try_from(cases).unwrap_or_default());
}
