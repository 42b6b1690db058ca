//! Files of TVM 0.27: every command on modules that it saved.

use std::fs;
use std::path::Path;

use expect_test::expect;

use crate::harness::{objir, objir_with, own_file, text};

const MLP: &str = "fixtures/tvm27_mlp.json.gz";
const RENAMED: &str = "fixtures/tvm27_mlp_renamed.json.gz";
const CHANGED: &str = "fixtures/tvm27_mlp_changed.json.gz";
const MIXED: &str = "fixtures/tvm27_mixed.json.gz";

#[test]
fn generic_commands_recognize_the_version() {
    expect![[r#"
        fixtures/tvm27_mixed.json.gz: ir.IRModule

          nodes        423  of 56 types
          edges        914  references between nodes
          shared        71  objects with more than one reference
          as a tree  3,885  nodes if nothing were shared
          depth         24  nodes on the longest path

          type           nodes         references
          ffi.Array         84  19.9%          98
          ir.IntImm         50  11.8%          57
          ffi.String        37   8.7%          53
          ir.Span           37   8.7%          39
          ir.Var            23   5.4%          61
          51 more types    192  45.4%         606
        [exit code 0]
    "#]]
    .assert_eq(&objir(&["stats", "--top", "5", MIXED]).show());
    expect![[r#"
        equal: fixtures/tvm27_mlp.json.gz and fixtures/tvm27_mlp_renamed.json.gz
        [exit code 0]
    "#]]
    .assert_eq(&objir(&["diff", MLP, RENAMED]).show());
    expect![[r#"
        different: fixtures/tvm27_mlp.json.gz and fixtures/tvm27_mlp_changed.json.gz, in 1 place

        difference: the values differ
          path: <root>.functions[I.GlobalVar("main")].body.blocks[0].bindings[2].value.op
          - ir.Op("relax.nn.relu")
          + ir.Op("relax.nn.gelu")
        [exit code 1]
    "#]]
    .assert_eq(&objir(&["diff", MLP, CHANGED]).show());
    expect![[r#"
        different: fixtures/tvm27_mlp.json.gz and fixtures/tvm27_mixed.json.gz, in more than 3 places

        difference: on the right only
          path: <root>.attrs.__dict__["system"]
          + "test"

        difference: on the right only
          path: <root>.attrs.__dict__["level"]
          + 2

        difference: on the right only
          path: <root>.global_infos["vdevice"]
          + [relax.VDevice(target=target.Target(kind=target.TargetKind(...), tag="", keys=[...], attrs={...}), vdevice_id=0, memory_scope="global"), relax.VDevice(target=target.Target(kind=target.TargetKind(...),...

        ... and more; `--limit` shows them
        [exit code 1]
    "#]].assert_eq(&objir(&["diff", "--limit", "3", MLP, MIXED]).show());
    expect![[r#"
        {"equal":false,"a":"fixtures/tvm27_mlp.json.gz","b":"fixtures/tvm27_mlp_changed.json.gz","mismatch":[{"path":"<root>.functions[I.GlobalVar(\"main\")].body.blocks[0].bindings[2].value.op","steps":[["ATTR","functions"],["MAP_ITEM",{"type":"ir.GlobalVar","label":"I.GlobalVar(\"main\")"}],["ATTR","body"],["ATTR","blocks"],["ARRAY_ITEM",0],["ATTR","bindings"],["ARRAY_ITEM",2],["ATTR","value"],["ATTR","op"]],"value":"ir.Op(\"relax.nn.relu\")"},{"path":"<root>.functions[I.GlobalVar(\"main\")].body.blocks[0].bindings[2].value.op","steps":[["ATTR","functions"],["MAP_ITEM",{"type":"ir.GlobalVar","label":"I.GlobalVar(\"main\")"}],["ATTR","body"],["ATTR","blocks"],["ARRAY_ITEM",0],["ATTR","bindings"],["ARRAY_ITEM",2],["ATTR","value"],["ATTR","op"]],"value":"ir.Op(\"relax.nn.gelu\")"}]}
        [exit code 1]
    "#]].assert_eq(&objir(&["diff", "--first", "--json", MLP, CHANGED]).show());
    let hash = |file: &str| objir(&["hash", file]).stdout[..16].to_owned();
    assert_eq!(hash(MLP), hash(RENAMED));
    assert_ne!(hash(MLP), hash(CHANGED));
    assert_eq!(hash(MLP), objir(&["hash", "--tvm", "0.27", MLP]).stdout[..16]);
    for file in [MLP, RENAMED, CHANGED, MIXED] {
        let run = objir(&["roundtrip", file]);
        assert!(run.stdout.starts_with("identical: ") && run.is_quiet(), "{}", run.show());
        assert_eq!(objir(&["hash", "--lexical", file]).code, Some(0));
    }
    let picture = objir(&["draw", "--format", "dot", "--boxes", "3", MIXED]);
    assert!(picture.stdout.contains("ir.IRModule"), "{}", picture.show());
    let bench = objir(&["bench", "--json", MLP]);
    assert_eq!((bench.code, bench.is_quiet()), (Some(0), true), "{}", bench.show());
    let operations = ["load", "save", "equal", "mismatch", "hash", "walk", "mutate", "copy", "drop"];
    assert_eq!(bench.stdout.lines().count(), operations.len(), "{}", bench.show());
}

#[test]
fn a_page_shows_the_values_that_differ() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tvm27.html");
    let run = objir(&["diff", MLP, CHANGED, "--html", &file.display().to_string()]);
    assert_eq!(run.code, Some(1), "{}", run.show());
    let page = fs::read_to_string(file).expect("the page is there");
    for part in ["<h1>different: ", "bindings[2].value.op", "ir.Op(\"relax.nn.gelu\")", "<svg", "</html>"] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn commands_that_need_relax_name_the_version() {
    expect![[r#"
        objir: fixtures/tvm27_mlp.json.gz: `check` needs a graph of TVM 0.25, and this one is of TVM 0.27.0.post1; the commands for all versions are `stats`, `hash`, `diff`, `draw`, `roundtrip` and `bench`
        [exit code 2]
    "#]].assert_eq(&objir(&["check", MLP]).show());
    for command in ["check", "normalize", "infer", "print", "run", "fmt"] {
        let run = objir(&[command, MIXED]);
        let message =
            format!("objir: {MIXED}: `{command}` needs a graph of TVM 0.25, and this one is of TVM 0.27.0.post1");
        assert_eq!((run.code, &*run.stdout), (Some(2), ""), "{}", run.show());
        assert!(run.stderr.starts_with(&message), "{}", run.show());
    }
}

#[test]
fn versions_are_chosen_by_name_or_by_a_file() {
    expect![[r#"
        objir: fixtures/tvm27_mlp.json.gz: node 5: no type has the type key `ir.Var`; did you mean `tirx.Var`?
        [exit code 2]
    "#]]
    .assert_eq(&objir(&["hash", "--tvm", "0.25", MLP]).show());
    expect![[r#"
        objir: `--tvm` takes 0.25, 0.27 or the file of a schema: 0.26: No such file or directory (os error 2)
        [exit code 2]
    "#]]
    .assert_eq(&objir(&["hash", "--tvm", "0.26", MLP]).show());
    expect![[r#"
        objir: fixtures/tvm27_mlp.json.gz and fixtures/mlp.json.gz: the first is of TVM 0.27.0.post1, the second of TVM 0.25.0, whose types differ, so no objects of the two are equal; `--tvm` reads both with the types of one version
        [exit code 2]
    "#]].assert_eq(&objir(&["diff", MLP, "fixtures/mlp.json.gz"]).show());
    expect![[r#"
        {"format":"object-schema","version":1,"types":[
        {"key":"ir.Var","parent":"ir.Expr","kind":"var","base":true,"label":"{name}","fields":[{"name":"name","type":"ffi.String","role":"ignore"}]},
        {"key":"relax.expr.SeqExpr","parent":"ir.Expr","kind":"tree","custom":true,"fields":[{"name":"blocks","type":"ffi.Array<relax.expr.BindingBlock>"},{"name":"body","type":"Optional<ir.Expr>"}]}
        ]}
        [exit code 0]
    "#]].assert_eq(&objir(&["schema", "--tvm", "0.27", "ir.Var", "relax.expr.SeqExpr"]).show());
    expect![[r#"
        objir: <stdin>: scripts have the types of TVM 0.25, so `--tvm` cannot choose others
        [exit code 2]
    "#]]
    .assert_eq(&objir_with(&["stats", "--tvm", "0.27", "-"], b"# a script").show());
    expect!["error: the argument '--tvm <VERSION>' cannot be used with '--schema <FILE>'"]
        .assert_eq(objir(&["hash", "--tvm", "0.27", "--schema", "x", MLP]).show().lines().next().unwrap_or(""));
    // A schema of the whole version has the same results as the version.
    let hash = |args: &[&str]| objir(&[&["hash"], args].concat()).show();
    for (version, file) in [("0.27", MIXED), ("0.25", "fixtures/constants.json.gz")] {
        let schema = objir(&["schema", "--tvm", version]);
        let schema = own_file(&format!("tvm-{version}.schema.json"), schema.stdout.as_bytes());
        assert_eq!(hash(&[file, "--tvm", &schema]), hash(&[file]));
        assert_eq!(hash(&[file, "--tvm", version]), hash(&[file]));
    }
}

#[test]
fn types_without_a_hook_are_compared_by_fields_on_request() {
    let schema = r#"{"format":"object-schema","version":1,"types":[
        {"key":"my.Set","kind":"tree","custom":true,"fields":[{"name":"items","type":"Any"}]}]}"#;
    let schema = own_file("custom.schema.json", schema.as_bytes());
    let graph = r#"{"root_index":1,"nodes":[{"type":"int","data":1},{"type":"my.Set","data":{"items":0}}]}"#;
    let run = objir_with(&["roundtrip", "-", "--tvm", &schema], graph.as_bytes());
    assert_eq!(run.code, Some(2), "{}", run.show());
    assert!(
        run.stderr
            .contains("`my.Set`: the type is `custom`, so its comparison needs a hook, and no hook is registered"),
        "{}",
        run.show()
    );
    let run = objir_with(&["hash", "-", "--tvm", &schema, "--custom-by-fields"], graph.as_bytes());
    assert_eq!((run.code, run.is_quiet()), (Some(0), true), "{}", run.show());
}

#[test]
fn a_file_of_a_later_version_is_tried() {
    let later = text("tvm27_mlp.json.gz").replace("0.27.0.post1", "0.29.0");
    let run = objir_with(&["roundtrip", "-"], later.as_bytes());
    assert!(run.stdout.starts_with("identical: "), "{}", run.show());
    let unknown = later.replace("relax.ShapeType", "relax.SizesType");
    expect![[r#"
        objir: <stdin>: it is of TVM 0.29.0, whose types this program lacks, so the types of TVM 0.27 read it: node 9: no type has the type key `relax.SizesType`, did you mean `relax.ShapeType`?
        [exit code 2]
    "#]].assert_eq(&objir_with(&["roundtrip", "-"], unknown.as_bytes()).show());
    let run = objir_with(&["check", "-"], later.as_bytes());
    assert!(run.stderr.contains("and this one is of TVM 0.29.0"), "{}", run.show());
}
