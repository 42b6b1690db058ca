//! `objir rewrite --explain`: the sites of rules, and the reasons why a rule does not apply.

use crate::harness::{Run, objir, own_file};

const HEAD: &str = "from tvm.script import ir as I, relax as R, tir as T\n\n@I.ir_module\nclass Module:\n";

/// A function of two matrices.
fn function(name: &str, dtype: &str, body: &str) -> String {
    let tensor = |name: &str| format!("{name}: R.Tensor((3, 3), \"{dtype}\")");
    let lines: String = body.lines().map(|line| format!("        {}\n", line.trim_start_matches('|'))).collect();
    format!("    @R.function\n    def {name}({}, {}):\n{lines}\n", tensor("x"), tensor("w"))
}

/// Rewrites the program whose function `main` has this body by the rule with this pattern.
fn explained(name: &str, pattern: &str, main: &str) -> Run {
    let replacement = "v = R.call_pure_packed(\"f\", x, w, sinfo_args=R.Tensor((3, 3), \"float32\"))\nreturn v";
    let rule =
        [HEAD, &function("pattern", "float32", pattern), &function("replacement", "float32", replacement)].concat();
    let rule = own_file(&format!("explain_{name}_rule.py"), rule.as_bytes());
    let program = [HEAD, &function("main", "float32", main)].concat();
    let program = own_file(&format!("explain_{name}.py"), program.as_bytes());
    let out = own_file(&format!("explain_{name}.json"), b"");
    objir(&["rewrite", &program, "--rules", &rule, "--explain", "-o", &out])
}

#[test]
fn the_nearest_miss_has_a_reason() {
    let nested = "return R.matmul(x, R.permute_dims(w))";
    let cases = [
        (
            "argument",
            nested,
            "y = R.matmul(x, w)\nreturn y",
            "`y`: argument 1 of `R.matmul`: expected `R.permute_dims`, got `w`, which",
        ),
        (
            "operator",
            nested,
            "t = R.exp(w)\ny = R.matmul(x, t)\nreturn y",
            "`y`, in the value of `t`: expected `R.permute_dims`, got `R.exp`",
        ),
        (
            "attribute",
            "return R.add(x, R.nn.softmax(w, axis=0))",
            "s = R.nn.softmax(w, axis=1)\ny = R.add(x, s)\nreturn y",
            "`y`, in the value of `s`: attribute `axis` of `R.nn.softmax`: expected 0, got 1",
        ),
        (
            "twice",
            "return R.add(R.multiply(x, w), x)",
            "m = R.multiply(x, w)\ny = R.add(m, w)\nreturn y",
            "`y`: argument 1 of `R.add`: parameter `x`: expected `x` as before, got `w`",
        ),
        (
            "type",
            "return R.add(x, w)",
            "a = R.astype(x, \"float16\")\nb = R.astype(w, \"float16\")\ny = R.add(a, b)\nreturn y",
            "`y`: parameter `x`: expected Tensor((3, 3), float32), got Tensor((3, 3), float16)",
        ),
        (
            "block",
            "return R.add(x, R.exp(w))",
            "with R.dataflow():\n|    a = R.tanh(w)\n|    e = R.exp(a)\n|    R.output(e)\nz = R.tanh(x)\nwith R.dataflow():\n\
             |    y = R.add(x, e)\n|    R.output(y)\nreturn y",
            "`y`: argument 1 of `R.add`: expected `R.exp`, got `e`, whose value uses variables of another dataflow block",
        ),
    ];
    for (name, pattern, main, expected) in cases {
        let run = explained(name, pattern, main);
        assert_eq!(run.code, Some(0), "{name}: {}", run.show());
        assert!(run.stdout.starts_with("unchanged: "), "{name}: {}", run.show());
        let expected = format!("_rule.py: 0 sites\n  nearest miss: `main`: {expected}");
        assert!(run.stderr.contains(&expected), "{name}: {}", run.show());
    }
}

#[test]
fn a_program_without_a_part_of_the_pattern() {
    let run = explained("nothing", "return R.add(x, w)", "y = R.multiply(x, w)\nreturn y");
    assert!(run.stderr.ends_with("0 sites\n  no binding has a part of the pattern\n"), "{}", run.show());
}

#[test]
fn sites_are_listed() {
    let run = explained("sites", "return R.add(x, w)", "y = R.add(x, w)\nz = R.add(y, w)\nreturn z");
    assert!(run.stdout.starts_with("rewritten: "), "{}", run.show());
    assert!(run.stderr.ends_with("_rule.py: 2 sites\n  `main`: `y`\n  `main`: `z`\n"), "{}", run.show());
}
