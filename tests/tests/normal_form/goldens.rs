//! The recorded normal forms of TVM, if the golden files are present: of `BlockBuilder.normalize`, and of the pass.

use std::collections::BTreeMap;
use std::fs;

use object_core::json;
use object_core::prelude::*;
use object_ir::ir::Function;
use object_relax::normal_form::Normalizer;
use object_relax::well_formed::Checker;
use serde_json::Value;

use crate::common::{at_root, golden, list, report, text};

/// The cases where TVM has another result: which result (`builder` or `pass`), the erratum or rule, and the reason.
fn deviations() -> BTreeMap<(String, String), String> {
    let path = at_root("tests/data/normal_form/deviations.txt");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &str| {
        let [id, which, rule, reason] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four columns: {line}")
        };
        let is_erratum = rule.strip_prefix('E').is_some_and(|number| number.parse::<u8>().is_ok_and(|it| it <= 42));
        assert!(is_erratum || rule.starts_with("rule "), "{id}: `{rule}` is neither an erratum nor a rule");
        ((id.to_owned(), which.to_owned()), reason.to_owned())
    };
    rows.map(row).collect()
}

/// The difference of a result to a recorded one.
fn difference(case: &Value, which: &str, normal: &Result<Function, Error>) -> Option<String> {
    let recorded = case[format!("after_{which}_json")].as_str();
    match (normal, recorded) {
        (Ok(normal), Some(recorded)) => {
            let recorded: Function = json::from_slice(recorded.as_bytes()).expect("the case loads");
            let options = StructuralOptions::new().map_free_vars(true);
            let mismatch = options.first_mismatch(&recorded, normal).expect("functions compare");
            mismatch.map(|mismatch| mismatch.to_string())
        }
        (Err(_), None) => None,
        (Ok(_), None) => Some(format!("no error; TVM: {}", case[format!("after_{which}_error")])),
        (Err(error), Some(_)) => Some(format!("error {error}")),
    }
}

#[test]
fn recorded_normal_forms() {
    let Some(file) = golden("relax_cases.json") else { return };
    let cases = list(&file["groups"], "normalize");
    let mut deviations = deviations();
    let mut wrong = Vec::new();
    for case in cases {
        let id = text(case, "id");
        let before: Function = json::from_slice(text(case, "before_json").as_bytes()).expect("the case loads");
        let normal = Normalizer::new().function(&before);
        for which in ["blockbuilder", "pass"] {
            let row = deviations.remove(&(id.to_owned(), which.to_owned()));
            match (difference(case, which, &normal), row) {
                (Some(difference), None) => wrong.push(format!("{id} ({}), {which}: {difference}", case["desc"])),
                (None, Some(_)) => wrong.push(format!("{id}, {which}: TVM has the same; remove the row")),
                _ => {}
            }
        }
        if let Ok(normal) = &normal {
            let found = Checker::new().check(normal);
            let is_well_formed = case["well_formed_after_blockbuilder"] == true;
            if is_well_formed && !found.is_well_formed() {
                wrong.push(format!("{id}: TVM finds the normal form well-formed\n{found}"));
            }
        }
    }
    wrong.extend(deviations.into_keys().map(|key| format!("{key:?}: no such case; remove the row")));
    report(&wrong, cases.len());
}
