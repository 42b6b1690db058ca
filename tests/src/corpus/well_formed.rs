//! `well_formed`: whether modules and functions are well-formed, by the rules of TVM.

use object_relax::well_formed::{Checker, Phase, Profile, all_rules};

use super::Checked;
use super::facts::{Corpus, Fact, Problem};

/// The rules that TVM skips without `check_struct_info`, because they read structural information.
const ABOUT_STRUCT_INFO: [&str; 3] =
    ["annotation-shape-var-unbound", "annotation-shape-var-captured", "missing-inner-struct-info"];

/// The rules about types that TVM checks also without `check_struct_info`, as demands of an operator.
const IN_NORMAL_FORM: [&str; 2] = ["call-tir-signature", "possible-call-tir-result"];

/// A recorded violation is found, and nothing is found in a program without violations.
pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Checked {
    let root = corpus.load_module(fact.text("obj")?)?.root;
    let mut checker = Checker::new().profile(Profile::Tvm025);
    if !fact.flag("check_struct_info") {
        let typed = all_rules().filter(|rule| rule.phase == Phase::Typed && !IN_NORMAL_FORM.contains(&rule.name));
        for rule in typed.map(|rule| rule.name).chain(ABOUT_STRUCT_INFO) {
            checker = checker.allow(rule).map_err(|error| Problem::failed("a rule", error))?;
        }
    }
    let report = checker.check(&root);
    if !report.is_complete {
        return Err(Problem::new("a complete check", "the check gave up"));
    }
    // Where TVM crashes, any answer is right.
    match (fact.get("expect").as_bool(), report.is_well_formed()) {
        (Some(true), false) => Err(Problem::new("well-formed", report)),
        (Some(false), true) => {
            let error = fact.get("error").as_str().unwrap_or_default();
            Err(Problem::new(format!("ill-formed: {error}"), "well-formed"))
        }
        _ => Ok(()),
    }
}
