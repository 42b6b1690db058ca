//! `objir fmt`: what it keeps, what it refuses, and its options.

use std::fs;

use expect_test::expect;

use crate::harness::{hidden, objir, own_file, root};
use crate::parse::SCRIPT;

#[test]
fn scripts_are_formatted() {
    let file = own_file("format.py", SCRIPT.as_bytes());
    expect![[r#"
        TMP/format.py: not formatted
        [exit code 1]
    "#]]
    .assert_eq(&hidden(&objir(&["fmt", "--check", &file]).show()));
    expect![[r#"
        @R.function
        def f(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
            y: R.Tensor((2, 3), dtype="float32") = R.add(x, x)
            return y
        [exit code 0]
    "#]]
    .assert_eq(&hidden(&objir(&["fmt", &file]).show()));
    assert_eq!(objir(&["fmt", "--write", &file]).show(), "[exit code 0]\n");
    assert_eq!(objir(&["fmt", "--check", &file]).show(), "[exit code 0]\n");
}

#[test]
fn formatting_keeps_comments() {
    let commented = own_file("commented.py", format!("# a sum\n{SCRIPT}# the end\n").as_bytes());
    assert_eq!(objir(&["fmt", "--write", &commented]).show(), "[exit code 0]\n");
    expect![[r##"
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

/// A file of Python with a script, the line ends of Windows and the mark of its encoding.
const FILE: &str = "\u{feff}from tvm.script import relax as R\r\n\r\nN  = 16\r\n\r\n@R.function\r\n\
    def f(x: R.Tensor((2,), 'float32')):\r\n    '''Twice.'''\r\n    return R.add( x,x )\r\n\r\nprint( f )";

#[test]
fn line_ends_and_other_statements_stay() {
    let file = own_file("crlf.py", FILE.as_bytes());
    assert_eq!(objir(&["fmt", "--write", &file]).show(), "[exit code 0]\n");
    let text = fs::read_to_string(&file).expect("the file");
    expect![[r#"
        "\u{feff}from tvm.script import relax as R\r\n\r\nN  = 16\r\n\r\n@R.function\r\ndef f(x: R.Tensor((2,), dtype=\"float32\")) -> R.Tensor((2,), dtype=\"float32\"):\r\n    '''Twice.'''\r\n    gv: R.Tensor((2,), dtype=\"float32\") = R.add(x, x)\r\n    return gv\r\n\r\nprint( f )"
    "#]].assert_debug_eq(&text);
    assert_eq!(objir(&["fmt", "--check", &file]).show(), "[exit code 0]\n");
}

#[test]
fn differences_are_shown() {
    let text =
        format!("from tvm.script import relax as R\n\n\nN  = 16\nM=1\n{SCRIPT}print( f )\nprint( f )\n\n# the end\n");
    let file = own_file("diff.py", text.as_bytes());
    expect![[r#"
        --- TMP/diff.py
        +++ TMP/diff.py
        @@ -4,8 +4,8 @@
         N  = 16
         M=1
         @R.function
        -def f(x: R.Tensor((2,  3), 'float32')):
        -    y = R.add( x, x )
        +def f(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        +    y: R.Tensor((2, 3), dtype="float32") = R.add(x, x)
             return y
         print( f )
         print( f )
        [exit code 1]
    "#]]
    .assert_eq(&hidden(&objir(&["fmt", "--diff", &file]).show()));
    expect![[r#"
        {"file":"TMP/diff.py","diff":"--- TMP/diff.py\n+++ TMP/diff.py\n@@ -4,8 +4,8 @@\n N  = 16\n M=1\n @R.function\n-def f(x: R.Tensor((2,  3), 'float32')):\n-    y = R.add( x, x )\n+def f(x: R.Tensor((2, 3), dtype=\"float32\")) -> R.Tensor((2, 3), dtype=\"float32\"):\n+    y: R.Tensor((2, 3), dtype=\"float32\") = R.add(x, x)\n     return y\n print( f )\n print( f )\n"}
        [exit code 1]
    "#]].assert_eq(&hidden(&objir(&["--json", "fmt", "--diff", &file]).show()));
    assert_eq!(fs::read_to_string(&file).ok().as_deref(), Some(&*text));
    objir(&["fmt", "--write", &file]);
    assert_eq!(objir(&["fmt", "--diff", &file]).show(), "[exit code 0]\n");
}

/// A folder with a file for each outcome.
#[test]
fn a_broken_file_does_not_end_the_others() {
    let folder = own_file("fmt_folder.txt", b"").replace(".txt", "");
    fs::create_dir_all(&folder).expect("the folder can be made");
    let broken = "def f(:\n";
    let constant =
        "from tvm.script import relax as R\nN = 2\n\n@R.function\ndef f(x: R.Tensor((N,), 'float32')):\n    return x\n";
    let files = [("a", broken), ("b", SCRIPT), ("c", constant), ("d", SCRIPT), ("e", "import  os\n")];
    for (name, text) in files {
        fs::write(format!("{folder}/{name}.py"), text).expect("the file can be written");
    }
    expect![[r#"
        objir: TMP/fmt_folder/a.py: the script has 2 errors

        error: Expected a parameter or the end of the parameter list
         --> TMP/fmt_folder/a.py:1:7
          |
        1 | def f(:
          |       ^

        error: unexpected EOF while parsing
         --> TMP/fmt_folder/a.py:2:1
          |
        2 |
          | ^
        objir: TMP/fmt_folder/c.py: the script has 1 error

        error: formatting loses the name `N`, which the printer does not write
         --> TMP/fmt_folder/c.py:5:20
          |
        5 | def f(x: R.Tensor((N,), 'float32')):
          |                    ^
          |
          = help: write what the printer writes for `N`, which `objir print` shows
        objir: a file with an error stays as it is; the other files are formatted
        [exit code 2]
    "#]]
    .assert_eq(&hidden(&objir(&["fmt", "--write", &folder]).show()));
    for (name, text) in files {
        let after = fs::read_to_string(format!("{folder}/{name}.py")).expect("the file");
        assert_eq!(after == text, text != SCRIPT, "{name}: {after}");
    }
}

/// The text of values that types repeat has a bound.
#[test]
fn a_text_that_grows_too_much_is_refused() {
    let mut text = "@R.function\ndef main(x: R.Tensor((4,), 'float32')):\n    t0 = (x, x)\n".to_owned();
    for number in 1..14 {
        text += &format!("    t{number} = (t{0}, t{0})\n", number - 1);
    }
    let file = own_file("grows.py", format!("{text}    return x\n").as_bytes());
    expect![[r#"
        objir: TMP/grows.py: the script has 1 error

        error: formatting makes more than 70528 bytes of the 312 bytes of `main`, because the printer writes a shared value or type once for each use
         --> TMP/grows.py:2:5
          |
        2 | def main(x: R.Tensor((4,), 'float32')):
          |     ^^^^
        [exit code 2]
    "#]].assert_eq(&hidden(&objir(&["fmt", &file]).show()));
}
