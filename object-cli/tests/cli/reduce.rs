//! `objir reduce`: commands of a shell as compilers that fail.

use std::fs;

use crate::harness::{Run, objir, own_file, program};

const SCRIPT: &str = r#"from tvm.script import ir as I, relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def helper(x: R.Tensor((8, 16), "float32")) -> R.Tensor((8, 16), "float32"):
        with R.dataflow():
            a = R.exp(x)
            b = R.nn.relu(a)
            R.output(b)
        return b

    @R.function
    def main(x: R.Tensor((8, 16), "float32"), w: R.Tensor((16, 16), "float32")) -> R.Tensor((8, 16), "float32"):
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            a = R.exp(x)
            m = R.matmul(a, w)
            h = cls.helper(m)
            c = R.tanh(h)
            d = R.add(c, m)
            R.output(d)
        return d
"#;

/// The run of `objir reduce` on the script, in a file of its own.
fn reduced(name: &str, options: &[&str]) -> Run {
    let file = own_file(&format!("reduce_{name}.py"), SCRIPT.as_bytes());
    objir(&[&["reduce", &file], options].concat())
}

/// The bodies of the functions in a script, without structural information.
fn values(script: &str) -> Vec<&str> {
    script.lines().filter_map(|line| Some(line.split_once(" = ")?.1)).collect()
}

#[test]
fn programs_end_at_the_bindings_that_the_command_needs() {
    // The name, the command, other options, and the values of the bindings that stay.
    let cases: [(&str, &str, &[&str], &[&str]); 6] = [
        ("tanh", "grep -q R.tanh {}", &[], &["R.tanh(h)"]),
        ("path_at_the_end", "grep -q R.nn.relu", &[], &["R.nn.relu(a)"]),
        ("parallel", "grep -q R.tanh {}", &["--jobs", "3"], &["R.tanh(h)"]),
        ("negative", "! grep -q R.tanh {}", &["--timeout", "50"], &["R.tanh(h)"]),
        ("text", "grep -n R.matmul {}; exit 3", &["--match", "R.matmul(a, w"], &["R.matmul(a, w, out_dtype=\"void\")"]),
        ("text_on_stderr", "cat {} >&2; exit 3", &["--match", "R.add"], &["R.add(c, m)"]),
    ];
    for (name, command, options, expected) in cases {
        let run = reduced(name, &[&["--test", command], options].concat());
        assert_eq!(run.code, Some(0), "{name}: {}", run.show());
        assert_eq!(values(&run.stdout), expected, "{name}: {}", run.show());
        assert!(!run.stdout.contains("num_input") && !run.stdout.contains("16"), "{name}: {}", run.show());
    }
}

#[test]
fn commands_that_do_not_decide_are_errors() {
    let file = own_file("reduce_counter", b"");
    let alternates = format!("echo >> {file}; exit $(( $(wc -l < {file}) % 2 ))");
    let cases: [(&str, &[&str], &str); 4] = [
        ("flaky", &["--test", &alternates], "ends with exit code 1, and then ends with exit code 0"),
        ("no_text", &["--test", "true {}", "--match", "Segmentation"], "without the text of `--match`"),
        ("slow", &["--test", "sleep 20; true", "--timeout", "0"], "takes longer than `--timeout`"),
        ("layout", &["--test", "grep -q 'ir as I, relax as R' {}"], "as `objir` writes it"),
    ];
    for (name, options, expected) in cases {
        let run = reduced(name, options);
        assert_eq!(run.code, Some(2), "{name}: {}", run.show());
        assert!(run.stderr.contains(expected), "{name}: {}", run.show());
    }
}

#[test]
fn the_limit_of_runs_leaves_the_smallest_program_so_far() {
    let out = own_file("reduce_limited_out.py", b"");
    let run = reduced("limited", &["--test", "grep -q R.tanh {}", "--max-runs", "8", "--out", &out]);
    assert_eq!(run.code, Some(0), "{}", run.show());
    assert!(run.stdout.contains("8 runs, the most that `--max-runs` admits"), "{}", run.show());
    let script = fs::read_to_string(out).expect("the smallest program");
    assert!(script.contains("R.tanh") && !script.contains("def helper"), "{script}");
}

#[test]
fn graphs_of_each_version_stay_in_their_version() {
    let objir = program().get_program().to_string_lossy().into_owned();
    for version in ["0.25", "0.26", "0.27"] {
        let file = own_file(&format!("reduce_of_{version}.py"), SCRIPT.as_bytes());
        let graph = crate::harness::objir(&["parse", &file]);
        let graph = own_file(&format!("reduce_{version}.json"), graph.stdout.as_bytes());
        let graph = crate::harness::objir(&["convert", &graph, "--to", version]);
        let graph = own_file(&format!("reduce_{version}.json"), graph.stdout.as_bytes());
        let out = own_file(&format!("reduce_{version}_out.json"), b"");
        let command = format!("{objir} stats --tvm {version} {{}} && grep -q relax.tanh {{}}");
        let run = crate::harness::objir(&["reduce", &graph, "--test", &command, "--out", &out, "--json"]);
        assert_eq!(run.code, Some(0), "{version}: {}", run.show());
        let summary = run.json();
        assert_eq!((&summary["after"]["bindings"], &summary["finished"]), (&1.into(), &true.into()), "{}", run.show());
        let printed = crate::harness::objir(&["print", "--tvm", version, &out]);
        assert_eq!(values(&printed.stdout), ["R.tanh(h)"], "{}", printed.show());
    }
}

#[test]
fn violations_of_rules_stay() {
    let objir = program().get_program().to_string_lossy().into_owned();
    let line = "            d = R.add(c, m)\n";
    let wrong = "            e: R.Tensor((8, 16), \"float16\") = R.exp(d)\n";
    let script = SCRIPT.replace(line, &format!("{line}{wrong}"));
    let file = own_file("reduce_violation.py", script.as_bytes());
    let run = crate::harness::objir(&["reduce", &file, "--test", &format!("{objir} check {{}}")]);
    assert_eq!(run.code, Some(0), "{}", run.show());
    assert_eq!(values(&run.stdout).len(), 1, "{}", run.show());
}
