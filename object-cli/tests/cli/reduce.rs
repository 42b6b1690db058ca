//! `objir reduce`: commands of a shell as compilers that fail.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::json;

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
    let cases: [(&str, &[&str], &str); 6] = [
        (
            "missing",
            &["--test", "no-such-compiler {}"],
            "a command that the shell can run, but it ends with exit code 127: ",
        ),
        (
            "no_program",
            &["--test", "/etc/passwd"],
            "a command that the shell can run, but it ends with exit code 126: ",
        ),
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

#[test]
fn files_without_a_program_are_errors() {
    let cases: [(&str, &[u8]); 4] = [
        ("empty.json", b""),
        ("empty.py", b""),
        ("text.json", b"not JSON"),
        ("cut.json", b"{\"root_index\":1,\"nodes\":["),
    ];
    for (name, content) in cases {
        let file = own_file(&format!("reduce_{name}"), content);
        let run = objir(&["reduce", &file, "--test", "true"]);
        assert_eq!(run.code, Some(2), "{name}: {}", run.show());
        assert!(run.stdout.is_empty() && run.stderr.contains(&file), "{name}: {}", run.show());
    }
}

/// A candidate for which the command never ends counts as one without the failure.
#[test]
fn endless_runs_end_at_the_limit_of_time() {
    let run = reduced("endless", &["--test", "grep -q R.exp {} || sleep 1000; grep -q R.tanh {}", "--timeout", "1"]);
    assert_eq!(run.code, Some(0), "{}", run.show());
    assert!(run.stdout.contains("R.exp") && run.stdout.contains("R.tanh"), "{}", run.show());
}

/// The command compiles wrongly, and `run --compare` says so by its exit code: 1 for another result, and not 2 or 3.
#[test]
fn wrong_results_are_a_condition() {
    let objir = program().get_program().to_string_lossy().into_owned();
    let command = format!("sed s/R.tanh/R.sin/ {{}} > {{}}.out.py && {objir} run --compare {{}} {{}}.out.py");
    let run = reduced("compare", &["--test", &command]);
    assert_eq!(run.code, Some(0), "{}", run.show());
    assert_eq!(values(&run.stdout), ["R.tanh(h)"], "{}", run.show());
    assert!(run.stderr.contains("the command ends with exit code 1"), "{}", run.show());
}

/// A language of a schema has no types of Rust, so reflection alone finds its parts.
#[test]
fn languages_of_a_schema_are_reduced() {
    let schema = r#"{"format":"object-schema","version":1,"types":[
        {"key":"calc.Call","kind":"tree","fields":[{"name":"op","type":"ffi.String"},{"name":"args","type":"ffi.Array<Any>"}]}]}"#;
    let schema = own_file("reduce_calc.schema.json", schema.as_bytes());
    // Calls inside of each other, each with numbers: op0(0, op1(1, ...)).
    let mut nodes = vec![json!({"type": "None"}), json!({"type": "ffi.Array", "data": []})];
    for level in (0..20).rev() {
        let inner = nodes.len() - 1;
        nodes.push(json!({"type": "int", "data": level}));
        nodes.push(json!({"type": "ffi.String", "data": format!("op{level}")}));
        nodes.push(json!({"type": "ffi.Array", "data": [inner + 1, inner + 1, inner]}));
        nodes.push(json!({"type": "calc.Call", "data": {"op": inner + 2, "args": inner + 3}}));
    }
    let graph = json!({"root_index": nodes.len() - 1, "nodes": nodes}).to_string();
    let file = own_file("reduce_calc.json", graph.as_bytes());
    let out = own_file("reduce_calc_out.json", b"");
    let test = "grep -q op7 {} && grep -q op13 {}";
    let run = objir(&["reduce", &file, "--schema", &schema, "--test", test, "--out", &out, "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.show());
    let summary = run.json();
    assert_eq!(summary["finished"], true, "{}", run.show());
    assert!(summary["after"]["objects"].as_u64() < Some(8), "{}", run.show());
    let text = fs::read_to_string(out).expect("the smallest value");
    assert!(text.contains("op7") && text.contains("op13") && !text.contains("op0"), "{text}");
}

/// Ctrl-C while a command runs ends the command, and writes the smallest program so far.
#[cfg(unix)]
#[test]
fn ctrl_c_writes_the_smallest_program_so_far() {
    // The command is quick on programs with `helper`, and hangs on others.
    let test = "grep -q R.tanh {} || exit 1; grep -q 'def helper' {} || { touch FLAG; sleep 1000; }";
    let flag = own_file("reduce_interrupted_flag", b"");
    fs::remove_file(&flag).expect("the flag is there");
    let file = own_file("reduce_interrupted.py", SCRIPT.as_bytes());
    let mut child =
        crate::harness::command(&["reduce", &file, "--test", &test.replace("FLAG", &flag)]).spawn().expect("objir");
    while !Path::new(&flag).exists() {
        assert!(child.try_wait().expect("a process").is_none(), "the command hangs");
        thread::sleep(Duration::from_millis(10));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    let output = child.wait_with_output().expect("the results");
    let [stdout, stderr] = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(stdout.contains("R.tanh") && stdout.contains("def helper"), "{stdout}");
    assert!(stderr.contains("and then Ctrl-C; this is the smallest program so far"), "{stderr}");
}

/// The program `script` runs a command on a terminal.
#[cfg(unix)]
#[test]
fn progress_is_shown_on_a_terminal_alone() {
    let file = own_file("reduce_progress.py", SCRIPT.as_bytes());
    let objir = program().get_program().to_string_lossy().into_owned();
    let line = format!("{objir} reduce {file} --test 'sleep 0.2; grep -q R.tanh {{}}' --max-runs 8");
    let Ok(output) = Command::new("script").args(["-qec", &line, "/dev/null"]).stdin(Stdio::null()).output() else {
        println!("skipped: the program `script` is not there");
        return;
    };
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.contains("3 runs, 7 bindings, 2 functions, "), "{shown}");
    let quiet = reduced("quiet", &["--test", "grep -q R.tanh {}", "--max-runs", "8"]);
    assert!(!quiet.stderr.contains("3 runs, 7 bindings"), "{}", quiet.show());
}
