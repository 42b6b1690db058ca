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
    let small = objir(&["run", MLP, "--max-memory", "1000", "--max-bytes", "1M", "--max-nodes", "10000"]);
    assert!(small.stderr.contains("the limit `max_memory` is 1000 bytes"), "{}", small.stderr);
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
    let absent = objir(&["run", "--compare", MLP, "fixtures/constants.json.gz"]);
    assert_eq!((absent.code, absent.stdout.as_str()), (Some(2), ""), "{}", absent.show());
    assert!(absent.stderr.contains("constants.json.gz: the module has no function `main`"), "{}", absent.show());
    let alone = objir(&["run", "--compare", MLP]);
    assert_eq!(alone.code, Some(2), "{}", alone.show());
}

/// The path of a module whose function `main` has these parameters and bindings, and returns `y`.
fn module(name: &str, parameters: &str, bindings: &[&str]) -> String {
    let lines: String = bindings.iter().map(|line| format!("        {line}\n")).collect();
    let head = "@I.ir_module\nclass Module:\n    @R.function\n";
    own_file(name, format!("{head}    def main({parameters}):\n{lines}        return y\n").as_bytes())
}

/// A vector of symbolic length.
const VECTOR: &str = "x: R.Tensor((\"n\",), \"float32\")";

/// Both results are NaN for numbers from -1 to 1, and `d` differs: `y` is the difference of infinities.
#[test]
fn overflow_does_not_hide_a_difference() {
    let grow = |middle: &str| {
        let scale = "R.const(1e6, 'float32')";
        let a = format!("a = R.multiply(x, {scale})");
        let d = format!("d = {middle}");
        let e = "e = R.multiply(c, d)";
        [
            a,
            "b = R.multiply(a, a)".into(),
            "c = R.multiply(b, b)".into(),
            d,
            e.into(),
            "y = R.subtract(R.multiply(e, e), R.multiply(d, e))".into(),
        ]
    };
    let file = |name: &str, middle: &str| {
        let lines = grow(middle);
        module(name, VECTOR, &lines.each_ref().map(String::as_str))
    };
    let (first, second) = (file("overflow_a.py", "R.add(c, c)"), file("overflow_b.py", "R.negative(c)"));
    let run = objir(&["run", "--compare", &first, &second]);
    assert_eq!((run.code, run.is_quiet()), (Some(1), true), "{}", run.show());
    assert!(run.stdout.contains("the first variable that differs: main.d = relax.negative"), "{}", run.stdout);
    assert!(!run.stdout.contains("NaN") && !run.stdout.contains("inf"), "the values are finite: {}", run.stdout);
    assert_eq!(run.stdout, objir(&["run", "--compare", &first, &second]).stdout, "the search is deterministic");
    let same = objir(&["run", "--compare", &first, &first]);
    assert_eq!(same.code, Some(0), "{}", same.show());
    assert!(same.stdout.contains("3 of 3 trials: same"), "{}", same.stdout);
    // With given numbers there is nothing to search.
    let hidden = objir(&["run", "--compare", &first, &second, "--arg", "x=[1e6, 1e6]"]);
    assert_eq!((hidden.code, hidden.is_quiet()), (Some(3), true), "{}", hidden.show());
    assert!(hidden.stdout.starts_with("inconclusive: 2 of 2 elements are NaN or infinite"), "{}", hidden.stdout);
    assert!(
        hidden.stdout.contains("the first variable with NaN or infinity: main.c = relax.multiply"),
        "{}",
        hidden.stdout
    );
    let json = objir(&["run", "--compare", &first, &second, "--arg", "x=[1e6, 1e6]", "--json"]).json();
    assert_eq!((json["verdict"].as_str(), json["same"].as_bool()), (Some("inconclusive"), Some(false)), "{json}");
    assert_eq!(json["non_finite"].as_u64(), Some(2), "{json}");
}

/// A comparison means nothing if both runs fail, or if both results vanish although a variable differs.
#[test]
fn runs_that_do_not_tell_are_inconclusive() {
    let cast = module("cast.py", VECTOR, &["y = R.match_cast(x, R.Tensor((9,), \"float32\"))"]);
    let run = objir(&["run", "--compare", &cast, &cast]);
    assert_eq!((run.code, run.is_quiet()), (Some(3), true), "{}", run.show());
    assert!(run.stdout.starts_with("inconclusive: both runs fail: the error in `main` at `y`"), "{}", run.stdout);
    let run = objir(&["run", "--compare", &cast, &cast, "--dims", "n=4,9"]);
    assert_eq!(run.code, Some(0), "one size gets to the end: {}", run.show());
    assert!(run.stdout.contains("n = 9; 3 of 6 trials: same"), "{}", run.stdout);
    let tiny = |name: &str, factor: &str| {
        let a = format!("a = R.multiply(x, R.const({factor}, 'float32'))");
        module(name, VECTOR, &[&a, "y = R.multiply(a, R.const(1e-9, 'float32'))"])
    };
    let run = objir(&["run", "--compare", &tiny("tiny_a.py", "1.0"), &tiny("tiny_b.py", "-1.0")]);
    assert_eq!(run.code, Some(3), "{}", run.show());
    assert!(run.stdout.starts_with("inconclusive: all elements of both results are smaller"), "{}", run.stdout);
}

#[test]
fn a_variable_that_differs_is_explained_if_the_results_are_the_same() {
    let file = |name: &str, value: &str| module(name, VECTOR, &[&format!("a = {value}"), "y = R.add(x, x)"]);
    let run = objir(&["run", "--compare", &file("dead_a.py", "R.exp(x)"), &file("dead_b.py", "R.abs(x)")]);
    assert_eq!(run.code, Some(0), "{}", run.show());
    assert!(run.stdout.contains("main.a = relax.abs: element"), "{}", run.stdout);
    assert!(run.stdout.contains("It does not change the results"), "{}", run.stdout);
}

/// Random arguments are positive under logarithms and roots, other than 0 under divisions, and within the data as indices.
#[test]
fn arguments_are_in_the_domains_of_operators() {
    let parameters =
        "x: R.Tensor((3, \"n\"), \"float32\"), i: R.Tensor((50,), \"int64\"), k: R.Tensor((50,), \"int64\")";
    let lines = [
        "t = R.permute_dims(x)",
        "a = R.add(R.log(x), R.rsqrt(x))",
        "b = R.take(R.sqrt(t), i, axis=1)",
        "c = R.floor_divide(R.const(7, 'int64'), k)",
        "y = (a, b, c)",
    ];
    let path = module("domains.py", parameters, &lines);
    let run = objir(&["run", "--compare", &path, &path, "--seeds", "5"]);
    assert_eq!(run.code, Some(0), "{}", run.show());
    assert!(run.stdout.contains("numbers from -1.0 to 1.0, n = 4; 5 of 5 trials: same"), "{}", run.stdout);
    let unsuited = module("unsuited.py", VECTOR, &["y = R.log(R.subtract(x, R.const(2.0, 'float32')))"]);
    let run = objir(&["run", "--compare", &unsuited, &unsuited]);
    assert_eq!(run.code, Some(3), "no range of the search helps: {}", run.show());
}

#[test]
fn a_comparison_runs_with_several_seeds_and_sizes() {
    // The modules differ for sizes above 4 only.
    let take = |name: &str, end: &str| {
        let slice = format!("y = R.strided_slice(x, axes=[0], begin=[0], end=[{end}])");
        module(name, VECTOR, &[&slice])
    };
    let (first, second) = (take("slice_a.py", "4"), take("slice_b.py", "5"));
    assert_eq!(objir(&["run", "--compare", &first, &second, "--seeds", "2"]).code, Some(0));
    let run = objir(&["run", "--compare", &first, &second, "--json"]);
    assert_eq!(run.code, Some(1), "{}", run.show());
    let json = run.json();
    let trials = json["trials"].as_array().expect("a list");
    let sizes: Vec<_> = trials.iter().map(|trial| (trial["seed"].as_u64(), trial["dims"]["n"].as_i64())).collect();
    assert_eq!(sizes, [(Some(0), Some(4)), (Some(1), Some(1)), (Some(2), Some(7))], "{json}");
    assert_eq!(objir(&["run", "--compare", &first, &second, "--dims", "n=1,2"]).code, Some(0));
    assert_eq!(objir(&["run", "--compare", &first, &second, "--dims", "n=1,9", "--seeds", "1"]).code, Some(1));
    assert_eq!(objir(&["run", "--compare", &first, &second, "--dim", "n=6"]).code, Some(1));
    let given = objir(&["run", "--compare", &first, &second, "--arg", "x=[1, 2, 3, 4, 5]"]);
    assert!(given.code == Some(1) && given.stdout.contains("1 of 1 trials"), "{}", given.show());
    for args in [["--dims", "m=1"], ["--dims", "n=x"], ["--seeds", "0"], ["--seeds", "100000"]] {
        let run = objir(&[&["run", "--compare", &first, &second][..], &args].concat());
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}: {}", run.show());
    }
    let twice = objir(&["run", "--compare", &first, &second, "--dims", "n=1", "--dim", "n=2"]);
    assert!(twice.stderr.contains("the sizes of `n` are given twice"), "{}", twice.show());
}

#[test]
fn a_comparison_that_cannot_run_is_an_error() {
    let path = module("squares.py", VECTOR, &["y = R.multiply(x, x)"]);
    let run = objir(&["run", "--compare", &path, &path, "--max-steps", "1"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.show());
    let json = objir(&["run", "--compare", &path, &path, "--func", "absent", "--json"]);
    assert_eq!((json.code, json.json()["verdict"].as_str()), (Some(2), Some("error")), "{}", json.show());
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
