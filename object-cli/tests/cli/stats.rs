//! `objir stats`.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;

use expect_test::expect;
use serde_json::Value;

use crate::harness::{FIXTURES, command, objir, objir_with, packed, text};

#[test]
fn shows_totals_and_types() {
    expect![[r#"
        fixtures/decoder.json.gz: ir.IRModule

          nodes       4,839  of 47 types
          edges      10,557  references between nodes
          shared      1,261  objects with more than one reference
          as a tree  58,610  nodes if nothing were shared
          depth          25  nodes on the longest path

          type                          nodes         references
          ffi.Array                     1,176  24.3%       1,408
          ir.IntImm                       441   9.1%         845
          relax.Id                        400   8.3%         400
          relax.TensorStructInfo          372   7.7%         845
          ffi.String                      368   7.6%         416
          relax.ShapeStructInfo           346   7.2%         346
          relax.expr.ShapeExpr            346   7.2%         409
          relax.expr.VarBinding           319   6.6%         319
          relax.expr.DataflowVar          317   6.6%         693
          relax.expr.Call                 309   6.4%         309
          relax.attrs.PermuteDimsAttrs     98   2.0%          98
          relax.expr.Var                   83   1.7%         173
          35 more types                   264   5.5%       4,296
        [exit code 0]
    "#]]
    .assert_eq(&objir(&["stats", "fixtures/decoder.json.gz", "--top", "12"]).show());
}

#[test]
fn lists_all_types_when_they_are_few() {
    expect![[r#"
        <stdin>: None

          nodes      1  of 1 type
          edges      0  references between nodes
          shared     0  objects with more than one reference
          as a tree  1  nodes if nothing were shared
          depth      1  nodes on the longest path

          type  nodes          references
          None      1  100.0%           0
        [exit code 0]
    "#]]
    .assert_eq(&objir_with(&["stats", "-"], br#"{"root_index":0,"nodes":[{"type":"None"}]}"#).show());
    let all = objir(&["stats", "fixtures/decoder.json.gz", "--top", "0"]);
    assert!(all.is_quiet() && !all.stdout.contains("more types"), "{}", all.show());
}

#[test]
fn counts_what_the_file_holds() {
    for fixture in FIXTURES {
        let file: Value = serde_json::from_str(&text(fixture).replace("NaN", "0").replace("Infinity", "1"))
            .expect("the fixture is JSON but for special floats");
        let nodes = file["nodes"].as_array().expect("nodes are a list");
        let mut types = BTreeMap::<&str, u64>::new();
        for node in nodes {
            *types.entry(node["type"].as_str().unwrap_or_default()).or_default() += 1;
        }
        let run = objir(&["stats", "--json", &format!("fixtures/{fixture}")]);
        assert_eq!((run.code, run.is_quiet()), (Some(0), true), "{fixture}: {}", run.show());
        let stats = run.json();
        assert_eq!(stats["nodes"], nodes.len(), "{fixture}");
        let listed = stats["types"].as_array().into_iter().flatten();
        let listed: BTreeMap<&str, u64> = listed
            .map(|entry| (entry["type"].as_str().unwrap_or_default(), entry["nodes"].as_u64().unwrap_or_default()))
            .collect();
        assert_eq!(listed, types, "{fixture}");
    }
}

#[test]
fn prints_json() {
    let run = objir(&["stats", "fixtures/mlp.json.gz", "--json"]);
    let mut json = run.json();
    json["types"].as_array_mut().expect("types are a list").truncate(2);
    expect![[r#"
        {"file":"fixtures/mlp.json.gz","root":"ir.IRModule","nodes":145,"edges":275,"shared":33,"depth":18,"tree_nodes":1120,"types":[{"type":"ffi.Array","nodes":30,"references":34},{"type":"ffi.String","nodes":14,"references":16}]}
    "#]].assert_eq(&format!("{json}\n"));
}

#[test]
fn reads_standard_input_packed_or_not() {
    let packed = objir_with(&["stats", "-"], &packed("mlp.json.gz"));
    let plain = objir_with(&["stats", "-"], text("mlp.json.gz").as_bytes());
    assert_eq!(packed.show(), plain.show());
    assert!(plain.stdout.starts_with("<stdin>: ir.IRModule\n"), "{}", plain.show());
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = command(&["stats", "-"]).stdin(Stdio::piped()).spawn().expect("objir starts");
    drop(child.stdout.take());
    let input = packed("mlp.json.gz");
    child.stdin.take().map(|mut stdin| stdin.write_all(&input)).expect("there is an input").expect("it is read");
    let output = child.wait_with_output().expect("objir runs");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}
