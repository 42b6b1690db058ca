//! Loop programs as people write them make the graphs that the parser of TVM makes: the cases of
//! `fixtures/tir_sources.records.gz`.

use object_core::json::JsonReader;
use object_core::structural::StructuralOptions;
use object_ir::script::parse::parse;

use crate::common::{json_fixture, report, text};

/// Cases with another result, with the reason.
const DEVIATIONS: &[(&str, &str)] = &[
    (
        "synchronization",
        "TVM adds two default arguments, which its printer shows, so calls without them would not print",
    ),
    ("intrinsics of LLVM", "the number of an intrinsic depends on the LLVM library that TVM is built with"),
    ("comparison of two types", "TVM compares numbers of one type only, although it adds numbers of two types"),
];

#[test]
fn sources_make_the_graphs_of_tvm() {
    let file = json_fixture("tir_sources.records.gz");
    let cases = file.as_array().expect("a list of cases");
    let mut wrong = Vec::new();
    for case in cases {
        let (name, expected) = (text(case, "name"), case["graph"].as_str());
        let found = match (parse(text(case, "source")), expected) {
            (Err(_), None) => None,
            (Err(errors), Some(_)) => Some(errors.to_string()),
            (Ok(_), None) => Some("TVM rejects the source".to_owned()),
            (Ok(value), Some(expected)) => {
                let expected = JsonReader::new().read(expected.as_bytes()).expect("a graph").root;
                let mismatch = StructuralOptions::new().first_mismatch(&expected, &value).expect("comparable graphs");
                mismatch.map(|mismatch| format!("differs at {}: {:?}", mismatch.lhs, mismatch.reason))
            }
        };
        let is_deviation = DEVIATIONS.iter().any(|(known, _)| *known == name);
        match found {
            Some(_) if is_deviation => {}
            None if is_deviation => wrong.push(format!("{name}: agrees, but has a reason for another result")),
            Some(found) => wrong.push(format!("{name}: {found}")),
            None => {}
        }
    }
    report(&wrong, cases.len());
}
