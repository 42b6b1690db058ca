//! The examples of the rules with the verdicts of two versions of TVM: `fixtures/make_rule_verdicts.py` records them in
//! `tests/data/rule_verdicts.txt`.

use object_ir::table::rows;
use object_ir::tvm::TvmVersion;
use object_relax::well_formed::{Checker, Profile};
use object_tests::rule_examples;

use crate::common::{at_root, report};

/// The examples whose verdict is not the one of TVM, with the reason.
const UNLIKE_TVM: &[(&str, &str, &str)] = &[];

#[test]
fn the_profile_of_a_version_gives_its_verdict() {
    let text = std::fs::read_to_string(at_root("tests/data/rule_verdicts.txt")).expect("the verdicts");
    let examples: Vec<_> = rule_examples::all().collect();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for [version, rule, example, verdict] in rows(&text) {
        let version = TvmVersion::find(version).expect("a version");
        let found = examples.iter().find(|(it, name, _)| it.name == rule && *name == example);
        let Some((_, _, program)) = found else {
            wrong.push(format!("{rule}, {example}: no such example; record the verdicts again"));
            continue;
        };
        count += 1;
        let found = Checker::new().profile(Profile::of(version)).check(program);
        let is_exception = UNLIKE_TVM.iter().any(|it| (it.0, it.1) == (version.name(), rule) && !it.2.is_empty());
        if (found.is_well_formed() == (verdict == "well-formed")) == is_exception {
            wrong.push(format!("{rule}, {example}: TVM {version} says {verdict}: {found}"));
        }
    }
    report(&wrong, count);
}
