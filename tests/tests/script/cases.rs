//! Scripts read as the live TVM reads them: the scripts of `tests/corpus/script`, whose results
//! `fixtures/script_cases.records.gz` has, and the golden scripts, if they are present.
//!
//! A new case needs a script that begins with `# case: name`, and a run of `fixtures/make_script_cases.py`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use object_core::Any;
use object_core::json::JsonReader;
use object_core::structural::StructuralOptions;
use object_ir::ir::IRModule;
use object_relax::well_formed::Checker;
use object_script::parse::parse;
use serde_json::Value;

use crate::common::{golden, json_fixture, list, report, text};

/// The scripts by file and name.
pub(crate) fn scripts() -> BTreeMap<(String, String), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/script");
    let mut scripts = BTreeMap::new();
    for entry in fs::read_dir(&folder).expect("the folder of scripts") {
        let path = entry.expect("an entry").path();
        let file = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a script is UTF-8");
        for part in text.split("# case: ").skip(1) {
            let (name, script) = part.split_once('\n').expect("a line after the name");
            let known = scripts.insert((file.clone(), name.trim().to_owned()), script.trim().to_owned() + "\n");
            assert!(known.is_none(), "{file}: {name}: there are two cases of this name");
        }
    }
    scripts
}

/// The reasons for results that differ from the recorded ones, by file and name.
fn deviations() -> BTreeMap<String, String> {
    let table = include_str!("../../data/script_deviations.txt");
    let rows = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|row| {
        let (key, reason) = row.split_once('\t').unwrap_or_else(|| panic!("`{row}` has no reason"));
        (key.to_owned(), reason.to_owned())
    })
    .collect()
}

/// How the object of a script differs from the recorded graph.
fn difference(graph: &str, script: &str) -> Option<String> {
    let expected = JsonReader::new().read(graph.as_bytes()).expect("a recorded graph").root;
    match parse(script) {
        Err(errors) => Some(format!("it does not read: {errors}")),
        Ok(value) => mismatch(&expected, &value).or_else(|| other_verdict(&expected, &value)),
    }
}

/// How the checker's findings about a module differ, of which equality does not compare all fields.
fn other_verdict(expected: &Any, got: &Any) -> Option<String> {
    let [expected, got] = [expected, got].map(|value| {
        let module = value.clone().cast::<IRModule>().ok()?;
        let found = Checker::new().check(&module).diagnostics.into_iter();
        Some(found.map(|it| (it.rule.name, it.message)).collect::<Vec<_>>())
    });
    (expected != got).then(|| format!("other findings\n--- expected\n{expected:?}\n--- got\n{got:?}"))
}

fn mismatch(expected: &Any, got: &Any) -> Option<String> {
    let found = StructuralOptions::new().map_free_vars(true).first_mismatch(expected, got).expect("they compare");
    found.map(|mismatch| {
        let show = |value: &Any| object_script::print::print(value).into_text();
        format!("a difference at {}\n--- expected\n{}\n--- got\n{}", mismatch.lhs, show(expected), show(got))
    })
}

/// How the result of a script differs from the recorded one.
fn outcome(case: &Value, graph: &str, script: &str) -> Option<String> {
    // The golden cases record an error as an object with the type and the message.
    let error = case.get("error").filter(|error| !error.is_null());
    match (error, parse(script)) {
        (Some(_), Err(_)) => None,
        (Some(error), Ok(_)) => Some(format!("it reads, but TVM reports: {error}")),
        (None, _) => difference(text(case, graph), script),
    }
}

#[test]
fn the_cases_of_the_corpus() {
    let (scripts, mut deviations) = (scripts(), deviations());
    let file = json_fixture("script_cases.records.gz");
    let cases = file.as_array().expect("a list of cases");
    assert_eq!(cases.len(), scripts.len(), "the records are old: run fixtures/make_script_cases.py");
    let mut wrong = Vec::new();
    for case in cases {
        let key = (text(case, "file").to_owned(), text(case, "name").to_owned());
        let name = format!("{}: {}", key.0, key.1);
        let Some(script) = scripts.get(&key) else {
            wrong.push(format!("{name}: the corpus has no script of this name; run fixtures/make_script_cases.py"));
            continue;
        };
        match (outcome(case, "graph", script), deviations.remove(&name)) {
            (Some(difference), None) => wrong.push(format!("{name}: {difference}")),
            (None, Some(_)) => wrong.push(format!("{name}: it is as recorded; remove its line from the deviations")),
            _ => {}
        }
    }
    wrong.extend(
        deviations.keys().filter(|key| !key.starts_with("golden")).map(|key| format!("{key}: no case has this name")),
    );
    report(&wrong, cases.len());
}

/// Reports the golden cases of the group whose difference the table of deviations does not list.
fn check_golden(group: &str, difference: impl Fn(&Value) -> Option<String>) {
    let Some(file) = golden("relax_cases.json") else { return };
    let deviations = deviations();
    let cases = list(&file["groups"], group);
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let name = format!("golden {}", text(case, "id"));
            difference(case)
                .filter(|_| !deviations.contains_key(&name))
                .map(|difference| format!("{name}: {difference}"))
        })
        .collect();
    report(&wrong, cases.len());
}

#[test]
fn the_golden_cases() {
    check_golden("parse", |case| outcome(case, "json", text(case, "source")));
}

/// The golden scripts are the objects that they print, also where TVM does not read them back.
#[test]
fn the_golden_scripts_read_back() {
    check_golden("script", |case| difference(text(case, "json"), text(case, "script")));
}
