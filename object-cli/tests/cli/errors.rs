//! Errors: exit code 2, and a message that names the file and the place.

use expect_test::expect;
use serde_json::Value;

use crate::harness::{objir, objir_with, own_file, packed, root};

#[test]
fn missing_file() {
    expect![[r#"
        objir: no/such/file.json: No such file or directory (os error 2)
        [exit code 2]
    "#]]
    .assert_eq(&objir(&["stats", "no/such/file.json"]).show());
    expect![[r#"
        objir: no/such/file.json: No such file or directory (os error 2)
        [exit code 2]
    "#]]
    .assert_eq(&objir(&["diff", "fixtures/mlp.json.gz", "no/such/file.json"]).show());
}

#[test]
fn not_a_graph() {
    let message = |input: &[u8]| objir_with(&["hash", "-"], input).show();
    expect![[r#"
        objir: <stdin>: not a JSON graph: EOF while parsing a value at line 1 column 0
        [exit code 2]
    "#]]
    .assert_eq(&message(b""));
    expect![[r#"
        objir: <stdin>: not a JSON graph: expected value at line 1 column 1
        [exit code 2]
    "#]]
    .assert_eq(&message(b"hello"));
    expect![[r#"
        objir: <stdin>: node 0: no type has the type key `relax.expr.Cal`; did you mean `relax.expr.Call`?
        [exit code 2]
    "#]]
    .assert_eq(&message(br#"{"root_index":0,"nodes":[{"type":"relax.expr.Cal","data":{}}]}"#));
}

#[test]
fn truncated_archive() {
    let packed = packed("mlp.json.gz");
    let file = own_file("truncated.json.gz", &packed[..packed.len() / 2]);
    for command in ["stats", "hash", "roundtrip", "bench"] {
        let run = objir(&[command, &file]);
        assert_eq!((run.code, &*run.stdout), (Some(2), ""), "{}", run.show());
        assert!(run.stderr.starts_with("objir: ") && run.stderr.contains("truncated.json.gz: "), "{}", run.show());
    }
}

#[test]
fn a_folder_instead_of_a_file() {
    let run = objir(&["infer", "fixtures"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("objir: fixtures: "), "{}", run.show());
}

#[test]
fn wrong_usage() {
    for args in [&["no-such-command"][..], &[], &["stats"], &["diff", "one"], &["hash", "--no-such-option", "-"]] {
        let run = objir(args);
        assert_eq!((run.code, &*run.stdout), (Some(2), ""), "{args:?}: {}", run.show());
    }
    assert_eq!(objir(&["--help"]).code, Some(0));
}

#[test]
fn texts_that_a_reader_must_reject() {
    let records = std::fs::read(root().join("fixtures/records.json")).expect("the records are there");
    let records: Value = serde_json::from_slice(&records).expect("the records are JSON");
    let mut wrong = Vec::new();
    for record in records["bad_json"].as_array().expect("they are a list") {
        let text = record["text"].as_str().unwrap_or_default();
        for command in ["stats", "roundtrip"] {
            let run = objir_with(&[command, "-"], text.as_bytes());
            let is_clean = run.code == Some(2) && run.stdout.is_empty() && run.stderr.starts_with("objir: <stdin>: ");
            let words = record["says"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let unsaid: Vec<&str> = words.filter(|word| !run.stderr.contains(word)).collect();
            if !is_clean || !unsaid.is_empty() {
                wrong.push(format!("{} {command}: does not say {unsaid:?}: {}", record["id"], run.show()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
