//! `objir diff`.

use expect_test::expect;
use serde_json::{Value, json};

use crate::harness::{objir, objir_with, own_file, packed, root};

/// Two tensors of type float16 without dimensions, with different content.
pub(crate) const TENSORS: [&str; 2] = [
    "P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAAAAAAIQAQACAAAAAAAAAP/7",
    "P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAAAAAAIQAQACAAAAAAAAAP/6",
];

/// A variable that nothing binds.
const FREE_VAR: &str = r#"{"root_index":3,"nodes":[{"type":"None"},{"type":"ffi.String","data":"n"},{"type":"ir.PrimType","data":{"span":0,"dtype":"int64"}},{"type":"tirx.Var","data":{"span":0,"dtype":"int64","name":1,"type_annotation":2}}]}"#;

#[test]
fn equal_up_to_names() {
    expect![[r#"
        equal: fixtures/mlp.json.gz and fixtures/mlp_renamed.json.gz
        [exit code 0]
    "#]]
    .assert_eq(&objir(&["diff", "fixtures/mlp.json.gz", "fixtures/mlp_renamed.json.gz"]).show());
}

#[test]
fn different_operator() {
    expect![[r#"
        different: fixtures/mlp.json.gz and fixtures/mlp_changed.json.gz, in 1 place
        main: nn.relu -> nn.gelu
        calls: nn.gelu 0 -> 1, nn.relu 1 -> 0

        change: nn.relu -> nn.gelu, in main
          --> script of fixtures/mlp.json.gz:14:53
           |
        13 |             h1: R.Tensor((n, 32), dtype="float32") = R.add(h, b0)
        14 |             a: R.Tensor((n, 32), dtype="float32") = R.nn.relu(h1)
           |                                                     ^^^^^^^^^
        15 |             y: R.Tensor((n, 8), dtype="float32") = R.matmul(a, w1, out_dtype="void")
           |
          ::: script of fixtures/mlp_changed.json.gz:14:53
           |
        13 |             h1: R.Tensor((n, 32), dtype="float32") = R.add(h, b0)
        14 |             a: R.Tensor((n, 32), dtype="float32") = R.nn.gelu(h1)
           |                                                     ^^^^^^^^^
        15 |             y: R.Tensor((n, 8), dtype="float32") = R.matmul(a, w1, out_dtype="void")
           |
           = path: <root>.functions[I.GlobalVar("main")].body.blocks[0].bindings[2]
           = value.op: R.nn.relu -> R.nn.gelu
        [exit code 1]
    "#]]
    .assert_eq(&objir(&["diff", "fixtures/mlp.json.gz", "fixtures/mlp_changed.json.gz"]).show());
}

#[test]
fn different_functions() {
    expect![[r#"
        different: fixtures/mlp.json.gz and fixtures/decoder.json.gz, in 3 places
        2 functions added: decode, prefill
        1 function removed: main
        calls: add 2 -> 20, astype 0 -> 18, concat 0 -> 8, full 0 -> 1, matmul 2 -> 74, multiply 0 -> 16, nn.relu 1 -> 0, nn.rms_norm 0 -> 18, nn.silu 0 -> 8, nn.softmax 1 -> 8, permute_dims 0 -> 98, reshape 0 -> 36, strided_slice 0 -> 1, take 0 -> 2, tirx.if_then_else 0 -> 1, triu 0 -> 1

        insert: function decode
         --> script of fixtures/decoder.json.gz:8:5
          |
        7 | class Module:
        8 |     @R.function
          |     ^^^^^^^^^^^
        9 |     def decode(ids: R.Tensor(("batch", 1), dtype="int32"), cache: R.Tuple(R.Tensor(("batch", "past", 8, 32), dtype="float16"), R.Tens...
          |
          = path: <root>.functions[I.GlobalVar("decode")]

        insert: function prefill
           --> script of fixtures/decoder.json.gz:181:5
            |
        180 |
        181 |     @R.function
            |     ^^^^^^^^^^^
        182 |     def prefill(ids: R.Tensor(("batch", "seq"), dtype="int32"), embedding: R.Tensor((4096, 256), dtype="float16"), layer0_attn_norm...
            |
            = path: <root>.functions[I.GlobalVar("prefill")]

        delete: function main
         --> script of fixtures/mlp.json.gz:8:5
          |
        7 | class Module:
        8 |     @R.function
          |     ^^^^^^^^^^^
        9 |     def main(x: R.Tensor(("n", 16), dtype="float32"), w0: R.Tensor((16, 32), dtype="float32"), b0: R.Tensor((32,), dtype="float32"), ...
          |
          = path: <root>.functions[I.GlobalVar("main")]
        [exit code 1]
    "#]].assert_eq(&objir(&["diff", "fixtures/mlp.json.gz", "fixtures/decoder.json.gz"]).show());
}

#[test]
fn several_places_and_the_first() {
    expect![[r#"
        different: fixtures/decoder.json.gz and fixtures/decoder_legalized.json.gz, in 366 places
        decode: 8 x add -> call_tir add, 9 x astype -> call_tir cast*, 8 x concat -> call_tir concatenate, 37 x matmul -> call_tir matmul*, 8 x multiply -> call_tir multiply*, 9 x nn.rms_norm -> call_tir rms_norm, 4 x nn.silu -> call_tir silu, 4 x nn.softmax -> call_tir softmax, 49 x permute_dims -> call_tir transpose*, 18 x reshape -> call_tir reshape*, take -> call_tir take
        prefill: 12 x add -> call_tir add*, 9 x astype -> call_tir cast*, full -> call_tir full, 37 x matmul -> call_tir matmul*, 8 x multiply -> call_tir multiply*, 9 x nn.rms_norm -> call_tir rms_norm*, 4 x nn.silu -> call_tir silu1, 4 x nn.softmax -> call_tir softmax1, 49 x permute_dims -> call_tir transpose*, 18 x reshape -> call_tir reshape*, strided_slice -> call_tir strided_slice, take -> call_tir take1, triu -> call_tir triu
        57 functions added: add, add1, add2, cast, cast1, cast2, cast3, cast4, ...
        calls: add 20 -> 0, astype 18 -> 0, call_tir 0 -> 309, concat 8 -> 0, full 1 -> 0, matmul 74 -> 0, multiply 16 -> 0, nn.rms_norm 18 -> 0, nn.silu 8 -> 0, nn.softmax 8 -> 0, permute_dims 98 -> 0, reshape 36 -> 0, strided_slice 1 -> 0, take 2 -> 0, tirx.exp 0 -> 2, tirx.if_then_else 1 -> 40, tirx.rsqrt 0 -> 3, tirx.sigmoid 0 -> 2, triu 1 -> 0

        change: reshape -> call_tir reshape, in decode
            --> script of fixtures/decoder.json.gz:22:56
             |
          21 |             lv113: R.Tensor((batch, past, 8, 32), dtype="float16") = cache[7]
          22 |             lv114: R.Tensor((batch,), dtype="int32") = R.reshape(ids, R.shape([batch]))
             |                                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          23 |             lv115: R.Tensor((batch, 256), dtype="float16") = R.take(embedding, lv114, axis=0, mode="clip")
             |
            ::: script of fixtures/decoder_legalized.json.gz:1040:21
             |
        1039 |             lv113: R.Tensor((batch, past, 8, 32), dtype="float16") = cache[7]
        1040 |             lv114 = R.call_tir(cls.reshape, (ids,), out_sinfo=R.Tensor((batch,), dtype="int32"))
             |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        1041 |             lv115 = R.call_tir(cls.take, (embedding, lv114), out_sinfo=R.Tensor((batch, 256), dtype="float16"))
             |
             = path: <root>.functions[I.GlobalVar("decode")].body.blocks[0].bindings[8]
             = value.op: R.reshape -> ir.Op("relax.call_tir")
             = value.args[0]: ids -> cls.reshape
             = value.args[1]: R.shape([batch]) -> (ids,)
             = value.sinfo_args[0]: R.Tensor((batch,), dtype="int32"), on the right only

        change: take -> call_tir take, in decode
            --> script of fixtures/decoder.json.gz:23:62
             |
          22 |             lv114: R.Tensor((batch,), dtype="int32") = R.reshape(ids, R.shape([batch]))
          23 |             lv115: R.Tensor((batch, 256), dtype="float16") = R.take(embedding, lv114, axis=0, mode="clip")
             |                                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          24 |             hidden1: R.Tensor((batch, 1, 256), dtype="float16") = R.reshape(lv115, R.shape([batch, 1, 256]))
             |
            ::: script of fixtures/decoder_legalized.json.gz:1041:21
             |
        1040 |             lv114 = R.call_tir(cls.reshape, (ids,), out_sinfo=R.Tensor((batch,), dtype="int32"))
        1041 |             lv115 = R.call_tir(cls.take, (embedding, lv114), out_sinfo=R.Tensor((batch, 256), dtype="float16"))
             |                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        1042 |             hidden1 = R.call_tir(cls.reshape1, (lv115,), out_sinfo=R.Tensor((batch, 1, 256), dtype="float16"))
             |
             = path: <root>.functions[I.GlobalVar("decode")].body.blocks[0].bindings[9]
             = value.op: R.take -> ir.Op("relax.call_tir")
             = value.attrs: relax.attrs.TakeAttrs(axis=0, mode="clip") -> None
             = value.args[0]: embedding -> cls.take
             = value.args[1]: lv114 -> (embedding, lv114)
             = value.sinfo_args[0]: R.Tensor((batch, 256), dtype="float16"), on the right only

        change: reshape -> call_tir reshape1, in decode
            --> script of fixtures/decoder.json.gz:24:67
             |
          23 | ...   lv115: R.Tensor((batch, 256), dtype="float16") = R.take(embedding, lv114, axis=0, mode="clip")
          24 | ...   hidden1: R.Tensor((batch, 1, 256), dtype="float16") = R.reshape(lv115, R.shape([batch, 1, 256]))
             |                                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          25 | ...   lv116: R.Tensor((batch, 1, 256), dtype="float16") = R.nn.rms_norm(hidden1, layer0_attn_norm, axes=[-1], epsilon=1.0000000000...
             |
            ::: script of fixtures/decoder_legalized.json.gz:1042:23
             |
        1041 |             lv115 = R.call_tir(cls.take, (embedding, lv114), out_sinfo=R.Tensor((batch, 256), dtype="float16"))
        1042 |             hidden1 = R.call_tir(cls.reshape1, (lv115,), out_sinfo=R.Tensor((batch, 1, 256), dtype="float16"))
             |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        1043 |             lv116 = R.call_tir(cls.rms_norm, (hidden1, layer0_attn_norm), out_sinfo=R.Tensor((batch, 1, 256), dtype="float16"))
             |
             = path: <root>.functions[I.GlobalVar("decode")].body.blocks[0].bindings[10]
             = value.op: R.reshape -> ir.Op("relax.call_tir")
             = value.args[0]: lv115 -> cls.reshape1
             = value.args[1]: R.shape([batch, 1, 256]) -> (lv115,)
             = value.sinfo_args[0]: R.Tensor((batch, 1, 256), dtype="float16"), on the right only

        ... and 363 more; `--limit` shows them
        [exit code 1]
    "#]]
    .assert_eq(
        &objir(&["diff", "--limit", "3", "fixtures/decoder.json.gz", "fixtures/decoder_legalized.json.gz"]).show(),
    );
    expect![[r#"
        different: fixtures/mlp.json.gz and fixtures/mlp_changed.json.gz, first in this place

        difference: the values differ
          --> script of fixtures/mlp.json.gz:14:53
           |
        13 |             h1: R.Tensor((n, 32), dtype="float32") = R.add(h, b0)
        14 |             a: R.Tensor((n, 32), dtype="float32") = R.nn.relu(h1)
           |                                                     ^^^^^^^^^
        15 |             y: R.Tensor((n, 8), dtype="float32") = R.matmul(a, w1, out_dtype="void")
           |
          ::: script of fixtures/mlp_changed.json.gz:14:53
           |
        13 |             h1: R.Tensor((n, 32), dtype="float32") = R.add(h, b0)
        14 |             a: R.Tensor((n, 32), dtype="float32") = R.nn.gelu(h1)
           |                                                     ^^^^^^^^^
        15 |             y: R.Tensor((n, 8), dtype="float32") = R.matmul(a, w1, out_dtype="void")
           |
           = path: <root>.functions[I.GlobalVar("main")].body.blocks[0].bindings[2].value.op
        [exit code 1]
    "#]]
    .assert_eq(&objir(&["diff", "--first", "fixtures/mlp.json.gz", "fixtures/mlp_changed.json.gz"]).show());
    expect![[r#"
        error: the argument '--first' cannot be used with '--limit <N>'

        Usage: objir diff --first <A> <B>

        For more information, try '--help'.
        [exit code 2]
    "#]]
    .assert_eq(&objir(&["diff", "--first", "--limit", "2", "fixtures/mlp.json.gz", "-"]).show());
}

#[test]
fn prints_json() {
    let equal = objir(&["diff", "--json", "fixtures/mlp.json.gz", "fixtures/mlp_renamed.json.gz"]);
    expect![[r#"
        {"equal":true,"a":"fixtures/mlp.json.gz","b":"fixtures/mlp_renamed.json.gz"}
        [exit code 0]
    "#]]
    .assert_eq(&equal.show());
    let different = objir(&["diff", "--json", "fixtures/mlp.json.gz", "fixtures/decoder.json.gz"]);
    let shown = different.show();
    // The script itself has its own tests.
    let (report, _) = shown.split_once(",\"script\":").expect("the report has the script");
    let shown = format!("{report}}}\n[exit code {}]\n", different.code.unwrap_or_default());
    expect![[r#"
        {"equal":false,"a":"fixtures/mlp.json.gz","b":"fixtures/decoder.json.gz","differences":[{"reason":"missing-key","sides":[{"path":"<root>.functions[I.GlobalVar(\"main\")]","steps":[["ATTR","functions"],["MAP_ITEM",{"type":"ir.GlobalVar","label":"I.GlobalVar(\"main\")"}]],"value":"relax.expr.Function(attrs=ir.DictAttrs(__dict__={\"global_symbol\": \"main\"}), params=[relax.expr.Var(vid=relax.Id(...)), relax.expr.Var(vid=relax.Id(...)), relax.expr.Var(vid=relax.Id(...)), relax.expr...."},{"path":"<root>.functions[<missing:I.GlobalVar(\"main\")>]","steps":[["ATTR","functions"],["MAP_ITEM_MISSING",{"type":"ir.GlobalVar","label":"I.GlobalVar(\"main\")"}]],"value":null}],"explanation":"one map does not have the key"},{"reason":"missing-key","sides":[{"path":"<root>.functions[<missing:I.GlobalVar(\"prefill\")>]","steps":[["ATTR","functions"],["MAP_ITEM_MISSING",{"type":"ir.GlobalVar","label":"I.GlobalVar(\"prefill\")"}]],"value":null},{"path":"<root>.functions[I.GlobalVar(\"prefill\")]","steps":[["ATTR","functions"],["MAP_ITEM",{"type":"ir.GlobalVar","label":"I.GlobalVar(\"prefill\")"}]],"value":"relax.expr.Function(attrs=ir.DictAttrs(__dict__={\"num_input\": 1, \"global_symbol\": \"prefill\"}), params=[relax.expr.Var(vid=relax.Id(...)), relax.expr.Var(vid=relax.Id(...)), relax.expr.Var(vid=relax.Id..."}],"explanation":"one map does not have the key"},{"reason":"missing-key","sides":[{"path":"<root>.functions[<missing:I.GlobalVar(\"decode\")>]","steps":[["ATTR","functions"],["MAP_ITEM_MISSING",{"type":"ir.GlobalVar","label":"I.GlobalVar(\"decode\")"}]],"value":null},{"path":"<root>.functions[I.GlobalVar(\"decode\")]","steps":[["ATTR","functions"],["MAP_ITEM",{"type":"ir.GlobalVar","label":"I.GlobalVar(\"decode\")"}]],"value":"relax.expr.Function(attrs=ir.DictAttrs(__dict__={\"num_input\": 2, \"global_symbol\": \"decode\"}), params=[relax.expr.Var(vid=relax.Id(...)), relax.expr.Var(vid=relax.Id(...)), relax.expr.Var(vid=relax.Id(..."}],"explanation":"one map does not have the key"}],"has_more":false,"ended":false,"groups":[{"entry":"<root>.functions[I.GlobalVar(\"decode\")]","whole":{"kind":"insert","title":"function decode","paths":["<root>.functions","<root>.functions[I.GlobalVar(\"decode\")]"],"names":null,"before":null,"after":"Function","details":[]},"edits":[]},{"entry":"<root>.functions[I.GlobalVar(\"prefill\")]","whole":{"kind":"insert","title":"function prefill","paths":["<root>.functions","<root>.functions[I.GlobalVar(\"prefill\")]"],"names":null,"before":null,"after":"Function","details":[]},"edits":[]},{"entry":"<root>.functions[I.GlobalVar(\"main\")]","whole":{"kind":"delete","title":"function main","paths":["<root>.functions[I.GlobalVar(\"main\")]","<root>.functions"],"names":null,"before":"Function","after":null,"details":[]},"edits":[]}]}
        [exit code 1]
    "#]].assert_eq(&shown);
}

#[test]
fn recorded_verdicts_and_paths() {
    let records = std::fs::read(root().join("fixtures/records.json")).expect("the records are there");
    let records: Value = serde_json::from_slice(&records).expect("the records are JSON");
    for record in records["files"].as_array().expect("files are a list") {
        let file = |side: &str| format!("fixtures/{}", record[side].as_str().unwrap_or_default());
        let (lhs, rhs) = (file("lhs"), file("rhs"));
        let mut args = vec!["diff", "--json", "--first", &lhs, &rhs];
        args.extend((record["map_free_vars"] == true).then_some("--map-free-vars"));
        args.extend((record["skip_tensor_content"] == true).then_some("--skip-tensor-content"));
        let run = objir(&args);
        let report = run.json();
        let paths = match &report["mismatch"] {
            Value::Null => Value::Null,
            sides => json!([sides[0]["path"], sides[1]["path"]]),
        };
        assert_eq!((&report["equal"], &paths), (&record["equal"], &record["mismatch"]), "{args:?}");
        assert_eq!(run.code, Some(if record["equal"] == true { 0 } else { 1 }), "{args:?}");
    }
}

#[test]
fn free_variables() {
    let file = own_file("free_var.json", FREE_VAR.as_bytes());
    let run = |args: &[&str]| objir_with(&[&["diff", &file, "-"], args].concat(), FREE_VAR.as_bytes());
    assert_eq!((run(&[]).code, run(&["--map-free-vars"]).code), (Some(1), Some(0)));
}

#[test]
fn another_bound_variable() {
    let script = |name: &str, lhs: &str| {
        let text = format!(
            "from tvm.script import relax as R\n\n@R.function\ndef main(x: R.Prim(\"int64\"), y: R.Prim(\"int64\")):\n    return ({lhs}, y)\n"
        );
        own_file(name, text.as_bytes())
    };
    let (a, b) = (script("x_and_y.py", "x"), script("y_and_y.py", "y"));
    let shown = objir(&["diff", &a, &b]).show();
    assert!(shown.contains("= path: <root>.body.body.fields[0]\n") && shown.contains("= value: x -> y\n"), "{shown}");
}

#[test]
fn tensor_content() {
    let tensor = |data: &str| format!(r#"{{"root_index":0,"nodes":[{{"type":"ffi.Tensor","data":"{data}"}}]}}"#);
    let [one, two] = TENSORS.map(tensor);
    let file = own_file("tensor.json", one.as_bytes());
    let run = |args: &[&str]| objir_with(&[&["diff", &file, "-"], args].concat(), two.as_bytes());
    assert_eq!((run(&[]).code, run(&["--skip-tensor-content"]).code), (Some(1), Some(0)));
}

#[test]
fn one_side_is_standard_input() {
    let run = objir_with(&["diff", "-", "fixtures/mlp.json.gz"], &packed("mlp.json.gz"));
    assert_eq!(run.code, Some(0), "{}", run.show());
    expect![[r#"
        objir: only one of the two files can be standard input
        [exit code 2]
    "#]]
    .assert_eq(&objir(&["diff", "-", "-"]).show());
}

#[test]
fn a_renamed_function_and_a_moved_binding_are_one_edit_each() {
    let script = objir(&["print", "fixtures/mlp.json.gz"]).stdout;
    let before = own_file("before_moves.py", script.as_bytes());
    let renamed = own_file("renamed.py", script.replace("def main", "def other").as_bytes());
    let shown = objir(&["diff", &before, &renamed]).show();
    assert!(shown.contains(", in 1 place\n1 function renamed: main -> other\n"), "{shown}");
    assert!(shown.contains("\nrename: function main -> other\n"), "{shown}");
    let with = |lines: [&str; 2]| {
        let text = format!(
            "from tvm.script import relax as R\n\n@R.function\ndef main(x: R.Tensor((4,), \"float32\")):\n    \
             with R.dataflow():\n        {}\n        {}\n        c = R.add(a, b)\n        R.output(c)\n    return c\n",
            lines[0], lines[1]
        );
        own_file(&format!("{}.py", &lines[0][..1]), text.as_bytes())
    };
    let [a, b] = ["a = R.exp(x)", "b = R.negative(x)"];
    let shown = objir(&["diff", &with([a, b]), &with([b, a])]).show();
    assert!(shown.contains(", in 1 place\n") && shown.contains(" moved\n"), "{shown}");
    assert_eq!(shown.matches("\n  --> ").count() + shown.matches("\n --> ").count(), 1, "{shown}");
}

#[test]
fn a_diff_beyond_the_limit_of_steps_shows_the_edits_so_far() {
    let args = ["diff", "fixtures/decoder.json.gz", "fixtures/decoder_legalized.json.gz", "--max-steps", "2000"];
    let shown = objir(&args);
    assert_eq!(shown.code, Some(1), "{}", shown.show());
    for part in ["\n\nchange: ", "57 functions added", "the search ended at the limit of steps", "`--max-steps`"] {
        assert!(shown.stdout.contains(part), "{part}: {}", shown.show());
    }
    let report: Value = serde_json::from_str(&objir(&[&args[..], &["--json"]].concat()).stdout).expect("a report");
    assert_eq!([&report["ended"], &report["has_more"]], [true, true]);
    assert!(!report["groups"].as_array().expect("groups").is_empty());
}
