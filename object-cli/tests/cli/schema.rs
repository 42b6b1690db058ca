//! `objir schema`, and `--schema` for all commands.

use expect_test::expect;

use crate::harness::{FIXTURES, objir, objir_with, own_file};

#[test]
fn prints_types_as_json() {
    expect![[r#"
        {"format":"object-schema","version":3,"types":[
        {"key":"tirx.Var","parent":"ir.PrimExpr","doc":"A variable: a shape variable, a loop variable, a parameter or the address of a buffer.\n\nTVM 0.25 `tirx.Var`.","kind":"var","base":true,"label":"{name:word}","files":"tvm","fields":[{"name":"name","type":"ffi.String","role":"ignore","doc":"The name to print, not necessarily unique."},{"name":"type_annotation","type":"ir.Type","doc":"The type; a pointer type for addresses."}]}
        ]}
        [exit code 0]
    "#]]
    .assert_eq(&objir(&["schema", "tirx.Var"]).show());
    let all = objir(&["schema"]);
    assert_eq!((all.code, all.is_quiet()), (Some(0), true));
    assert!(all.json()["types"].as_array().is_some_and(|types| types.len() > 240));
    assert_eq!(objir(&["schema", "--json"]).stdout, all.stdout);
    assert_eq!(objir(&["schema", "--format"]).json()["title"], "Object schema");
    // The printed schema is read back, and types made from it give the same schema.
    let file = own_file("all.schema.json", all.stdout.as_bytes());
    assert_eq!(objir(&["schema", "--schema", &file, "--dynamic-only", "tirx."]).stdout, all.stdout);
}

#[test]
fn lists_functions_with_their_signatures() {
    expect![[r#"
        {"format":"object-schema","version":2,"types":[

        ],"functions":[
        {"name":"objir.equal","doc":"Whether two graphs are structurally equal.","arguments":[{"name":"a","type":"Any"},{"name":"b","type":"Any"}],"result":"bool"}
        ]}
        [exit code 0]
    "#]]
    .assert_eq(&objir(&["schema", "objir.equal"]).show());
    let functions = objir(&["schema", "objir."]).json();
    let functions = functions["functions"].as_array().expect("a list").clone();
    for function in &functions {
        assert!(function["doc"].as_str().is_some_and(|doc| doc.ends_with('.')), "{function}");
        let names = function["arguments"].as_array().expect("a list").iter();
        assert!(names.clone().all(|argument| argument["name"].is_string()), "{function}");
    }
    for name in ["check", "normalize", "infer", "print", "parse", "diff", "hash", "rewrite", "run", "stats", "load"] {
        assert!(functions.iter().any(|function| function["name"] == format!("objir.{name}")), "{name}");
    }
}

#[test]
fn every_command_takes_types_from_a_schema() {
    let file = own_file("every.schema.json", objir(&["schema"]).stdout.as_bytes());
    let with = ["--schema", &file, "--dynamic-only", "tirx."];
    let same = |args: &[&str]| {
        let (linked, dynamic) = (objir(args), objir(&[args, &with[..]].concat()));
        assert_eq!(linked.show(), dynamic.show(), "{args:?}");
        assert!(linked.is_quiet(), "{}", linked.show());
    };
    // Each file goes to one command, in turns.
    for (turn, name) in FIXTURES.iter().enumerate() {
        let path = format!("fixtures/{name}");
        match turn % 4 {
            0 => same(&["stats", &path]),
            1 => same(&["hash", "--map-free-vars", &path]),
            2 => same(&["roundtrip", &path]),
            _ => same(&["--json", "diff", "--first", &path, "fixtures/decoder_legalized.json.gz"]),
        }
    }
    same(&["--json", "diff", "fixtures/mlp.json.gz", "fixtures/mlp_changed.json.gz"]);
    let bench = objir(&[&["bench", "fixtures/mlp.json.gz"], &with[..]].concat());
    assert_eq!(bench.code, Some(0));
    // The evaluator needs the linked types.
    assert!(bench.stderr.contains("no measurement of `run`"), "{}", bench.show());
}

#[test]
fn types_that_are_not_linked_are_read() {
    let graph = r#"{"root_index":1,"nodes":[{"type":"int","data":1},{"type":"my.Box","data":{"value":0}}]}"#;
    let schema = r#"{"format":"object-schema","version":1,"types":[
        {"key":"my.Box","kind":"tree","fields":[{"name":"value","type":"Any"}]}]}"#;
    let file = own_file("box.schema.json", schema.as_bytes());
    expect![[r#"
        objir: <stdin>: node 1: no type has the type key `my.Box`; link the crate that declares it (`use the_crate as _;`) or call `registry::register`
        [exit code 2]
    "#]]
    .assert_eq(&objir_with(&["hash", "-"], graph.as_bytes()).show());
    expect![[r#"
        identical: <stdin> loads and saves as the same 87 bytes
        [exit code 0]
    "#]]
    .assert_eq(&objir_with(&["roundtrip", "-", "--schema", &file], graph.as_bytes()).show());
}

#[test]
fn a_schema_with_a_mistake_is_refused() {
    let refused =
        |schema: &str| objir_with(&["stats", "fixtures/mlp.json.gz", "--schema", "-"], schema.as_bytes()).show();
    expect![[r#"
        objir: <stdin>: not a schema: expected ident at line 1 column 2
        [exit code 2]
    "#]]
    .assert_eq(&refused("types"));
    expect![[r#"
        objir: <stdin>: `my.Box`: no type has the type key `ir.BaseExp`, did you mean `ir.BaseExpr`? (at <root>.types[0].parent)
        [exit code 2]
    "#]]
    .assert_eq(&refused(r#"{"format":"object-schema","version":1,"types":[{"key":"my.Box","parent":"ir.BaseExp","kind":"tree"}]}"#));
    expect![[r#"
        objir: <stdin>: `my.Box`: the type is `custom`, so its comparison needs a hook, and no hook is registered; link the type, register a hook, or compare the type by its fields (at <root>.types[0].custom)
        [exit code 2]
    "#]]
    .assert_eq(&refused(r#"{"format":"object-schema","version":1,"types":[{"key":"my.Box","kind":"tree","custom":true}]}"#));
    // The types with hooks of this program may be data, too.
    let hash = |args: &[&str]| {
        objir_with(&[&["hash", "fixtures/mlp.json.gz"], args].concat(), objir(&["schema"]).stdout.as_bytes())
    };
    assert_eq!(hash(&["--schema", "-", "--dynamic-only", "ir.IRModule"]).show(), hash(&[]).show());
}

/// A misspelt prefix does not look like a program without such types.
#[test]
fn a_prefix_without_types_is_an_error() {
    let run = objir(&["schema", "relax.expr.Functoin"]);
    assert_eq!((run.code, &*run.stdout), (Some(2), ""), "{}", run.show());
    assert!(run.stderr.contains("no key of a type or a function begins with `relax.expr.Functoin`"), "{}", run.show());
}

#[test]
fn shows_which_changes_keep_files_readable() {
    let schema = |types: &str| format!(r#"{{"format":"object-schema","version":3,"types":[{types}]}}"#);
    let old = own_file(
        "old.schema.json",
        schema(
            r#"{"key":"m.Add","kind":"tree","fields":[{"name":"a","type":"int"},{"name":"b","type":"ffi.String"}]}"#,
        )
        .as_bytes(),
    );
    let new = own_file(
        "new.schema.json",
        schema(
            r#"{"key":"m.Plus","alias":["m.Add"],"kind":"tree","fields":[{"name":"a","type":"float"},{"name":"c","type":"int"}]}"#,
        )
        .as_bytes(),
    );
    expect![[r#"
        needs a word: m.Plus.b: the field is removed; write `#[field(alias = "b")]` on the field that has its values now, or `#[object(removed("b"))]`
        needs a word: m.Plus.c: the field is new; write `#[field(default = ...)]`, or `alias` if the field had another name
        compatible: m.Plus: the key was `m.Add`
        compatible: m.Plus.a: the type was `int` and is `float`
        4 changes, 2 of them not compatible
        [exit code 1]
    "#]].assert_eq(&objir(&["schema", "--diff", &old, &new]).show());
    let same = objir(&["schema", "--diff", &new, &new, "--json"]);
    assert_eq!((same.code, same.json()["incompatible"].as_u64()), (Some(0), Some(0)));
    let missing = objir(&["schema", "--diff", &old]);
    assert_eq!(missing.code, Some(2));
}
