//! `objir trace`, `objir bisect` and `objir diff --of-diffs`: records of pipelines with and without faults.

use object_core::Result;
use object_core::prelude::*;
use object_core::trace::{PassManager, Trace};
use object_ir::ir::IRModule;
use object_ir::tvm::TvmVersion;
use object_relax::transform::{BindingRule, BindingRules, ModuleTransform, TransformOptions};
use object_script::parse::parse;
use serde_json::{Value, json};

use crate::harness::{Run, objir, own_file};
use crate::page::{assert_layout, own_page, run_in_browser};

/// The sound passes around a wrong one.
const BEFORE: [&str; 2] = ["CanonicalizeBindings", "EliminateCommonSubexpr"];
const AFTER: [&str; 2] = ["DeadCodeElimination", "TopologicalSort"];

const HELPER: &str = "    @R.function(private=True)
    def helper(a: R.Tensor((3, 3), \"float32\")) -> R.Tensor((3, 3), \"float32\"):
        return a

";

/// A program with one binding for each value.
fn script_of(values: &[&str]) -> String {
    let mut text = String::from(
        "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Module:\n    @R.function\n    \
         def main(a: R.Tensor((3, 3), \"float32\"), b: R.Tensor((3, 3), \"float32\")):\n        with R.dataflow():\n",
    );
    for (index, value) in values.iter().enumerate() {
        text.push_str(&format!("            v{index} = {value}\n"));
    }
    let names: Vec<_> = (0..values.len()).map(|index| format!("v{index}")).collect();
    text + &format!("            r = ({},)\n            R.output(r)\n        return r\n", names.join(", "))
}

fn module(text: &str) -> Result<IRModule> {
    parse(text).map_err(Error::from)?.cast()
}

/// A module whose `main` calls `helper`.
fn module_with_helper() -> Result<IRModule> {
    let script = script_of(&["Module.helper(a)"]);
    module(&script.replace("    @R.function", &format!("{HELPER}    @R.function")))
}

/// The module without `helper`, whose call stays.
fn without_helper(module: &IRModule) -> IRModule {
    let mut module = module.clone();
    let node = module.make_mut();
    node.functions = node.functions.iter().filter(|(var, _)| var.name_hint != "helper").collect();
    node.global_var_map = node.global_var_map.iter().filter(|(name, _)| name != "helper").collect();
    module
}

/// A rule from one value of `a` and `b` to another one.
fn rule(pattern: &str, replacement: &str) -> Result<BindingRule> {
    let b = if pattern.contains(", b)") { ", b: R.Tensor((3, 3), \"float32\")" } else { "" };
    let function = |name: &str, value: &str| {
        format!(
            "    @R.function\n    def {name}(a: R.Tensor((3, 3), \"float32\"){b}):\n        \
             with R.dataflow():\n            v = {value}\n            R.output(v)\n        return v\n\n"
        )
    };
    let head = "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Module:\n";
    BindingRule::from_module(&module(
        &[head, &function("pattern", pattern), &function("replacement", replacement)].concat(),
    )?)
}

/// The trace of sound passes and one that applies a rule once.
fn trace_of(script: &str, rule: &BindingRule) -> Result<Trace> {
    let sound = |manager: PassManager<'static, IRModule>, name: &'static str| {
        let transform = ModuleTransform::find(name).expect("the transform is there");
        manager.pass(name, move |module: &IRModule| transform.run(module, TransformOptions::default()))
    };
    let manager = BEFORE.into_iter().fold(PassManager::new(), sound);
    let rules = BindingRules::new().max_steps(1_000_000).rule(rule.clone());
    // A rule such as `b - a` for `a - b` applies to its own result, so the pass may stop at its limit.
    let manager = manager.pass("Wrong", move |module: &IRModule| rules.run(module));
    let (result, trace) = AFTER.into_iter().fold(manager, sound).trace(&module(script)?, "TVM 0.25.0");
    result.map(|_| trace)
}

fn file_of(name: &str, trace: &Trace) -> Result<String> {
    Ok(own_file(name, TvmVersion::V0_25.to_json(&trace.clone().into())?.as_bytes()))
}

#[test]
fn bisect_names_each_of_twenty_injected_miscompilations() -> Result<()> {
    let wrong = [
        ("R.add(a, b)", "R.subtract(a, b)"),
        ("R.subtract(a, b)", "R.add(a, b)"),
        ("R.multiply(a, b)", "R.add(b, b)"),
        ("R.divide(a, b)", "R.multiply(a, b)"),
        ("R.maximum(a, b)", "R.minimum(a, b)"),
        ("R.minimum(a, b)", "R.add(a, a)"),
        ("R.matmul(a, b)", "R.multiply(a, b)"),
        ("R.permute_dims(a)", "R.abs(a)"),
        ("R.exp(a)", "R.sigmoid(a)"),
        ("R.nn.relu(a)", "R.abs(a)"),
        ("R.nn.silu(a)", "R.nn.relu(a)"),
        ("R.nn.softmax(a, axis=-1)", "R.nn.softmax(a, axis=0)"),
        ("R.tanh(a)", "R.sin(a)"),
        ("R.nn.gelu(a)", "R.nn.silu(a)"),
        ("R.negative(a)", "R.abs(a)"),
        ("R.floor(a)", "R.ceil(a)"),
        ("R.cumsum(a, axis=0)", "R.cumsum(a, axis=1)"),
        ("R.flip(a, axis=0)", "R.flip(a, axis=1)"),
        ("R.clip(a, 0, 1)", "R.clip(a, -1, 1)"),
        ("R.sign(a)", "R.cos(a)"),
    ];
    let script = script_of(&wrong.map(|(pattern, _)| pattern));
    for (index, (pattern, replacement)) in wrong.into_iter().enumerate() {
        let trace = trace_of(&script, &rule(pattern, replacement)?)?;
        let run = objir(&["bisect", &file_of(&format!("miscompiled_{index}.json"), &trace)?, "--compare"]);
        assert_eq!(run.code, Some(1), "{pattern}: {}", run.show());
        assert!(run.stdout.starts_with("Wrong: stage "), "{pattern}: {}", run.show());
    }
    Ok(())
}

/// A trace in which the third pass replaces `exp`.
fn example(name: &str) -> Result<String> {
    let script = script_of(&["R.exp(a)", "R.exp(a)", "R.add(v1, b)"]);
    file_of(name, &trace_of(&script, &rule("R.exp(a)", "R.sigmoid(a)")?)?)
}

#[test]
fn a_trace_is_a_table() -> Result<()> {
    let file = example("trace_table.json")?;
    let run = objir(&["trace", "show", &file]);
    let lines: Vec<Vec<&str>> = run.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0].join(" "), "TVM 0.25.0: 5 passes, 3 stages", "{}", run.show());
    let without_time = |line: &[&str]| [&line[..2], &line[4..]].concat().join(" ");
    let rows: Vec<_> = lines[2..].iter().map(|line| without_time(line)).collect();
    let expected = [
        "CanonicalizeBindings 0 -",
        "EliminateCommonSubexpr 1 1 function, 3 bindings",
        "Wrong 2 1 function, 2 bindings",
        "DeadCodeElimination 2 -",
        "TopologicalSort 2 -",
    ];
    assert_eq!(rows, expected, "{}", run.show());
    let changing = objir(&["trace", "show", &file, "--changing", "--json"]).json();
    let names: Vec<_> = changing["passes"].as_array().into_iter().flatten().map(|it| it["pass"].clone()).collect();
    assert_eq!(names, [json!("EliminateCommonSubexpr"), json!("Wrong")]);
    Ok(())
}

#[test]
fn a_stage_is_a_script_or_a_graph() -> Result<()> {
    let file = example("trace_extract.json")?;
    let script = objir(&["trace", "extract", &file, "2"]);
    assert!(script.stdout.contains("R.sigmoid(a)"), "{}", script.show());
    let [py, json] = ["trace_stage.py", "trace_stage.json.gz"].map(|name| own_file(name, b""));
    for out in [&py, &json] {
        let run = objir(&["trace", "extract", &file, "2", "--out", out]);
        assert!(run.code == Some(0) && run.is_quiet(), "{}", run.show());
    }
    assert_eq!(objir(&["diff", &py, &json]).code, Some(0));
    let missing = objir(&["trace", "extract", &file, "3"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.ends_with("expected a stage from 0 to 2, got 3\n"), "{}", missing.show());
    Ok(())
}

#[test]
fn bisect_runs_a_command() -> Result<()> {
    let file = example("trace_command.json")?;
    let bisect = |options: &[&str]| -> Run { objir(&[&["bisect", &file], options].concat()) };
    let found = bisect(&["--test", "grep -q '\"relax.exp\"' {}"]);
    assert_eq!(found.code, Some(1), "{}", found.show());
    assert!(found.stdout.starts_with("Wrong: stage 2 is the first that fails\nthe command ends with exit code 1"));
    let found = bisect(&["--test", "cat {}; true", "--match", "relax.sigmoid", "--json"]).json();
    assert_eq!((&found["pass"], &found["before"]), (&json!("Wrong"), &json!(1)));
    let start = bisect(&["--test", "false"]);
    assert!(start.stdout.starts_with("the program before all passes: stage 0"), "{}", start.show());
    let nothing = bisect(&["--test", "true"]);
    assert_eq!(
        (nothing.code, &*nothing.stdout),
        (Some(0), "the command succeeds on the first and on the last stage\n")
    );
    Ok(())
}

#[test]
fn bisect_checks_the_rules() -> Result<()> {
    let sound = example("trace_sound.json")?;
    let run = objir(&["bisect", &sound]);
    assert_eq!((run.code, &*run.stdout), (Some(0), "all stages are well-formed\n"));
    let (_, trace) = PassManager::new()
        .pass("Sound", |module: &IRModule| Ok(module.clone()))
        .pass("DropsHelper", |module: &IRModule| Ok(without_helper(module)))
        .trace(&module_with_helper()?, "TVM 0.25.0");
    let run = objir(&["bisect", &file_of("trace_broken.json", &trace)?]);
    assert_eq!(run.code, Some(1), "{}", run.show());
    assert!(run.stdout.starts_with("DropsHelper: stage 1 is the first that fails\nerror["), "{}", run.show());
    Ok(())
}

#[test]
fn two_pipelines_part_at_the_first_pass_with_another_result() -> Result<()> {
    let [a, b] = [example("trace_left.json")?, {
        let script = script_of(&["R.exp(a)", "R.exp(a)", "R.add(v1, b)"]);
        file_of("trace_right.json", &trace_of(&script, &rule("R.exp(a)", "R.tanh(a)")?)?)?
    }];
    let same = objir(&["diff", "--of-diffs", &a, &a]);
    let line = "TVM 0.25.0 and TVM 0.25.0: 5 of 5 passes have equal results\n";
    assert_eq!((same.code, &*same.stdout), (Some(0), line));
    let run = objir(&["diff", "--of-diffs", &a, &b, "--json"]);
    assert_eq!(run.code, Some(1));
    let relations: Vec<Value> =
        run.json()["passes"].as_array().into_iter().flatten().map(|it| it["relation"].clone()).collect();
    assert_eq!(relations, ["same", "same", "first differs here", "differs before", "differs before"].map(Value::from));
    Ok(())
}

#[test]
fn transforms_write_a_trace() {
    let file = own_file("trace_of_transforms.json.gz", b"");
    let out = own_file("trace_of_transforms_out.json", b"");
    let names = ["CanonicalizeBindings", "TopologicalSort"];
    let run =
        objir(&[&["transform", "fixtures/decoder.json.gz"][..], &names, &["--trace", &file, "-o", &out]].concat());
    assert_eq!(run.code, Some(0), "{}", run.show());
    let shown = objir(&["trace", "show", &file, "--json"]).json();
    let passes: Vec<_> = shown["passes"].as_array().into_iter().flatten().map(|it| it["pass"].clone()).collect();
    assert_eq!(passes, names.map(Value::from));
}

#[test]
fn transforms_are_checked_if_asked() -> Result<()> {
    let module = module(&script_of(&["R.exp(a)"]))?;
    let sound = own_file("trace_checked.json", TvmVersion::V0_25.to_json(&module.clone().into())?.as_bytes());
    let run = objir(&["transform", &sound, "CanonicalizeBindings", "--check"]);
    assert_eq!(run.code, Some(0), "{}", run.show());
    let broken = without_helper(&module_with_helper()?);
    let broken = own_file("trace_unchecked.json", TvmVersion::V0_25.to_json(&broken.into())?.as_bytes());
    let run = objir(&["transform", &broken, "CanonicalizeBindings", "--check"]);
    assert_eq!(run.code, Some(2), "{}", run.show());
    let expected = "the program before all passes: error[undefined-global-var]: ";
    assert!(run.stderr.contains(expected) && run.stderr.contains("the first of 1 error"), "{}", run.show());
    Ok(())
}

#[test]
fn files_that_are_no_traces_are_errors() {
    let run = objir(&["trace", "show", "fixtures/mlp.json.gz"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("the file is no trace of passes: expected `trace.Trace`, got `ir.IRModule`"));
}

#[test]
fn pages_of_traces_fit_into_windows() {
    let page = own_page("trace_fits.html");
    let run = objir(&["trace", "show", "fixtures/branches.trace.gz", "--html", &page.display().to_string()]);
    assert_eq!(run.code, Some(0), "{}", run.show());
    assert_layout(&page, "#text .row.old, #text .row.new");
}

#[test]
fn the_page_of_a_trace_works_in_a_browser() -> Result<()> {
    let page = own_page("trace.html");
    let run = objir(&["trace", "show", &example("trace_page.json")?, "--html", &page.display().to_string()]);
    assert_eq!(run.code, Some(0), "{}", run.show());
    let script = r##"
        const texts = (selector) => [...document.querySelectorAll(selector)].map((it) => it.textContent);
        const value = (it) => it.split(" = ")[1];
        const rows = () => [texts("#text .row.old code").map(value), texts("#text .row.new code").map(value)];
        result.passes = texts("#passes li:not([hidden]) button").map((it) => it.split(/\d/)[0]);
        result.first = rows();
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
        result.second = rows();
        document.querySelector("#text .row.new").click();
        result.blame = texts("#found button");
        const select = (id, value) => {
          document.getElementById(id).value = value;
          document.getElementById(id).dispatchEvent(new Event("change"));
        };
        select("from", 2);
        result.equal = document.getElementById("summary").textContent;
        const find = document.getElementById("find");
        find.value = "R.exp";
        find.dispatchEvent(new Event("input"));
        result.found = texts("#found > *");
        result.width = document.documentElement.scrollWidth <= innerWidth;
    "##;
    let Some(result) = run_in_browser(&page, script) else { return Ok(()) };
    assert_eq!(
        result,
        json!({
            "passes": ["EliminateCommonSubexpr", "Wrong"],
            "first": [["R.exp(a)", "R.add(v1, b)", "v0, v1, v2"], ["v0", "R.add(v0, b)", "v0, v0, v2"]],
            "second": [["R.exp(a)", "v0"], ["R.sigmoid(a)"]],
            "blame": ["Wrong adds 1 line"],
            "equal": "equal",
            "found": ["`R.exp`: in 2 lines at the start", "EliminateCommonSubexpr removes 1 line", "Wrong removes 1 line"],
            "width": true,
        })
    );
    Ok(())
}
