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

/// `fmt --write` keeps a file that would lose something.
#[test]
fn formatting_loses_nothing() {
    let commented = own_file("commented.py", format!("{SCRIPT}# the end\n").as_bytes());
    expect![[r#"
        objir: TMP/commented.py: `fmt --write` keeps no comments, such as `# the end`; remove them first
        [exit code 2]
    "#]]
    .assert_eq(&hidden(&objir(&["fmt", "--write", &commented]).show()));
    assert!(fs::read_to_string(&commented).is_ok_and(|text| text.ends_with("# the end\n")));

    let packed = own_file("packed.json.gz", &fs::read(root().join("fixtures/mlp.json.gz")).expect("the fixture"));
    expect![[r#"
        objir: TMP/packed.json.gz: `fmt --write` writes scripts, and this file is not a plain script; use `print`
        [exit code 2]
    "#]]
    .assert_eq(&hidden(&objir(&["fmt", "--write", &packed]).show()));
    assert_eq!(objir(&["hash", &packed]).code, Some(0));
}
