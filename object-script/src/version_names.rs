//! Tests: the names of operators and functions in scripts of TVM 0.27 are the ones of TVM 0.25, or stand in a table with a reason.

use std::collections::HashSet;

use object_ir::table::rows;
use object_ir::tvm::TvmVersion;

use crate::intrinsics::{DtypePlace, dtype_place, printed_name};
use crate::words::{is_same_keyword, of_version};

const OPERATORS: &str = include_str!("../../object-ir/data/ops.txt");
const OPERATORS_0_27: &str = include_str!("../../object-ir/data/ops_0_27.txt");
const NAMES_0_27: &str = include_str!("../data/script_names_0_27.txt");
const CALLS: &str = include_str!("../data/script_calls.txt");
const CALLS_0_27: &str = include_str!("../data/script_calls_0_27.txt");

/// The name of a parameter, without its default value.
fn name_of(parameter: &str) -> &str {
    parameter.split('=').next().unwrap_or_default()
}

/// Checks that the table has a reason for each difference, and no other reasons.
fn check(differences: &[String], namespace: &str) {
    let patterns: Vec<&str> = rows(include_str!("../data/script_exceptions.txt"))
        .map(|[pattern, _]| pattern)
        .filter(|pattern| pattern.starts_with(namespace))
        .collect();
    let covers = |pattern: &str, name: &str| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    };
    let missing: Vec<&String> =
        differences.iter().filter(|name| !patterns.iter().any(|pattern| covers(pattern, name))).collect();
    assert!(missing.is_empty(), "without a reason: {missing:?}");
    let unused = patterns.iter().find(|pattern| !differences.iter().any(|name| covers(pattern, name)));
    assert_eq!(unused, None, "a reason without a difference");
}

#[test]
fn operators_of_loop_programs_print_as_in_0_27() {
    let known: HashSet<&str> = OPERATORS.lines().filter_map(|line| line.split('\t').next()).collect();
    let shown: Vec<[&str; 3]> = rows(NAMES_0_27).collect();
    let (mut differences, mut compared) = (Vec::new(), 0);
    for name in OPERATORS_0_27.lines() {
        let Some((_, rest)) = name.split_once('.').filter(|(namespace, _)| ["tirx", "prim"].contains(namespace)) else {
            continue;
        };
        let old = [name.to_owned(), format!("tirx.{rest}")].into_iter().find(|old| known.contains(old.as_str()));
        // The conversion of an operator that only TVM 0.27 has is an error.
        let Some(old) = old else { continue };
        let row = shown.iter().find(|[op, ..]| *op == name);
        let (printed, place) = row.map_or((rest, "-"), |[_, printed, place]| (*printed, *place));
        let own = match dtype_place(&old) {
            DtypePlace::Nowhere => "-",
            DtypePlace::First => "first",
            DtypePlace::Last => "last",
        };
        compared += 1;
        if (printed_name(&old), own) != (printed, place) {
            differences.push(name.to_owned());
        }
    }
    assert!(compared > 250, "{compared}");
    check(&differences, "tirx.");
}

#[test]
fn functions_of_relax_have_the_parameters_of_0_27() {
    let calls = |text: &'static str| text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t'));
    let words = of_version(TvmVersion::V0_27);
    let mut differences = Vec::new();
    for mut call in calls(CALLS_0_27) {
        let name = call.next().unwrap_or_default();
        let own = calls(CALLS).find_map(|mut own| (own.next() == Some(name)).then(|| own.collect::<Vec<_>>()));
        let Some(own) = own else {
            differences.push(format!("relax.{name}"));
            continue;
        };
        // Scalars are in the tuple of arguments.
        let has = |parameter: &str| !words.removed_attributes.contains(&parameter) && parameter != "tir_vars";
        let own: Vec<&str> = own.into_iter().filter(|parameter| has(name_of(parameter))).collect();
        let given: Vec<&str> = call.filter(|it| !words.added_attributes.contains(&(name, name_of(it)))).collect();
        let is_same = |a: &str, b: &str| a == b || is_same_keyword(name_of(a), name_of(b));
        if own.len() != given.len() || !own.iter().zip(&given).all(|(a, b)| is_same(a, b)) {
            differences.push(format!("relax.{name}"));
        }
    }
    check(&differences, "relax.");
}
