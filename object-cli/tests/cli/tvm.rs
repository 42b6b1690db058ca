//! Files of TVM 0.27: every command on modules that it saved.

use std::fs;
use std::path::Path;

use expect_test::expect;

use crate::harness::{Run, objir, objir_with, own_file, text};

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
        main: nn.relu -> nn.gelu
        calls: nn.gelu 0 -> 1, nn.relu 1 -> 0

        change: nn.relu -> nn.gelu, in main
         = path: <root>.functions[I.GlobalVar("main")].body.blocks[0].bindings[2]
         = value.op: ir.Op("relax.nn.relu") -> ir.Op("relax.nn.gelu")
        [exit code 1]
    "#]]
    .assert_eq(&objir(&["diff", MLP, CHANGED]).show());
    expect![[r#"
        different: fixtures/tvm27_mlp.json.gz and fixtures/tvm27_mixed.json.gz, in 6 places
        main: Function changed
        2 functions added: choose, scale
        3 entries added: level, system, vdevice
        calls: call_dps_packed 0 -> 1, call_tir 0 -> 1, choose 0 -> 1, concat 0 -> 1, matmul 2 -> 0, multiply 0 -> 1, nn.relu 1 -> 0, permute_dims 0 -> 1, reshape 0 -> 1, split 0 -> 1

        change: Function, in main
         = path: <root>.functions[I.GlobalVar("main")]
         = ty: relax.FuncType(params=[relax.TensorType(shape=relax.expr.ShapeExpr(...), dtype=ir.PrimType(...), ndim=2), relax.TensorType(shape=relax.expr.ShapeExpr(...), dtype=ir.PrimType(...), ndim=2), relax.Tenso... -> relax.FuncType(params=[relax.TensorType(shape=relax.expr.ShapeExpr(...), dtype=ir.PrimType(...), ndim=2), relax.TensorType(shape=relax.expr.ShapeExpr(...), dtype=ir.PrimType(...), ndim=0)], ret=ir.Tup...
         = ret_ty: relax.TensorType(shape=relax.expr.ShapeExpr(ty=relax.ShapeType(values=[...], ndim=2), values=[ir.Var(...), ir.IntImm(...)]), dtype=ir.PrimType(dtype=float32), ndim=2) -> ir.TupleType(fields=[relax.TensorType(shape=relax.expr.ShapeExpr(...), dtype=ir.PrimType(...), ndim=2), relax.ShapeType(values=[...], ndim=2)])
         = params[0].ty: relax.TensorType(shape=relax.expr.ShapeExpr(ty=relax.ShapeType(values=[...], ndim=2), values=[ir.Var(...), ir.IntImm(...)]), dtype=ir.PrimType(dtype=float32), ndim=2) -> relax.TensorType(shape=relax.expr.ShapeExpr(ty=relax.ShapeType(values=[...], ndim=2), values=[ir.IntImm(...), ir.IntImm(...)]), dtype=ir.PrimType(dtype=float32), ndim=2)
         = params[1].ty: relax.TensorType(shape=relax.expr.ShapeExpr(ty=relax.ShapeType(values=[...], ndim=2), values=[ir.IntImm(...), ir.IntImm(...)]), dtype=ir.PrimType(dtype=float32), ndim=2) -> relax.TensorType(shape=relax.expr.ShapeExpr(ty=relax.ShapeType(values=[...], ndim=0), values=[]), dtype=ir.PrimType(dtype=bool), ndim=0)
         = params[2]: ir.Var(ty=relax.TensorType(shape=relax.expr.ShapeExpr(ty=relax.ShapeType(...), values=[...]), dtype=ir.PrimType(dtype=float32), ndim=1)), on the left only
         = params[3]: ir.Var(ty=relax.TensorType(shape=relax.expr.ShapeExpr(ty=relax.ShapeType(...), values=[...]), dtype=ir.PrimType(dtype=float32), ndim=2)), on the left only
         = note: 3 further parts differ

        insert: entry level
         = path: <root>.attrs.__dict__["level"]
         = +: 2

        insert: entry system
         = path: <root>.attrs.__dict__["system"]
         = +: "test"

        ... and 3 more; `--limit` shows them
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
    let picture = objir(&["draw", "--objects", "--format", "dot", "--boxes", "3", MIXED]);
    assert!(picture.stdout.contains("ir.IRModule"), "{}", picture.show());
    let bench = objir(&["bench", "--json", MLP]);
    assert_eq!((bench.code, bench.is_quiet()), (Some(0), true), "{}", bench.show());
    let operations = ["load", "save", "equal", "mismatch", "hash", "walk", "mutate", "copy", "drop", "convert"];
    let of_relax = ["print", "parse", "derive", "normalize", "check", "run"];
    assert_eq!(bench.stdout.lines().count(), operations.len() + of_relax.len(), "{}", bench.show());
}

#[test]
fn a_page_shows_the_values_that_differ() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tvm27.html");
    let run = objir(&["diff", MLP, CHANGED, "--html", &file.display().to_string()]);
    assert_eq!(run.code, Some(1), "{}", run.show());
    let page = fs::read_to_string(file).expect("the page is there");
    for part in
        ["<h1>different: ", "bindings[2]", "<code>value.op</code>", "ir.Op(\"relax.nn.gelu\")", "<svg", "</html>"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[test]
fn commands_that_need_relax_read_the_file_as_tvm_0_25() {
    expect![[r#"
        well-formed: 0 errors, 0 warnings
        [exit code 0]
    "#]]
    .assert_eq(&objir(&["check", MLP]).show());
    expect![[r##"
        # from tvm.script import ir as I
        # from tvm.script import tirx as T
        # from tvm.tirx.layout import Axis
        # from tvm.script import relax as R

        @I.ir_module
        class Module:
            I.module_attrs({"level": 2, "system": "test"})
            I.module_global_infos({"vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-conda-linux-gnu", "tag": ""}, 0, "global"), I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-conda-linux-gnu", "tag": ""}, 0, "local")]})
            @T.prim_func
            def scale(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
                T.func_attr({"tirx.noalias": True})
                for i, j in T.grid(4, 8):
                    if i < 2:
                        B[i, j] = A[i, j] * T.float32(2.0) + T.Cast("float32", i * 8 + j)
                    else:
                        B[i, j] = T.max(A[i, j], T.float32(0.0))

            @R.function
            def choose(flag: R.Tensor((), dtype="bool"), x: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
                if flag:
                    y_then: R.Tensor((4, 8), dtype="float32") = R.add(x, R.const(1.5, "float32"))
                    y: R.Tensor((4, 8), dtype="float32") = y_then
                else:
                    y_else: R.Tensor((4, 8), dtype="float32") = R.multiply(x, metadata["ir.GenericConst"][0])
                    y: R.Tensor((4, 8), dtype="float32") = y_else
                return y

            @R.function
            def main(x: R.Tensor((4, 8), dtype="float32"), flag: R.Tensor((), dtype="bool")) -> R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Shape([4, 8])):
                cls = Module
                m = T.int64()
                k = T.int64()
                a = R.call_tir(cls.scale, (x,), out_ty=R.Tensor((4, 8), dtype="float32"))
                b: R.Tensor((4, 8), dtype="float32") = cls.choose(flag, a)
                c: R.Tensor((4, 16), dtype="float32") = R.concat((a, b), axis=1)
                parts: R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((4, 8), dtype="float32")) = R.split(c, indices_or_sections=2, axis=1)
                d: R.Tensor((4, 8), dtype="float32") = parts[0]
                f: R.Tensor((m, k), dtype="float32") = R.match_cast(d, R.Tensor((m, k), dtype="float32"))
                g: R.Tensor((k, m), dtype="float32") = R.reshape(f, R.shape([k, m]))
                h: R.Tensor((m, k), dtype="float32") = R.permute_dims(g, axes=None)
                z = R.call_dps_packed("test.packed", (h,), out_ty=R.Tensor((4, 8), dtype="float32"))
                t: R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Shape([4, 8])) = z, R.shape([4, 8])
                return t

        # Metadata omitted. Use show_meta=True in script() method to show it.
        [exit code 0]
    "##]]
    .assert_eq(&objir(&["print", MIXED]).show());
    expect![[r#"
        [[-5.594213008880615, -5.263686656951904, 7.880160331726074, -2.6564626693725586, -0.862955629825592, 1.3563122749328613, -2.6303651332855225, -7.518382549285889]]
        [exit code 0]
    "#]]
    .assert_eq(&objir(&["run", "--seed", "1", "--dim", "n=1", MLP]).show());
    for command in ["normalize", "infer"] {
        let run = objir(&[command, MIXED]);
        assert!(run.stdout.contains("\"metadata\":{\"tvm_version\":\"0.27.0") && run.is_quiet(), "{}", run.show());
        assert_eq!(objir_with(&["hash", "-"], run.stdout.as_bytes()).code, Some(0));
        let older = objir(&[command, MIXED, "--to", "0.25"]);
        assert!(older.stdout.ends_with("\"metadata\":{\"tvm_version\":\"0.25.0\"}}\n"), "{}", older.show());
        assert_eq!(objir_with(&["hash", "-"], older.stdout.as_bytes()).code, Some(0));
    }
    let unknown = text("tvm27_mlp.json.gz").replace("relax.nn.relu", "relax.nn.news");
    expect![[r#"
        objir: <stdin>: TVM 0.25 has no operator `relax.nn.news` (at <root>.functions[I.GlobalVar("main")].body.blocks[0].bindings[2].value.op)
        [exit code 2]
    "#]]
    .assert_eq(&objir_with(&["check", "-"], unknown.as_bytes()).show());
}

#[test]
fn modules_are_converted_there_and_back() {
    for file in [MLP, MIXED] {
        let older = objir(&["convert", file, "--to", "0.25"]).stdout;
        let again = objir_with(&["convert", "-", "--to", "0.27"], older.as_bytes()).stdout;
        let same = objir_with(&["diff", "-", file], again.as_bytes());
        assert_eq!(same.code, Some(0), "{}", same.show());
        assert!(older.contains("\"tvm_version\":\"0.25.0\"") && again.contains("\"tvm_version\":\"0.27.0\""));
    }
    let size = "from tvm.script import tirx as T\n\n@T.prim_func(s_tir=True)\ndef main():\n    \
                n = T.int32(is_size_var=True)\n    T.evaluate(n)\n";
    expect![[r#"
        objir: <stdin>: TVM 0.27 has nothing like this `tirx.SizeVar` of TVM 0.25 (at <root>.body.value)
        [exit code 2]
    "#]]
    .assert_eq(&objir_with(&["convert", "-", "--to", "0.27"], size.as_bytes()).show());
    let missing = objir(&["convert", MLP]);
    assert!(missing.code == Some(2) && missing.stderr.contains("--to <VERSION>"), "{}", missing.show());
    let unknown = objir(&["convert", MLP, "--to", "0.9"]);
    assert!(unknown.code == Some(2) && unknown.stderr.contains("expected 0.25, 0.26 or 0.27"), "{}", unknown.show());
}

#[test]
fn modules_of_two_versions_are_compared_as_tvm_0_25() {
    let script = own_file("tvm27_mlp.py", objir(&["print", MLP]).stdout.as_bytes());
    let older = own_file("tvm25_mlp.json", objir(&["parse", "--to", "0.25", &script]).stdout.as_bytes());
    // A module has one hash in both versions, and its own by request.
    let hash = |args: &[&str]| objir(&[&["hash"], args].concat()).stdout[..16].to_owned();
    assert_eq!(hash(&[&older]), hash(&[MLP]));
    assert_ne!(hash(&["--own-version", &older]), hash(&["--own-version", MLP]));
    let show = |run: Run| run.show().replace(&older, "tvm25_mlp.json");
    expect![[r#"
        equal: tvm25_mlp.json and fixtures/tvm27_mlp.json.gz
        [exit code 0]
    "#]]
    .assert_eq(&show(objir(&["diff", &older, MLP])));
    expect![[r#"
        different: tvm25_mlp.json and fixtures/tvm27_mlp_changed.json.gz, in 1 place
        main: nn.relu -> nn.gelu
        calls: nn.gelu 0 -> 1, nn.relu 1 -> 0

        change: nn.relu -> nn.gelu, in main
          --> script of tvm25_mlp.json:14:53
           |
        13 |             s: R.Tensor((n, 32), dtype="float32") = R.add(h, b0)
        14 |             a: R.Tensor((n, 32), dtype="float32") = R.nn.relu(s)
           |                                                     ^^^^^^^^^
        15 |             y: R.Tensor((n, 8), dtype="float32") = R.matmul(a, w1, out_dtype="void")
           |
          ::: script of fixtures/tvm27_mlp_changed.json.gz:14:53
           |
        13 |             s: R.Tensor((n, 32), dtype="float32") = R.add(h, b0)
        14 |             a: R.Tensor((n, 32), dtype="float32") = R.nn.gelu(s)
           |                                                     ^^^^^^^^^
        15 |             y: R.Tensor((n, 8), dtype="float32") = R.matmul(a, w1, out_dtype="void")
           |
           = path: <root>.functions[I.GlobalVar("main")].body.blocks[0].bindings[2]
           = value.op: R.nn.relu -> R.nn.gelu
        [exit code 1]
    "#]]
    .assert_eq(&show(objir(&["diff", &older, CHANGED])));
    expect![[r#"
        the same: a tensor (4, 8) of type float32
        no variable of both modules differs: 4 values compared
        arguments: seed 0, numbers from -1.0 to 1.0, n = 4; 3 of 3 trials: same
        [exit code 0]
    "#]]
    .assert_eq(&show(objir(&["run", "--compare", &older, MLP])));
}

#[test]
fn versions_are_chosen_by_name_or_by_a_file() {
    expect![[r#"
        objir: fixtures/tvm27_mlp.json.gz: node 5: no type has the type key `ir.Var`; did you mean `tirx.Var`?
        [exit code 2]
    "#]]
    .assert_eq(&objir(&["hash", "--tvm", "0.25", MLP]).show());
    expect![[r#"
        objir: `--tvm` takes 0.25, 0.26 or 0.27, or the file of a schema: 0.24: No such file or directory (os error 2)
        [exit code 2]
    "#]]
    .assert_eq(&objir(&["hash", "--tvm", "0.24", MLP]).show());
    expect![[r#"
        {"format":"object-schema","version":3,"types":[
        {"key":"ir.Var","parent":"ir.Expr","kind":"var","base":true,"label":"{name:word}","files":"tvm","fields":[{"name":"name","type":"ffi.String","role":"ignore"}]},
        {"key":"relax.expr.SeqExpr","parent":"ir.Expr","kind":"tree","custom":true,"files":"tvm","fields":[{"name":"blocks","type":"ffi.Array<relax.expr.BindingBlock>"},{"name":"body","type":"Optional<ir.Expr>"}]}
        ]}
        [exit code 0]
    "#]].assert_eq(&objir(&["schema", "--tvm", "0.27", "ir.Var", "relax.expr.SeqExpr"]).show());
    expect![[r#"
        objir: <stdin>: the script has 1 error

        error: expected a module, a function or an expression
         --> <stdin>:1:11
          |
        1 | # a script
          |           ^
        [exit code 2]
    "#]]
    .assert_eq(&objir_with(&["stats", "--tvm", "0.27", "-"], b"# a script").show());
    expect!["error: the argument '--tvm <VERSION>' cannot be used with '--schema <FILE>'"]
        .assert_eq(objir(&["hash", "--tvm", "0.27", "--schema", "x", MLP]).show().lines().next().unwrap_or(""));
    // A schema of the whole version has the same results as the version.
    let hash = |args: &[&str]| objir(&[&["hash", "--own-version"], args].concat()).show();
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
    for version in ["0.24.0", "0.29.0"] {
        let nearest = if version == "0.24.0" { "0.25" } else { "0.27" };
        let file = if version == "0.24.0" { text("mlp.json.gz").replace("0.25.0", version) } else { later.clone() };
        let stderr = objir_with(&["stats", "-"], file.as_bytes()).stderr;
        let remark =
            format!("it is of TVM {version}, whose types this program lacks, so the types of TVM {nearest} read it");
        assert!(stderr.contains(&remark), "{stderr}");
    }
    let unknown = later.replace("relax.ShapeType", "relax.SizesType");
    expect![[r#"
        objir: <stdin>: it is of TVM 0.29.0, whose types this program lacks, so the types of TVM 0.27 read it: node 9: no type has the type key `relax.SizesType`, did you mean `relax.ShapeType`?
        [exit code 2]
    "#]].assert_eq(&objir_with(&["roundtrip", "-"], unknown.as_bytes()).show());
    assert_eq!(objir_with(&["check", "-"], later.as_bytes()).code, Some(0));
}
