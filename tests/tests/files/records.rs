//! The recorded results of TVM for pairs of small programs and of the modules in `fixtures`. `fixtures/make_records.py`
//! wrote them to `fixtures/records.json`. The tests also read and write every graph and every module byte for byte, and
//! read the text form of each back.

use crate::common::{Expected, compare, element, fixture, json_fixture, list, report, round_trip, text};
use crate::texts::reads_back;
use object_ir as _;
use serde_json::Value;

/// Fails and prints all failing cases of the group `group`.
fn failures(group: &str, check: impl Fn(&Value) -> Result<(), String>) {
    let records = json_fixture("records.json");
    let cases = list(&records, group);
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| check(case).err().map(|wrong| format!("{} {}: {wrong}", case["id"], case["what"])))
        .collect();
    report(&wrong, cases.len());
}

#[test]
fn pairs_of_small_programs() {
    failures("cases", |case| {
        let root = round_trip(text(case, "graph").as_bytes())?;
        reads_back(&root)?;
        compare(&element(&root, 0)?, &element(&root, 1)?, &Expected::of(case))
    });
}

#[test]
fn pairs_of_files() {
    failures("files", |case| {
        let load = |side| round_trip(&fixture(text(case, side))).map_err(|wrong| format!("{side}: {wrong}"));
        compare(&load("lhs")?, &load("rhs")?, &Expected::of(case))
    });
}

#[test]
fn every_module_is_saved_as_the_same_bytes() {
    let names = crate::common::modules();
    assert!(names.len() >= 8, "only {names:?}");
    let wrong: Vec<String> = names
        .iter()
        .filter_map(|name| {
            let found = round_trip(&fixture(name)).and_then(|root| reads_back(&root));
            found.err().map(|wrong| format!("{name}: {wrong:.2000}"))
        })
        .collect();
    report(&wrong, names.len());
}
