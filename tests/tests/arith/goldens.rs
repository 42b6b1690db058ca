//! Recorded results of TVM beside the workspace, if they are present: group `arith` of the golden file, and the `prove`
//! facts of a corpus.

use object_core::prelude::*;
use object_ir::ir::PrimExpr;
use object_relax::arith::{Analyzer, Proof};
use object_tests::corpus::{self, Exceptions, Options};
use serde_json::Value;

use crate::common::{element, golden, list, report, round_trip, text, unpacked};

/// Every proof of TVM is found, and simplified expressions have the recorded form. TVM's `false` says that it found no
/// proof, so the check does not expect it.
fn check(case: &Value) -> Result<(), String> {
    let root = round_trip(text(case, "graph").as_bytes())?;
    let input = |role: &str| -> Result<PrimExpr, String> {
        let index = list(case, "roles").iter().position(|it| it == role).ok_or_else(|| format!("no role {role}"))?;
        element(&root, index)?.cast().map_err(|error| error.to_string())
    };
    let (a, b) = (input("a")?, input("b")?);
    for (name, analyzer) in [("can_prove_equal", Analyzer::new()), ("can_prove_equal_nonneg", Analyzer::for_shapes())] {
        let proof = analyzer.prove_equal(&a, &b);
        if case[name] == true && !proof.is_true() {
            return Err(format!("{name}: expected True, got {proof:?}"));
        }
        // The difference of the operands is a constant other than 0.
        let differs = case["simplify_a_minus_b"].as_str().is_some_and(|it| it != "0" && it.parse::<i64>().is_ok());
        if differs && proof != Proof::False {
            return Err(format!("{name}: expected False, got {proof:?}"));
        }
    }
    for (name, role) in [("a", "simplify_a"), ("b", "simplify_b")] {
        let (simplified, expected) = (Analyzer::new().simplify(&input(name)?), input(role)?);
        if !Analyzer::new().prove_equal(&simplified, &expected).is_true() {
            return Err(format!("{name} simplifies to {simplified}, expected {expected}"));
        }
        let equal = structural_equal(&simplified, &expected);
        let factored = OTHER_FORMS.iter().any(|(id, form)| case["id"] == *id && role == *form);
        if equal == factored {
            return Err(format!("{name} simplifies to {simplified}, and TVM has {expected}"));
        }
    }
    Ok(())
}

/// The simplified expressions that have another form here.
const OTHER_FORMS: &[(&str, &str)] = &[
    // TVM writes `n * m + n` as `(m + 1) * n`. Here only common factors that the expression has stay outside.
    ("arith/09", "simplify_b"),
];

#[test]
fn recorded_arithmetic() {
    let Some(file) = golden("relax_cases.json") else { return };
    let cases = list(&file["groups"], "arith");
    let wrong = cases.iter().filter_map(|case| check(case).err().map(|wrong| format!("{}: {wrong}", case["id"])));
    report(&wrong.collect::<Vec<_>>(), cases.len());
}

#[test]
fn recorded_proofs() {
    let Some(dir) = unpacked("eval_dev.tar.gz", "eval-dev") else { return };
    let options = Options { kinds: vec!["prove".to_owned()], ..Options::default() };
    let exceptions = Exceptions::listed().expect("the exceptions are well-formed");
    let report = corpus::run(&dir, &options, &exceptions).expect("the folder can be read");
    println!("{report}");
    assert!(report.is_clean(), "{report}");
}
