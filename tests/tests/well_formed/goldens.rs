//! The recorded cases of well-formedness, judged by the criterion that each case names, if the golden files are present.

use object_core::json;
use object_core::prelude::*;
use object_relax::well_formed::{Checker, Profile, Report, Rule};

use crate::common::{golden, list, report, text};

/// The cases whose violation is gone from the recorded module: its constructor or parser repaired it.
const REPAIRED: [&str; 2] = ["well_formed/17", "well_formed/34"];

/// The cases that the corrected specification accepts, although the record says otherwise, with the erratum.
const CONFORMING: [(&str, &str); 2] = [
    ("well_formed/24", "all variables that are a whole dimension bind before the other dimensions are checked"),
    ("well_formed/52", "a function described by its result alone is legal"),
];

/// The cases that are wrong here, although the record says otherwise, with the reason.
const VIOLATING: [(&str, &str); 1] =
    [("well_formed/70", "the result of `call_tir` is derived only for a literal tuple")];

/// The cases where the verdict under the profile of TVM differs from TVM, with the reason.
const UNLIKE_TVM: [(&str, &str); 0] = [];

/// Whether a rule is about the criterion of a case.
fn is_about(rule: &Rule, criterion: &str) -> bool {
    match criterion {
        "purity" => ["impure-call-in-pure-function", "force-pure-of-impure"].contains(&rule.name),
        "6(purity)" => rule.name == "impure-call-in-dataflow",
        _ => criterion.split('/').any(|it| {
            let whole = if it.starts_with("NF") { it } else { it.split('.').next().unwrap_or(it) };
            rule.criteria.contains(&whole)
        }),
    }
}

#[test]
fn each_case_breaks_or_keeps_its_criterion() {
    let Some(file) = golden("relax_cases.json") else { return };
    let cases = list(&file["groups"], "well_formed");
    let mut wrong = Vec::new();
    for case in cases {
        let (id, criterion) = (text(case, "id"), text(case, "criterion"));
        if REPAIRED.contains(&id) {
            continue;
        }
        let program: Any = json::from_slice(text(case, "json").as_bytes()).expect("the case loads");
        let is_tvm = criterion == "TVM";
        let found: Report = Checker::new().check(&program);
        for it in &found.diagnostics {
            let place = it.path.find(&program).ok().and_then(AnyView::as_object);
            assert!(place.is_some_and(|place| place.ptr_eq(it.object.view())), "{id}: {it} leads to another object");
        }
        let of_criterion = found.diagnostics.iter().filter(|it| is_about(it.rule, criterion)).count();
        let is_broken = if is_tvm { found.errors > 0 } else { of_criterion > 0 };
        let is_violating = if is_tvm {
            case["seed_ok"] == false || VIOLATING.iter().any(|(it, _)| *it == id)
        } else {
            case["kind"] == "violating" && CONFORMING.iter().all(|(it, _)| *it != id)
        };
        if is_broken != is_violating {
            wrong.push(format!("{id} ({criterion}): {}: violating {is_violating}, got\n{found}", case["desc"]));
        }
    }
    report(&wrong, cases.len());
}

#[test]
fn the_profile_agrees_with_tvm() {
    let Some(file) = golden("relax_cases.json") else { return };
    let cases = list(&file["groups"], "well_formed");
    let mut wrong = Vec::new();
    for case in cases {
        let program: Any = json::from_slice(text(case, "json").as_bytes()).expect("the case loads");
        let found = Checker::new().profile(Profile::Tvm025).check(&program);
        let is_exception = UNLIKE_TVM.iter().any(|(id, _)| *id == text(case, "id"));
        let agrees = case["check_struct_info=True"]["ok"] == found.is_well_formed();
        if agrees == is_exception {
            wrong.push(format!("{}: {}: {}\n{found}", case["id"], case["desc"], case["check_struct_info=True"]));
        }
    }
    report(&wrong, cases.len());
}
