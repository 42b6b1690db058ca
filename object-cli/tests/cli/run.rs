//! `objir run`.

use crate::harness::{objir, own_file};

const MLP: &str = "fixtures/mlp.json.gz";

#[test]
fn random_arguments_depend_on_the_seed_alone() {
    let run = |seed: &str| objir(&["run", MLP, "--dim", "n=2", "--seed", seed]);
    let first = run("1");
    assert_eq!(first.code, Some(0), "{}", first.show());
    assert_eq!(first.stdout, run("1").stdout);
    assert_ne!(first.stdout, run("2").stdout);
    let rows = first.stdout.matches('[').count() - 1;
    assert_eq!(rows, 2, "the size of a symbolic dimension is given: {}", first.stdout);
}

#[test]
fn arguments_and_results_are_files_or_literals() {
    let path = own_file("result.npy", b"");
    let zeros = format!("[[{}]]", vec!["0"; 16].join(", "));
    let args = ["run", MLP, "--arg", &format!("x={zeros}"), "--out", &path];
    let first = objir(&args);
    assert_eq!(first.code, Some(0), "{}", first.show());
    // The result is a row of 8 probabilities.
    let file = std::fs::read(&path).expect("the result is written");
    assert!(file.starts_with(b"\x93NUMPY") && file.len() == 128 + 8 * 4, "{} bytes", file.len());
    let bad = objir(&["run", MLP, "--arg", &format!("x={path}")]);
    assert_eq!(bad.code, Some(2));
    assert!(bad.stderr.contains("parameter 0 (`x`) of `main` must match"), "{}", bad.stderr);
    assert!(bad.stderr.contains("dimension 1: expected 16, got 8"), "{}", bad.stderr);
}

#[test]
fn mistakes_name_the_choices() {
    let unknown = objir(&["run", MLP, "--func", "absent"]);
    assert!(
        unknown.stderr.contains("the module has no function `absent`; its entries are: main"),
        "{}",
        unknown.stderr
    );
    let unknown = objir(&["run", MLP, "--arg", "absent=1"]);
    assert!(unknown.stderr.contains("`main` has no parameter `absent`; its parameters are: x, w0, b0, w1, b1"));
    let misspelt = objir(&["run", MLP, "--dim", "m=1"]);
    assert_eq!(misspelt.code, Some(2), "{}", misspelt.show());
    let message = "the parameters of `main` have no symbolic dimension `m`; they have: n";
    assert!(misspelt.stderr.contains(message), "{}", misspelt.show());
    let malformed = objir(&["run", MLP, "--arg", "x=[[1], 2]"]);
    assert!(malformed.stderr.contains("argument `x`: expected lists of 1 members at level 1"), "{}", malformed.stderr);
    let small = objir(&["run", MLP, "--max-memory", "1000"]);
    assert!(small.stderr.contains("memory budget of 1000 bytes"), "{}", small.stderr);
}

#[test]
fn a_trace_lists_each_binding() {
    let run = objir(&["run", MLP, "--dim", "n=2", "--trace"]);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(lines.len(), 6, "{}", run.stderr);
    assert_eq!(lines[0], "main.h = relax.matmul: a tensor (2, 32) of type float32");
}

#[test]
fn a_profile_has_a_row_for_each_operator() {
    let run = objir(&["run", MLP, "--profile"]);
    let calls = |operator: &str| {
        let row = run.stderr.lines().find(|line| line.ends_with(operator)).unwrap_or_default();
        row.split_whitespace().nth(2).map(str::to_owned)
    };
    assert_eq!(calls(" relax.matmul").as_deref(), Some("2"), "{}", run.stderr);
    assert_eq!(calls(" relax.nn.softmax").as_deref(), Some("1"), "{}", run.stderr);
}

#[test]
fn a_comparison_names_the_first_difference() {
    let changed = "fixtures/mlp_changed.json.gz";
    let same = objir(&["run", "--compare", MLP, "fixtures/mlp_renamed.json.gz", "--seed", "3"]);
    assert_eq!((same.code, same.is_quiet()), (Some(0), true), "{}", same.show());
    let run = objir(&["run", "--compare", MLP, changed, "--seed", "3"]);
    assert_eq!((run.code, run.is_quiet()), (Some(1), true), "{}", run.show());
    assert!(run.stdout.starts_with("different: element [0, "), "{}", run.stdout);
    assert!(
        run.stdout.contains("the first variable that differs: main.a = relax.nn.gelu: element ["),
        "{}",
        run.stdout
    );
    let json = objir(&["run", "--compare", MLP, changed, "--seed", "3", "--json"]).json();
    assert_eq!((json["same"].as_bool(), json["variable"]["name"].as_str()), (Some(false), Some("main.a")), "{json}");
    let wide = objir(&["run", "--compare", MLP, changed, "--seed", "3", "--atol", "10"]);
    assert_eq!(wide.code, Some(0), "{}", wide.show());
    let failing = objir(&["run", "--compare", MLP, "fixtures/constants.json.gz"]);
    assert_eq!(failing.code, Some(1), "{}", failing.show());
    let alone = objir(&["run", "--compare", MLP]);
    assert_eq!(alone.code, Some(2), "{}", alone.show());
}

#[test]
fn an_error_shows_the_line_and_the_calls() {
    let text = r#"
from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @R.function(private=True)
    def inner(y: R.Tensor(("n",), "float32")) -> R.Tensor((5,), "float32"):
        n = T.int64()
        z: R.Tensor((5,), "float32") = R.match_cast(y, R.Tensor((5,), "float32"))
        return z

    @R.function
    def main(x: R.Tensor(("n",), "float32")) -> R.Tensor((5,), "float32"):
        n = T.int64()
        cls = Module
        r: R.Tensor((5,), "float32") = cls.inner(x)
        return r
"#;
    let path = own_file("fails.py", text.as_bytes());
    let run = objir(&["run", &path]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.show());
    for part in [
        "error: the value of the `MatchCast` to `z` must match",
        "dimension 0: expected 5, got 4",
        "functions[I.GlobalVar(\"inner\")].body.blocks[0].bindings[0]",
        ".bindings[0]:9:9\n",
        "z: R.Tensor((5,), \"float32\") = R.match_cast(y",
        "in `inner` at `z`",
        "called by `main` at `r`",
    ] {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
}
