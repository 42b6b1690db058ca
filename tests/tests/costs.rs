//! The cost of operations on families of programs, facts and schemas at doubling sizes. The cost is the number of bytes that an operation
//! allocates, which is the same in each run and on each machine: twice the size costs about twice as much. A family that takes
//! more needs a row in [`KNOWN`] with the reason.

use std::alloc::System;
use std::fmt::Write;

use object_codegen::model::Model;
use object_codegen::python_input::{SourceFile, read};
use object_codegen::{Target, generate};
use object_core::dynamic::Schema;
use object_core::prelude::*;
use object_eval::{Evaluator, Inputs, Meter};
use object_ir::ir::IRModule;
use object_ir::tir::{Var, less};
use object_relax::arith::{Analyzer, Proof};
use object_relax::derivation::Derivation;
use object_relax::normal_form::Normalizer;
use object_relax::transform::{BindingRule, BindingRules, convert_ssa, eliminate_common_subexpressions};
use object_relax::well_formed::Checker;
use object_script::parse::parse;
use object_script::print::print;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// A function `main` with the parameter `x`, whose bindings are `lines`, and whose result is `result`.
fn main_function(x: &str, lines: impl Iterator<Item = String>, result: &str) -> String {
    let mut script = format!(
        "from tvm.script import ir as I, relax as R, tirx as T\n\n@I.ir_module\nclass Module:\n    @R.function\n    def main(x: {x}):\n"
    );
    if x.contains('"') && x.contains("m") {
        script.push_str("        m = T.int64()\n");
    }
    lines.for_each(|line| writeln!(script, "        {line}").expect("a string grows"));
    writeln!(script, "        return {result}").expect("a string grows");
    script
}

/// A chain of calls, where `call` is a call of `{}`.
fn chain(x: &str, size: usize, call: &str) -> String {
    let name = |index: usize| if index == 0 { "x".to_owned() } else { format!("lv{index}") };
    let line = |index: usize| format!("{} = {}", name(index + 1), call.replace("{}", &name(index)));
    main_function(x, (0..size).map(line), &name(size))
}

const KNOWN_SHAPE: &str = r#"R.Tensor((2, 3), "float32")"#;
const SYMBOLIC: &str = r#"R.Tensor(("m",), "float32")"#;

fn adds(size: usize) -> String {
    chain(KNOWN_SHAPE, size, "R.add({}, x)")
}

fn symbolic_adds(size: usize) -> String {
    chain(SYMBOLIC, size, "R.add({}, x)")
}

fn slices(size: usize) -> String {
    chain(SYMBOLIC, size, "R.strided_slice({}, axes=[0], begin=[1], end=[9223372036854775807])")
}

fn slices_from_end(size: usize) -> String {
    chain(SYMBOLIC, size, "R.strided_slice({}, axes=[0], begin=[-1000], end=[9223372036854775807])")
}

fn slices_to_end(size: usize) -> String {
    chain(SYMBOLIC, size, "R.strided_slice({}, axes=[0], begin=[1], end=[-1])")
}

fn pools(size: usize) -> String {
    chain(
        r#"R.Tensor((1, 1, "m", "m"), "float32")"#,
        size,
        "R.nn.max_pool2d({}, pool_size=[3, 3], strides=[1, 1], padding=[1, 1, 1, 1])",
    )
}

fn concats(size: usize) -> String {
    chain(SYMBOLIC, size, "R.concat(({}, x), axis=0)")
}

fn tuples(size: usize) -> String {
    let elements = vec!["x"; size].join(", ");
    let items = (0..size).map(|index| format!("lv{index} = t[{index}]"));
    main_function(KNOWN_SHAPE, std::iter::once(format!("t = ({elements})")).chain(items), "t")
}

fn functions(size: usize) -> String {
    let mut script = adds(1);
    for index in 0..size {
        write!(
            script,
            "\n    @R.function\n    def f{index}(x: {KNOWN_SHAPE}):\n        y = R.exp(x)\n        return R.add(y, x)\n"
        )
        .expect("a string grows");
    }
    script
}

fn statements(size: usize) -> String {
    let mut script = "from tvm.script import ir as I, tirx as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n    \
                      def main(A: T.Buffer((64,), \"float32\")):\n"
        .to_owned();
    for index in 0..size {
        writeln!(script, "        A[{}] = A[{}] + T.float32(1)", index % 64, (index + 1) % 64).expect("a string grows");
    }
    script
}

/// A name, the script for a size, and the smallest size.
type Family = (&'static str, fn(usize) -> String, usize);

/// The families.
const FAMILIES: &[Family] = &[
    ("adds", adds, 50),
    ("symbolic adds", symbolic_adds, 50),
    ("slices", slices, 25),
    ("slices from the end", slices_from_end, 25),
    ("slices to the end", slices_to_end, 25),
    ("pools", pools, 25),
    ("concats", concats, 25),
    ("tuples", tuples, 50),
    ("functions", functions, 25),
    ("statements", statements, 50),
];

fn module(script: &str) -> IRModule {
    parse(script).unwrap_or_else(|errors| panic!("{errors}\n{script}")).cast().expect("a module")
}

/// A rule that changes each sum of two operands.
fn rule() -> BindingRules {
    let function = |name: &str, call: &str| {
        format!("    @R.function\n    def {name}(a: R.Tensor, b: R.Tensor):\n        return R.{call}(a, b)\n")
    };
    let script = format!(
        "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Module:\n{}\n{}",
        function("pattern", "add"),
        function("replacement", "subtract"),
    );
    BindingRules::new().rule(BindingRule::from_module(&module(&script)).expect("a rule"))
}

/// The page of the differences of a module and the module after [`rule`].
fn page(module: &IRModule) -> String {
    let changed = rule().run(module).unwrap_or_else(|_| module.clone());
    let [before, after] = [module, &changed].map(|it| Any::from(it.clone()));
    let edits = object_core::edit::edits(&before, &after).expect("comparable");
    let (script, changed) = (print(&before), print(&after));
    object_script::page::page("a".to_owned(), &script, &before)
        .beside("b".to_owned(), &changed, &after, &edits)
        .to_html()
        .expect("memory")
}

fn run(module: &IRModule) {
    let evaluator = Evaluator::new(module);
    let Some(parameters) = evaluator.parameters("main") else { return };
    let mut inputs = Inputs::new(7).meter(&Meter::with_limit(1 << 20));
    let values: Result<Vec<Any>, Error> =
        parameters.iter().map(|(_, info)| inputs.value(info.as_ref().expect("an annotation"))).collect();
    // Shapes that are not known, and loop programs, do not run here; the cost is then the preparation.
    drop(values.and_then(|values| evaluator.run("main", &values)));
}

/// An operation on the script and the module of a family.
type Operation = (&'static str, fn(&str, &IRModule));

const OPERATIONS: &[Operation] = &[
    ("parse", |script, _| drop(module(script))),
    ("print", |_, module| drop(print(&Any::from(module.clone())))),
    ("check", |_, module| drop(Checker::new().check(&Any::from(module.clone())))),
    ("infer", |_, module| drop(Derivation::new().module(module))),
    ("normalize", |_, module| drop(Normalizer::new().module(module))),
    ("rewrite", |_, module| drop(rule().run(module))),
    ("common subexpressions", |_, module| drop(eliminate_common_subexpressions(module))),
    ("single definitions", |_, module| drop(convert_ssa(module))),
    ("diff --html", |_, module| drop(page(module))),
    ("draw", |_, module| drop(object_core::picture::Picture::new(&Any::from(module.clone())).to_dot())),
    ("run", |_, module| run(module)),
];

/// Something to do on an input that is ready.
type Task = Box<dyn FnOnce()>;

/// A family, its operation, the task for a size, and the smallest size.
struct Row {
    family: &'static str,
    operation: &'static str,
    task: Box<dyn Fn(usize) -> Task>,
    size: usize,
}

/// Each operation on each family of programs, and [`OTHERS`].
fn rows() -> impl Iterator<Item = Row> {
    let on_scripts = FAMILIES.iter().flat_map(|(family, script, size)| {
        OPERATIONS.iter().map(move |(operation, run)| {
            let task = move |size: usize| -> Task {
                let script = script(size);
                let module = module(&script);
                Box::new(move || run(&script, &module))
            };
            Row { family, operation, task: Box::new(task), size: *size }
        })
    });
    let others = OTHERS.iter().map(|(family, operation, task, size)| Row {
        family,
        operation,
        task: Box::new(*task),
        size: *size,
    });
    on_scripts.chain(others)
}

/// A family with its operation, the task for a size, and the smallest size.
type Other = (&'static str, &'static str, fn(usize) -> Task, usize);

/// Families that are no programs.
const OTHERS: &[Other] = &[
    ("facts", "prove", prove, 50),
    ("classes", "declare", |size| declare(declarations(size, |_| 0)), 50),
    ("classes", "cpp", |size| written(Target::Cpp, &declarations(size, |_| 0)), 25),
    ("classes", "python", |size| written(Target::Python, &declarations(size, |_| 0)), 25),
    ("classes", "rust", |size| written(Target::Rust, &declarations(size, |_| 0)), 25),
    ("fields", "declare", |size| declare(class_of_fields(size)), 50),
    ("foreign classes", "format", |size| formatted(declarations(size, |_| 0)), 50),
    ("class chain", "declare", |size| declare(declarations(size, |index| index)), 50),
    ("class chain", "rust", |size| written(Target::Rust, &declarations(size, |index| index)), 50),
];

/// Declarations of a base and `size` classes in one file. The class with the number `n` extends the one with the number
/// `parent(n - 1)`, where 0 is the base.
fn declarations(size: usize, parent: fn(usize) -> usize) -> String {
    let class = |name: &str, parent: &str, field: &str| {
        format!("@declare\nclass {name}Node({parent}):\n    type_key = 'demo.{name}'\n    {field}\n\n")
    };
    let name = |index: usize| format!("C{index}");
    let classes = (1..=size).map(|index| {
        let field = format!("f{index}: ty.Optional[ty.int64_t] = None");
        class(&name(index), &format!("{}Node", name(parent(index - 1))), &field)
    });
    std::iter::once(class(&name(0), "Object", "f0: ty.int64_t")).chain(classes).collect()
}

/// The declaration of a class with `size` fields.
fn class_of_fields(size: usize) -> String {
    let fields = (0..size).map(|index| format!("    f{index}: ty.int64_t\n"));
    let class = "@declare\nclass AllNode(Object):\n    type_key = 'demo.All'\n".to_owned();
    std::iter::once(class).chain(fields).collect()
}

/// The format of a Python file without a script, which the formatter reads to find that out.
fn formatted(text: String) -> Task {
    Box::new(move || drop(object_script::format::format(&text, 4, &Meter::unlimited())))
}

/// The schema of declarations.
fn schema(text: &str) -> Schema {
    let file = SourceFile { name: "classes.py", text };
    read(&[file], &Schema::new(Vec::new(), Vec::new())).expect("declarations").schema
}

fn declare(text: String) -> Task {
    Box::new(move || drop(schema(&text)))
}

fn written(target: Target, text: &str) -> Task {
    let schema = schema(text);
    let none = Schema::new(Vec::new(), Vec::new());
    Box::new(move || {
        let model = Model::new(&schema, &none).expect("the types fit");
        drop(generate(target, &model, "classes.h").expect("a file"));
    })
}

/// A proof from the chain of facts `f0 < f1 < ...`.
fn prove(size: usize) -> Task {
    let vars: Vec<Var> = (0..=size).map(|index| Var::dim(format!("f{index}"))).collect();
    let is_less = |pair: &[Var]| less(&pair[0], &pair[1]).expect("a condition");
    let mut analyzer = Analyzer::for_shapes();
    vars.windows(2).for_each(|pair| analyzer.assume(is_less(pair)));
    let ends = is_less(&[vars[0].clone(), vars[size].clone()]);
    Box::new(move || assert_eq!(analyzer.prove(&ends), Proof::True))
}

/// The bytes that a task allocates.
fn cost(task: Task) -> usize {
    let region = Region::new(ALLOCATOR);
    task();
    region.change().bytes_allocated
}

/// Families that take more than linear cost, with the greatest factor for four times the size, and the reason.
const KNOWN: &[(&str, &str, usize, &str)] = &[
    ("concats", "print", 17, SUMS),
    ("concats", "infer", 17, SUMS),
    ("concats", "diff --html", 17, SUMS),
    ("concats", "run", 17, SUMS),
];

const SUMS: &str = "as in TVM, the dimension of each tensor of the chain is a sum with a term more";

#[test]
fn costs_are_linear() {
    let mut faults = String::new();
    for Row { family, operation, task, size } in rows() {
        // The first run makes tables that live until the process ends.
        let _ = cost(task(size));
        let costs = [1, 2, 4].map(|factor| cost(task(size * factor)));
        let known = KNOWN.iter().find(|row| (row.0, row.1) == (family, operation));
        // Twice the size costs twice as much, and a quarter more for growing buffers.
        let most = known.map_or(5, |row| row.2);
        if known.is_some() && costs[2] <= 5 * costs[0] {
            writeln!(faults, "{family}, {operation} is linear now: take it out of KNOWN").expect("a string grows");
        }
        println!("{family:14} {operation:12} {:>12} {:>12} {:>12}", costs[0], costs[1], costs[2]);
        if costs[2] > most * costs[0] {
            writeln!(faults, "{family}, {operation}: {costs:?} bytes for sizes 1, 2, 4").expect("a string grows");
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}
