//! `objir bench`.

use serde_json::Value;

use crate::harness::objir;

const OPERATIONS: [&str; 15] = [
    "load",
    "save",
    "equal",
    "mismatch",
    "hash",
    "walk",
    "mutate",
    "copy",
    "drop",
    "print",
    "parse",
    "derive",
    "normalize",
    "check",
    "run",
];

#[test]
fn prints_a_json_line_for_each_operation() {
    let run = objir(&["bench", "fixtures/mlp.json.gz", "--json", "--map-free-vars"]);
    assert_eq!((run.code, run.is_quiet()), (Some(0), true), "{}", run.show());
    let lines: Vec<Value> =
        run.stdout.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    let names: Vec<&str> = lines.iter().map(|line| line["op"].as_str().unwrap_or_default()).collect();
    assert_eq!(names, OPERATIONS);
    assert!(lines.iter().all(|line| line["seconds"].as_f64().is_some_and(|seconds| seconds < 1.0)), "{}", run.show());
}

/// The operations that all files allow, on all nodes together.
#[test]
fn several_files_are_one_pass() {
    let run = objir(&["bench", "fixtures/mlp.json.gz", "fixtures/tvm27_mlp.json.gz"]);
    assert!(run.stdout.starts_with("2 files: "), "{}", run.show());
    let names: Vec<&str> = run.stdout.lines().skip(3).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, OPERATIONS, "{}", run.show());
    let nodes = |file: &str| {
        let report = objir(&["stats", "--json", file]).json();
        report["nodes"].as_u64().unwrap_or_default()
    };
    let both = nodes("fixtures/mlp.json.gz") + nodes("fixtures/tvm27_mlp.json.gz");
    assert!(run.stdout.starts_with(&format!("2 files: {both} nodes\n")), "{}", run.show());
}
