//! The tables in `tests/data/op`: calls and the structural information of their results.

use std::collections::BTreeSet;
use std::fs;

use object_core::prelude::*;
use object_ir::ir::Op;
use object_relax::arith::Analyzer;
use object_relax::op::{self, InferContext};
use object_tests::op_calls::CallReader;

use crate::common::at_root;
use crate::print::print;

/// The lines of all tables: the file, the call and the result.
pub(crate) fn lines() -> Vec<(std::path::PathBuf, String)> {
    let dir = at_root("tests/data/op");
    let entries = fs::read_dir(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let files = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|it| it == "calls")).collect();
    files.sort();
    let read = |path: std::path::PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, text)
    };
    files.into_iter().map(read).collect()
}

/// The result of a call, or `error: ` and the message.
fn result(text: &str) -> String {
    let call = CallReader::default().call(text);
    let analyzer = Analyzer::for_shapes();
    match op::infer(&call, &InferContext::new(&analyzer)) {
        Ok(info) => print(&info),
        Err(error) => format!("error: {error}"),
    }
}

/// A line is `call => result`. `BLESS=1` renews the results.
#[test]
fn recorded_results() {
    let mut wrong = Vec::new();
    for (path, text) in lines() {
        let mut renewed = String::new();
        for line in text.lines() {
            let statement = line.split(" => ").next().unwrap_or(line);
            if statement.is_empty() || statement.starts_with('#') {
                renewed += &format!("{line}\n");
                continue;
            }
            let got = format!("{statement} => {}", result(statement));
            if got != line {
                wrong.push(format!("{}\n  expected {line}\n  got      {got}", path.display()));
            }
            renewed += &format!("{got}\n");
        }
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, renewed).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
    if std::env::var_os("BLESS").is_none() {
        assert!(wrong.is_empty(), "{} results differ; `BLESS=1` renews them\n{}\n", wrong.len(), wrong.join("\n"));
    }
}

/// Each operator with inference has a call that succeeds, and one that fails if it has a condition.
#[test]
fn every_operator_has_a_case() {
    let mut covered = BTreeSet::new();
    for (_, text) in lines() {
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.contains("=> error: ")) {
            covered.extend(line.split('(').next().map(|name| format!("relax.{name}")));
        }
    }
    let missing: Vec<_> = op::operators()
        .filter(|operator| operator.has_inference() && !covered.contains(operator.signature.name))
        .map(|operator| operator.signature.name)
        .collect();
    assert!(missing.is_empty(), "add a call of each to a file in tests/data/op: {missing:?}");
}

#[test]
fn results_do_not_depend_on_the_names_of_operators() {
    // The table and the singletons agree, so a call by name and a call by constructor are the same.
    for operator in op::operators() {
        assert!(Op::get(operator.signature.name).is_ok(), "{}", operator.signature.name);
    }
    let call = op::null_value();
    assert!(structural_equal(&call, &CallReader::default().call("null_value()")));
}
