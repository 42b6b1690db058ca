//! `objir normalize`, `objir infer`, `objir rewrite` and `objir transform`.

use std::fs;

use expect_test::expect;
use serde_json::Value;

use crate::harness::{objir, objir_with, own_file, text};

/// The module of a fixture, for changes of its JSON.
struct Graph(Value);

impl Graph {
    fn of_fixture() -> Self {
        Graph(serde_json::from_str(&text("mlp.json.gz")).expect("JSON"))
    }

    fn nodes(&mut self) -> &mut Vec<Value> {
        self.0["nodes"].as_array_mut().expect("nodes")
    }

    /// The first node of a type.
    fn first(&mut self, key: &str) -> usize {
        self.nodes().iter().position(|node| node["type"] == key).unwrap_or_else(|| panic!("no node {key}"))
    }

    /// The last node of a type.
    fn last(&mut self, key: &str) -> usize {
        self.nodes().iter().rposition(|node| node["type"] == key).unwrap_or_else(|| panic!("no node {key}"))
    }

    /// The node that a field of a node refers to.
    fn field(&mut self, node: usize, name: &str) -> usize {
        let index = self.nodes()[node]["data"][name].as_u64().unwrap_or_else(|| panic!("no field {name}"));
        usize::try_from(index).expect("an index")
    }

    fn add(&mut self, node: Value) -> usize {
        self.nodes().push(node);
        self.nodes().len() - 1
    }

    /// Makes a field of a node refer to a changed copy of its node, which nothing else refers to.
    fn change(&mut self, node: usize, name: &str, change: impl FnOnce(&mut Value)) -> usize {
        let field = self.field(node, name);
        let mut copy = self.nodes()[field].clone();
        change(&mut copy);
        let copy = self.add(copy);
        self.nodes()[node]["data"][name] = copy.into();
        copy
    }

    fn text(&self) -> String {
        self.0.to_string()
    }
}

/// The module without the structural information of calls, sequences and bound variables.
fn without_struct_info() -> Graph {
    let mut graph = Graph::of_fixture();
    let nothing = graph.first("None");
    for node in graph.nodes() {
        if ["relax.expr.Call", "relax.expr.DataflowVar", "relax.expr.SeqExpr"].iter().any(|it| node["type"] == *it) {
            node["data"]["struct_info_"] = nothing.into();
        }
    }
    graph
}

/// The module with a call in place of the argument of the last call.
fn nested() -> String {
    let mut graph = Graph::of_fixture();
    let call = graph.last("relax.expr.Call");
    let inner = graph.nodes()[call].clone();
    let inner = graph.add(inner);
    graph.change(call, "args", |args| args["data"] = vec![inner].into());
    graph.text()
}

#[test]
fn a_normal_program_comes_back() {
    let run = objir(&["normalize", "fixtures/mlp.json.gz"]);
    assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{}", run.show());
    assert_eq!(run.stdout.trim_end(), text("mlp.json.gz"));
}

#[test]
fn a_nested_call_gets_a_variable() {
    let run = objir_with(&["normalize", "-"], nested().as_bytes());
    assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{}", run.show());
    let script = objir_with(&["print", "-"], run.stdout.as_bytes()).stdout;
    let lines: Vec<&str> = script.lines().filter(|line| line.contains("softmax")).map(str::trim).collect();
    expect![[r#"
        lv: R.Tensor((n, 8), dtype="float32") = R.nn.softmax(y1, axis=-1)
        out: R.Tensor((n, 8), dtype="float32") = R.nn.softmax(lv, axis=-1)"#]]
    .assert_eq(&lines.join("\n"));
    assert_eq!(objir_with(&["check", "-"], run.stdout.as_bytes()).code, Some(0));
}

#[test]
fn structural_information_is_filled_in() {
    for command in ["infer", "normalize"] {
        let run = objir_with(&[command, "-"], without_struct_info().text().as_bytes());
        assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{}", run.show());
        let file = own_file(&format!("{command}.json"), run.stdout.as_bytes());
        assert_eq!(objir(&["diff", &file, "fixtures/mlp.json.gz"]).code, Some(0), "{command}");
        let left = objir(&["check", "--deny", "missing-struct-info,missing-inner-struct-info", &file]);
        assert_eq!(left.code, Some(0), "{}", left.show());
    }
}

#[test]
fn an_output_file_has_the_program() {
    for name in ["program.json", "program.json.gz"] {
        let file = own_file(name, b"");
        let run = objir(&["infer", "fixtures/mlp.json.gz", "-o", &file]);
        assert_eq!(run.stdout, format!("unchanged: fixtures/mlp.json.gz, written to {file}\n"));
        assert_eq!(objir(&["diff", &file, "fixtures/mlp.json.gz"]).code, Some(0));
        let packed = fs::read(&file).expect("the file is written").starts_with(&[0x1f, 0x8b]);
        assert_eq!(packed, name.ends_with(".gz"));
    }
    let file = own_file("nested_output.json", b"");
    let run = objir_with(&["normalize", "-", "-o", &file, "--json"], nested().as_bytes());
    let summary = run.json();
    assert_eq!((&summary["changed"], &summary["file"]), (&Value::Bool(true), &Value::from("<stdin>")));
    assert_eq!(summary["findings"].as_array().map(Vec::len), Some(0));
}

/// The result of the function has another number of rows than its annotation, unless there are 16.
#[test]
fn findings_are_remarks() {
    let mut graph = Graph::of_fixture();
    let (function, rows) = (graph.first("relax.expr.Function"), graph.first("ir.IntImm"));
    let info = graph.change(function, "ret_struct_info", |_| ());
    let shape = graph.change(info, "shape", |_| ());
    graph.change(shape, "values", |values| values["data"][0] = rows.into());
    let run = objir_with(&["infer", "-"], graph.text().as_bytes());
    assert_eq!(run.code, Some(0), "{}", run.show());
    assert!(run.stderr.starts_with("objir: <stdin>: the result of the function: expected "), "{}", run.show());
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.show());
    let file = own_file("findings.json", b"");
    let run = objir_with(&["infer", "-", "-o", &file, "--json"], graph.text().as_bytes());
    assert_eq!(run.json()["findings"][0]["kind"], "PossibleResult", "{}", run.show());
}

#[test]
fn wrong_programs_and_files_are_errors() {
    for command in ["normalize", "infer"] {
        let run = objir_with(&[command, "-"], br#"{"root_index":0,"nodes":[{"type":"int","data":1}]}"#);
        assert_eq!(run.code, Some(2), "{}", run.show());
        assert!(
            run.stderr.starts_with("objir: <stdin>: expected a module or an expression of Relax, got"),
            "{}",
            run.show()
        );
        let run = objir(&[command, "fixtures/mlp.json.gz", "-o", "no/such/folder/out.json"]);
        assert_eq!(run.code, Some(2), "{}", run.show());
        assert!(run.stderr.starts_with("objir: no/such/folder/out.json: "), "{}", run.show());
        let limited = objir(&[command, "fixtures/mlp.json.gz", "--max-nodes", "10"]);
        assert_eq!(limited.code, Some(2), "{}", limited.show());
    }
    let mut wrong = without_struct_info();
    let call = wrong.last("relax.expr.Call");
    wrong.change(call, "args", |args| args["data"] = Vec::<Value>::new().into());
    for command in ["normalize", "infer"] {
        let run = objir_with(&[command, "-"], wrong.text().as_bytes());
        assert_eq!(run.code, Some(2), "{}", run.show());
        assert!(run.stderr.contains("<root>.functions[I.GlobalVar(\"main\")].body.blocks[0]"), "{}", run.show());
    }
}

#[test]
fn rules_change_a_program() {
    let rule = |name: &str, replacement: &str| {
        let script = format!(
            "@I.ir_module\nclass Rule:\n    @R.function\n    def pattern(x: R.Tensor):\n        return R.negative(R.negative(x))\n\n    \
             @R.function\n    def {replacement}(x: R.Tensor):\n        return x\n"
        );
        own_file(name, script.as_bytes())
    };
    let program = "@R.function\ndef f(x: R.Tensor((2,), \"float32\")):\n    return R.exp(R.negative(R.negative(x)))\n";
    let double = rule("double_negation.py", "replacement");
    let run = objir_with(&["rewrite", "-", "--rules", &double], program.as_bytes());
    assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{}", run.show());
    let script = objir_with(&["print", "-"], run.stdout.as_bytes()).stdout;
    let body: Vec<&str> = script.lines().skip_while(|line| !line.starts_with("def")).map(str::trim).collect();
    expect![[r#"
        def f(x: R.Tensor((2,), dtype="float32")) -> R.Tensor((2,), dtype="float32"):
        gv1: R.Tensor((2,), dtype="float32") = x
        gv2: R.Tensor((2,), dtype="float32") = R.exp(gv1)
        return gv2"#]]
    .assert_eq(&body.join("\n"));
    let unchanged = objir(&["rewrite", "fixtures/mlp.json.gz", "--rules", &double, &double]);
    assert_eq!(unchanged.stdout.trim_end(), text("mlp.json.gz"), "{}", unchanged.stderr);

    let wrong = rule("no_replacement.py", "something");
    let run = objir_with(&["rewrite", "-", "--rules", &wrong], program.as_bytes());
    assert_eq!(run.code, Some(2), "{}", run.show());
    assert!(run.stderr.contains("no_replacement.py: expected a module with the Relax functions"), "{}", run.show());
    assert_eq!(objir_with(&["rewrite", "-"], program.as_bytes()).code, Some(2));
}

#[test]
fn transforms_apply_in_order() {
    let module = "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((\"n\",), \"float32\")):\n        a = \
                  R.exp(x)\n        b = R.exp(x)\n        c = R.add(a, b)\n        return c\n";
    let names = ["EliminateCommonSubexpr", "CanonicalizeBindings", "BindSymbolicVars"];
    let run = |args: &[&str]| objir_with(&[&["transform", "-"], args].concat(), module.as_bytes());
    let run_all = run(&[&names[..], &["--dim", "n=3"]].concat());
    assert_eq!((run_all.code, &*run_all.stderr), (Some(0), ""), "{}", run_all.show());
    let script = objir_with(&["print", "-"], run_all.stdout.as_bytes()).stdout;
    let body: Vec<&str> = script.lines().skip_while(|line| !line.contains("def")).map(str::trim).collect();
    expect![[r#"
        def main(x: R.Tensor((3,), dtype="float32")) -> R.Tensor((3,), dtype="float32"):
        a: R.Tensor((3,), dtype="float32") = R.exp(x)
        c: R.Tensor((3,), dtype="float32") = R.add(a, a)
        return c"#]]
    .assert_eq(&body.join("\n"));
    let unknown = run(&["BindSymbolicVars", "--dim", "m=3"]);
    assert_eq!(unknown.code, Some(2), "{}", unknown.show());
    assert!(unknown.stderr.contains("no parameter of a function binds a shape variable `m`"), "{}", unknown.show());
    let function = objir_with(&["transform", "-", names[0]], b"@R.function\ndef f(x: R.Tensor):\n    return x\n");
    assert!(function.stderr.contains("expected a module"), "{}", function.show());
    assert_eq!(run(&["NoSuchPass"]).code, Some(2));
}

#[test]
fn transforms_take_constants_and_orders() {
    let module = "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((\"n\",), \"int32\"), w: R.Tensor((\"n\",), \
                  \"int32\")):\n        with R.dataflow():\n            c = R.add(x, x)\n            a = R.add(w, w)\n            b = \
                  R.add(c, a)\n            R.output(b)\n        return b\n";
    let script = |args: &[&str]| {
        let run = objir_with(&[&["transform", "-"], args].concat(), module.as_bytes());
        assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{}", run.show());
        let script = objir_with(&["print", "-"], run.stdout.as_bytes()).stdout;
        let body: Vec<&str> = script.lines().skip_while(|line| !line.contains("def")).map(str::trim).collect();
        body.join("\n")
    };
    expect![[r#"
        def main(x: R.Tensor((2,), dtype="int32")) -> R.Tensor((2,), dtype="int32"):
        with R.dataflow():
        c: R.Tensor((2,), dtype="int32") = R.add(x, x)
        b: R.Tensor((2,), dtype="int32") = R.add(c, metadata["relax.expr.Constant"][0])
        R.output(b)
        return b

        # Metadata omitted. Use show_meta=True in script() method to show it."#]]
    .assert_eq(&script(&["BindParams", "FoldConstant", "--param", "w=[1, 2]"]));
    expect![[r#"
        def main(x: R.Tensor(("n",), dtype="int32"), w: R.Tensor(("n",), dtype="int32")) -> R.Tensor(("n",), dtype="int32"):
        n = T.int64()
        with R.dataflow():
        c: R.Tensor((n,), dtype="int32") = R.add(x, x)
        a: R.Tensor((n,), dtype="int32") = R.add(w, w)
        b: R.Tensor((n,), dtype="int32") = R.add(c, a)
        R.output(b)
        return b"#]].assert_eq(&script(&["TopologicalSort", "--order", "depth-first", "--direction", "from-outputs"]));
    let run = |args: &[&str]| objir_with(&[&["transform", "-"], args].concat(), module.as_bytes());
    let unknown = run(&["BindParams", "--param", "v=[1, 2]"]);
    assert_eq!(unknown.code, Some(2), "{}", unknown.show());
    assert!(unknown.stderr.contains("`main` has no parameter `v`; its parameters are: x, w"), "{}", unknown.show());
    assert_eq!(run(&["TopologicalSort", "--order", "none"]).code, Some(2));
}
