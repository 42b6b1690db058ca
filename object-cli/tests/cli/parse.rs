//! `objir parse`, and scripts as input of other commands.

use expect_test::expect;

use crate::harness::{hidden, objir, own_file};

/// A script that is not as the printer writes it.
pub(crate) const SCRIPT: &str =
    "@R.function\ndef f(x: R.Tensor((2,  3), 'float32')):\n    y = R.add( x, x )\n    return y\n";

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
fn exact_scripts_read_back() {
    let file = own_file("scalar.py", b"# exact script\nR.prim_value(T.int32(4))\n");
    expect![[r#"
        # exact script
        R.prim_value(T.int32(4))
        [exit code 0]
    "#]]
    .assert_eq(&objir(&["print", "--exact", &file]).show());
}
