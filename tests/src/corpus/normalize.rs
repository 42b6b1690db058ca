//! `normalize/module`: the normal form of a module, or an error.

use object_core::prelude::*;
use object_ir::ir::{Function, IRModule, RelaxExpr};
use object_ir::normal_form::{Normalizer, is_normal};
use object_ir::well_formed::{Checker, Phase, all_rules};

use super::Checked;
use super::facts::{Corpus, Fact, Problem, options};

/// Normalizes a module. The normal form is normal, so its normalization changes nothing; and the checker finds no more errors
/// in it than it finds in the module.
pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Checked {
    let before = corpus.load_module(fact.text("before")?)?.root;
    let normalized = before.clone().cast::<IRModule>().and_then(|module| Normalizer::new().module(&module));
    match (normalized, fact.text("expect")?) {
        (Ok(normalized), expected) => {
            holds(&before, &normalized)?;
            match expected {
                "ok" => {}
                "crash" => return Ok(()),
                _ => return Err(Problem::new(format!("an error: {}", fact.get("error")), "no error")),
            }
            // The result is not recorded if it is structurally equal and large.
            let after = fact.text("after").and_then(|after| corpus.load_module(after));
            let expected = after.map_or_else(|_| before.clone(), |after| after.root);
            let mismatch = options(true, false).first_mismatch(&expected, &normalized);
            match mismatch.map_err(|error| Problem::failed("a verdict", error))? {
                None => Ok(()),
                Some(mismatch) => Err(Problem::new("the recorded result", mismatch)),
            }
        }
        (Err(error), "ok") => Err(Problem::failed("a normal form", error)),
        (Err(_), _) => Ok(()),
    }
}

/// The laws of a normal form.
fn holds(before: &Any, normalized: &IRModule) -> Checked {
    for (_, function) in &normalized.functions {
        let expr: RelaxExpr = function.into();
        if expr.is::<Function>() && !is_normal(&expr) {
            return Err(Problem::new("a normal form", expr));
        }
    }
    let again = Normalizer::new().module(normalized).map_err(|error| Problem::failed("the same object", error))?;
    if !again.ptr_eq(normalized) {
        return Err(Problem::new("the same object", "another one"));
    }
    let found = Checker::new().check(normalized);
    if found.errors > 0 && unnormalized().check(before).is_well_formed() {
        return Err(Problem::new("a well-formed module", found));
    }
    Ok(())
}

/// A checker without the rules that hold for normalized programs only.
fn unnormalized() -> Checker {
    let rules = all_rules().filter(|rule| rule.phase == Phase::Normal);
    rules.fold(Checker::new(), |checker, rule| checker.allow(rule.name).expect("the rule exists"))
}
