//! Recorded results of TVM beside the workspace, if they are present: group `op` of the golden file, and the
//! `normalize` facts about expressions of a corpus.

use std::collections::BTreeSet;
use std::fs;

use object_core::json::JsonReader;
use object_core::prelude::*;
use object_core::visit::walk;
use object_ir::ir::{Call, Op};
use object_relax::arith::Analyzer;
use object_relax::op::{self, InferContext};
use object_tests::corpus::{self, Exceptions, Options};

use crate::common::{at_root, golden, list, report, text, unpacked};
use crate::print::print;

/// Infers each call of an operator in a function again, and compares the result with the recorded one.
fn check(json: &str) -> Result<usize, String> {
    let root = JsonReader::new().read(json.as_bytes()).map_err(|error| error.to_string())?.root;
    let analyzer = Analyzer::for_shapes();
    let mut problems = Vec::new();
    let mut calls = 0;
    walk(&root, |call: &Call, _| {
        if let (true, Some(recorded)) = (call.op.is::<Op>(), &call.struct_info) {
            calls += 1;
            match op::infer(call, &InferContext::new(&analyzer)) {
                Ok(info) if structural_equal(&info, recorded) => {}
                Ok(info) => problems.push(format!("expected {}, got {}", print(recorded), print(&info))),
                Err(error) => problems.push(format!("expected {}, got {error}", print(recorded))),
            }
        }
    });
    if problems.is_empty() { Ok(calls) } else { Err(problems.join("; ")) }
}

#[test]
fn recorded_operators() {
    let Some(file) = golden("relax_cases.json") else { return };
    let cases = list(&file["groups"], "op");
    let mut calls = 0;
    let mut wrong = Vec::new();
    // Cases without a function record an error of TVM's constructors; the tables have these calls.
    for case in cases.iter().filter(|case| case["error"].is_null()) {
        match check(text(case, "json")) {
            Ok(found) => calls += found,
            Err(problem) => wrong.push(format!("{}: {problem}", case["id"])),
        }
    }
    report(&wrong, cases.len());
    assert!(calls > 120, "{calls} calls");
}

/// The facts about expressions and programs of both corpora hold, except the listed deviations, all of which occur.
#[test]
fn recorded_calls() {
    let corpora = [unpacked("eval_dev.tar.gz", "eval-dev"), unpacked("dev.tar.gz", "dev")];
    let [Some(first), Some(second)] = corpora else { return };
    let options = Options { kinds: vec!["normalize".to_owned(), "infer".to_owned()], ..Options::default() };
    let exceptions = Exceptions::listed().expect("the exceptions are well-formed");
    let mut seen = BTreeSet::new();
    for dir in [first, second] {
        let report = corpus::run(&dir, &options, &exceptions).expect("the folder can be read");
        println!("{report}");
        assert!(report.is_clean(), "{report}");
        let skipped = report.kinds().flat_map(|(_, part)| part.skipped.keys());
        seen.extend(skipped.map(|(id, _)| id.clone()));
    }
    let path = at_root("tests/data/op/deviations.txt");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
    let unused = rows.flat_map(|(ids, _)| ids.split(' ')).filter(|id| !seen.contains(*id)).collect::<Vec<_>>();
    assert!(unused.is_empty(), "no corpus has the facts {unused:?}");
}
