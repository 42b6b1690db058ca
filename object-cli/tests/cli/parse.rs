//! `objir parse` and `objir fmt`, and scripts as input of other commands.

use std::fs;

use expect_test::expect;

use crate::harness::{objir, own_file, root};

/// A script that is not as the printer writes it.
const SCRIPT: &str = "@R.function\ndef f(x: R.Tensor((2,  3), 'float32')):\n    y = R.add( x, x )\n    return y\n";

/// The path in the folder of the tests, as the snapshots show it.
fn hidden(text: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    text.replace(&format!("{}/", folder.display()), "TMP/")
}

#[test]
fn a_printed_module_reads_back() {
    let script = objir(&["print", "--show-meta", "fixtures/decoder.json.gz"]).stdout;
    let file = own_file("decoder.py", script.as_bytes());
    let run = objir(&["diff", "fixtures/decoder.json.gz", &file]);
    assert_eq!(run.code, Some(0), "{}", run.show());
    let json = own_file("decoder.json", b"");
    assert_eq!(objir(&["parse", &file, "-o", &json]).show(), "[exit code 0]\n");
    assert_eq!(objir(&["diff", "fixtures/decoder.json.gz", &json]).code, Some(0));
}

#[test]
fn every_command_takes_scripts() {
    let file = own_file("every.py", SCRIPT.as_bytes());
    for command in ["stats", "hash", "check", "print", "draw", "normalize", "infer"] {
        let run = objir(&[command, &file]);
        assert_eq!(run.code, Some(0), "{command}: {}", run.show());
    }
}

#[test]
fn errors_of_a_script_are_underlined() {
    let text = "@R.function\ndef f(x: R.Tensor((2, 3), \"float32\")):\n    y = R.ad(x, x)\n    return z\n";
    let file = own_file("wrong.py", text.as_bytes());
    expect![[r#"
        objir: TMP/wrong.py: the script has 2 errors

        error: the function `R.ad` is not known
         --> TMP/wrong.py:3:9
          |
        3 |     y = R.ad(x, x)
          |         ^^^^^^^^^^
          |
          = help: did you mean `R.add`?

        error: the name `z` is not defined
         --> TMP/wrong.py:4:12
          |
        4 |     return z
          |            ^
        [exit code 2]
    "#]]
    .assert_eq(&hidden(&objir(&["check", &file]).show()));
}

#[test]
fn scripts_are_formatted() {
    let file = own_file("format.py", SCRIPT.as_bytes());
    expect![[r#"
        TMP/format.py: not formatted
        [exit code 1]
    "#]]
    .assert_eq(&hidden(&objir(&["fmt", "--check", &file]).show()));
    expect![[r##"
        # from tvm.script import relax as R

        @R.function
        def f(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
            y: R.Tensor((2, 3), dtype="float32") = R.add(x, x)
            return y
        [exit code 0]
    "##]]
    .assert_eq(&hidden(&objir(&["fmt", &file]).show()));
    assert_eq!(objir(&["fmt", "--write", &file]).show(), "[exit code 0]\n");
    assert_eq!(objir(&["fmt", "--check", &file]).show(), "[exit code 0]\n");
}

#[test]
fn formatting_keeps_comments() {
    let commented = own_file("commented.py", format!("# a sum\n{SCRIPT}# the end\n").as_bytes());
    assert_eq!(objir(&["fmt", "--write", &commented]).show(), "[exit code 0]\n");
    expect![[r##"
        # from tvm.script import relax as R

        # a sum
        @R.function
        def f(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
            y: R.Tensor((2, 3), dtype="float32") = R.add(x, x)
            return y
        # the end
    "##]]
    .assert_eq(&fs::read_to_string(&commented).expect("the file"));
    assert_eq!(objir(&["fmt", "--check", &commented]).show(), "[exit code 0]\n");

    let text = "@T.prim_func\ndef f(A: T.Buffer((2, 2), 'int8')):\n    for i in range(2):\n        # inner\n        for j in range(2):\n            A[i, j] = T.int8(0)\n";
    let nested = own_file("nested.py", text.as_bytes());
    expect![[r#"
        objir: TMP/nested.py: the script has 1 error

        error: the comment `# inner` belongs to the statement `for j in range(2):`, which formatting replaces
         --> TMP/nested.py:4:9
          |
        4 |         # inner
          |         ^^^^^^^
          |
          = help: write it before another statement, or remove it
        [exit code 2]
    "#]]
    .assert_eq(&hidden(&objir(&["fmt", "--write", &nested]).show()));
    assert_eq!(fs::read_to_string(&nested).ok().as_deref(), Some(text));
}

#[test]
fn exact_scripts_read_back() {
    let file = own_file("scalar.py", b"# exact script\nR.prim_value(T.int32(4))\n");
    expect![[r#"
        # exact script
        R.prim_value(T.int32(4))
        [exit code 0]
    "#]]
    .assert_eq(&objir(&["print", "--exact", &file]).show());
}

/// `fmt --write` keeps a file that is not a script.
#[test]
fn formatting_loses_nothing() {
    let packed = own_file("packed.json.gz", &fs::read(root().join("fixtures/mlp.json.gz")).expect("the fixture"));
    expect![[r#"
        objir: TMP/packed.json.gz: `fmt --write` writes scripts, and this file is not a plain script; use `print`
        [exit code 2]
    "#]]
    .assert_eq(&hidden(&objir(&["fmt", "--write", &packed]).show()));
    assert_eq!(objir(&["hash", &packed]).code, Some(0));
}
