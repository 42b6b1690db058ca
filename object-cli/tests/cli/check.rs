//! `objir check`.

use expect_test::expect;
use serde_json::Value;

use crate::harness::{objir, own_file, text};

/// A module whose function has another `global_symbol` than its name, and uses a dataflow variable outside of its block.
fn ill_formed(name: &str) -> String {
    let mut graph: Value = serde_json::from_str(&text("mlp.json.gz")).expect("JSON");
    let nodes = graph["nodes"].as_array_mut().expect("nodes");
    for node in nodes.iter_mut() {
        if node["type"] == "relax.expr.DataflowBlock" {
            node["type"] = "relax.expr.BindingBlock".into();
        }
    }
    own_file(&format!("{name}.json"), graph.to_string().as_bytes())
}

#[test]
fn fixtures_are_well_formed() {
    let run = objir(&["check", "fixtures/mlp.json.gz", "fixtures/decoder.json.gz"]);
    assert_eq!(run.code, Some(0), "{}", run.show());
    assert!(run.stdout.ends_with(" in 2 files\n"), "{}", run.show());
}

/// `n // (n * -2)` is -1, so the tensor has two elements.
#[test]
fn a_quotient_by_a_negative_divisor_is_rounded_down() {
    let program = |shape: &str| {
        format!(
            r#"
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        n = T.int64()
        y = R.arange(R.prim_value(0), R.prim_value(n // (n * -2) + 3), R.prim_value(1), dtype="int64")
        z = R.reshape(y, R.shape({shape}))
        return z
"#
        )
    };
    let right = own_file("negative_divisor.py", program("[2, 1]").as_bytes());
    assert_eq!(objir(&["check", &right]).code, Some(0));
    let wrong = own_file("negative_divisor_wrong.py", program("[2, 2]").as_bytes());
    let run = objir(&["check", &wrong]);
    assert_ne!(run.code, Some(0), "{}", run.show());
    let text = run.stdout.clone() + &run.stderr;
    assert!(text.contains("expected a shape of 2 elements"), "{}", run.show());
}

/// One broken file of a list does not hide the results for the others.
#[test]
fn the_files_after_a_broken_one_are_checked() {
    let broken = own_file("broken_of_a_list.json", b"{");
    let ill = ill_formed("ill_formed_of_a_list");
    let run = objir(&["check", &broken, &ill, "fixtures/mlp.json.gz"]);
    assert_eq!(run.code, Some(2), "{}", run.show());
    assert!(run.stdout.contains("error[dataflow-var-bound-outside]"), "{}", run.show());
    assert!(run.stdout.ends_with(" in 3 files, 1 file not checked\n"), "{}", run.show());
    assert!(run.stderr.contains("not a JSON graph"), "{}", run.show());
    let run = objir(&["check", "--json", &broken, "fixtures/mlp.json.gz"]);
    let found: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((run.code, &found["files"][0]["errors"]), (Some(2), &0.into()));
    assert!(found["files"][1]["error"].is_string(), "{}", run.show());
}

#[test]
fn violations_are_shown_with_place_and_fix() {
    let file = ill_formed("ill_formed_text");
    let run = objir(&["check", &file]);
    assert_eq!(run.code, Some(1), "{}", run.show());
    let first = run.stdout.split("\n\n").next().unwrap_or_default().replace(&file, "FILE");
    expect![[r#"
        error[dataflow-var-bound-outside]: dataflow variable `h` is bound outside of a dataflow block
          --> script of FILE <root>.functions[I.GlobalVar("main")].body.blocks[0].bindings[0].var:11:9
           |
        10 |         n = T.int64()
        11 |         h: R.Tensor((n, 32), dtype="float32") = R.matmul(x, w0, out_dtype="void")
           |         ^
        12 |         h1: R.Tensor((n, 32), dtype="float32") = R.add(h, b0)
           |
           = help: make the variable a `Var`, or move its binding into a dataflow block
           = note: see https://docs.rs/object-relax/latest/object_relax/guide/rule_index/#dataflow-var-bound-outside"#]]
    .assert_eq(&first);
    assert!(!run.stdout.contains('\u{1b}'), "there are no colours in a pipe: {}", run.stdout);
}

/// The lines of a script are the lines of the file, not the lines of the text that the printer writes.
#[test]
fn violations_in_scripts_are_shown_in_their_files() {
    let script = b"\
@I.ir_module
class Module:
    # A comment, which is no part of the program.

    @R.function
    def main(x: R.Tensor((2,3), 'float32')):
        y: R.Tensor((3,3), 'float32') = R.exp( x )
        return y
";
    let file = own_file("lines_of_a_script.py", script);
    let run = objir(&["check", &file]);
    assert_eq!(run.code, Some(1), "{}", run.show());
    let first = run.stdout.split("\n\n").next().unwrap_or_default().replace(&file, "FILE");
    expect![[r#"
        error[call-annotation]: the structural information of a call contradicts its arguments
         --> FILE <root>.functions[I.GlobalVar("main")].body.blocks[0].bindings[0].value:7:41
          |
        6 |     def main(x: R.Tensor((2,3), 'float32')):
        7 |         y: R.Tensor((3,3), 'float32') = R.exp( x )
          |                                         ^^^^^^^^^^ expected Tensor((2, 3), float32), got Tensor((3, 3), float32)
        8 |         return y
          |
          = help: derive the structural information again
          = note: see https://docs.rs/object-relax/latest/object_relax/guide/rule_index/#call-annotation"#]].assert_eq(&first);
    let found = objir(&["check", "--json", &file]).json()["files"][0]["diagnostics"][0].clone();
    assert_eq!((&found["line"], &found["column"]), (&7.into(), &41.into()), "{found}");
}

#[test]
fn json_has_every_part() {
    let file = ill_formed("ill_formed_json");
    let run = objir(&["check", "--json", &file]);
    assert_eq!(run.code, Some(1), "{}", run.show());
    let report = run.json();
    let found = report["files"][0]["diagnostics"].as_array().expect("a list");
    assert_eq!(report["errors"], found.len());
    for it in found {
        assert_eq!(it["rule"], "dataflow-var-bound-outside");
        assert_eq!(it["severity"], "error");
        assert!(it["path"].as_str().is_some_and(|path| path.starts_with("<root>.functions")), "{it}");
    }
}

/// TVM 0.25 refuses the first script because `s_tir` is missing, and the third one because it has no `T.block`.
#[test]
fn blocks_need_functions_of_the_scheduler() {
    let script = |decorator: &str, block: &str| {
        format!(
            "@I.ir_module\nclass Module:\n    @T.prim_func{decorator}\n    def f(A: T.Buffer((16,), \"float32\")):\n\
            \x20       for i in range(16):\n            with {block}(\"A\"):\n\
            \x20               v = T.axis.spatial(16, i)\n                A[v] = T.float32(0)\n"
        )
    };
    let check = |name: &str, decorator: &str, block: &str| {
        objir(&["check", "--profile", "strict", &own_file(name, script(decorator, block).as_bytes())])
    };
    let without = check("block_without_s_tir.py", "", "T.sblock");
    assert_eq!(without.code, Some(1), "{}", without.show());
    for part in ["error[tir-block-outside-s-tir]", ":6:13\n", "@T.prim_func(s_tir=True)", "1 error, 0 warnings"] {
        assert!(without.stdout.contains(part), "{part}: {}", without.stdout);
    }
    let with = check("block_with_s_tir.py", "(s_tir=True)", "T.sblock");
    assert!(with.code == Some(0) || !with.stdout.contains("tir-"), "{}", with.show());
    let old = check("old_block.py", "(s_tir=True)", "T.block");
    assert_eq!(old.code, Some(2), "{}", old.show());
    assert!(old.stderr.contains("T.block") && old.stderr.contains("T.sblock"), "{}", old.show());
}

#[test]
fn options_choose_levels_phases_and_profiles() {
    let file = ill_formed("ill_formed_options");
    let rule = "dataflow-var-bound-outside";
    assert_eq!(objir(&["check", "--allow", rule, &file]).code, Some(0));
    let warned = objir(&["check", "--warn", rule, &file]);
    assert_eq!(warned.code, Some(0), "{}", warned.show());
    assert!(warned.stdout.contains(&format!("warning[{rule}]")), "{}", warned.show());
    assert_eq!(objir(&["check", "--warn", rule, "--deny", rule, &file]).code, Some(1));
    assert_eq!(objir(&["check", "--profile", "tvm-0.25", &file]).code, Some(1));
    assert_eq!(objir(&["check", "--phase", "ast", &file]).code, Some(1));
    assert_eq!(objir(&["check", "--limit", "0", &file]).stdout.matches("more violations").count(), 1);
}

/// Rules of the specification that TVM lacks are warnings by default, with one line for each rule.
#[test]
fn warnings_are_a_summary_unless_details_are_asked_for() {
    let script = b"\
@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((2,), 'int2')) -> R.Tensor((2,), 'int2'):
        return x
";
    let file = own_file("warnings.py", script);
    let run = objir(&["check", &file]);
    let shown = run.show().replace(&file, "FILE");
    assert_eq!(run.code, Some(0), "{shown}");
    assert!(shown.contains("warning[no-entry-point]: 1 place in FILE\n"), "{shown}");
    assert!(shown.contains("warning[data-type]: ") && !shown.contains("-->"), "{shown}");
    let details = objir(&["check", "--details", &file]);
    assert!(details.code == Some(0) && details.stdout.contains("-->"), "{}", details.show());
    assert_eq!(objir(&["check", "--profile", "strict", &file]).code, Some(1));
    let spec = objir(&["check", "--profile", "spec", &file]);
    assert_eq!(spec.code, Some(1), "{}", spec.show());
    for criterion in ["criterion 11)", "criterion 18)"] {
        assert!(spec.stdout.contains(criterion), "{criterion}: {}", spec.show());
    }
    let json = objir(&["check", "--json", &file]).json();
    let rules = json["files"][0]["rules"].as_array().expect("a list");
    assert!(rules.iter().any(|it| it["rule"] == "no-entry-point" && it["count"] == 1), "{json}");
}

#[test]
fn a_rule_is_explained() {
    let run = objir(&["check", "--explain", "unbound-var"]);
    expect![[r#"
        unbound-var: phase ast

        Every variable that a program uses is a parameter of a function or the variable of a binding.

        Under tvm-0.25: deny.
        Under tvm-0.27: deny.
        Under strict: deny.
        Under spec: deny.
        Source: specification, well-formedness criterion 2.

        Breaks the rule:

            fn main(x: T[2]) { return y }

        Keeps it:

            fn main(x: T[2]) { return x }

        Page: https://docs.rs/object-relax/latest/object_relax/guide/rule_index/#unbound-var
        [exit code 0]
    "#]]
    .assert_eq(&run.show());
    assert_eq!(objir(&["check", "--explain", "unbound-var", "--json"]).json()["rule"], "unbound-var");
}

#[test]
fn unknown_names_are_errors() {
    for args in [["--allow", "no-such-rule"], ["--phase", "late"], ["--profile", "tvm-9"], ["--explain", "x"]] {
        let run = objir(&["check", args[0], args[1], "fixtures/mlp.json.gz"]);
        assert_eq!(run.code, Some(2), "{}", run.show());
    }
    assert_eq!(objir(&["check"]).code, Some(2));
}
