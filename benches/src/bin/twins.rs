//! Measures what an optimizer needs, each operation beside a twin that is written by hand, and prints the ratios.
//!
//!     cargo run --release -p object-benches --bin twins [OPERATION]
//!
//! An operation and its twin run in turns. A time is the least CPU time of the rounds, without the construction of the arguments
//! and the release of the results.

#![forbid(unsafe_code)]

use std::error::Error;
use std::fmt::Debug;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use object_benches::circuits::by_hand::{self, fold_plain, hash_plain, live_lets, share, sum_plain, uses};
use object_benches::circuits::{self, Circuit, Gate, Input, Number, Objects, Op, Plain, Plains, Signal};
use object_core::rewrite::{Pattern, RewriteRule, RewriteRules, mutate};
use object_core::stats::GraphStats;
use object_core::structural::Interner;
use object_core::visit::{UseDef, walk};
use object_core::{ObjectHandle, structural_hash};

const ROUNDS: usize = 7;

/// The stack of the thread that measures: the twins, and the release of plain enums, are recursive.
const STACK: usize = 1 << 30;

fn main() {
    let thread =
        std::thread::Builder::new().stack_size(STACK).spawn(|| measure_all().map_err(|error| error.to_string()));
    let result = thread.expect("a thread starts").join().expect("no operation panics");
    result.expect("each operation succeeds");
}

fn measure_all() -> Result<(), Box<dyn Error>> {
    let chosen = std::env::args().nth(1).unwrap_or_default();
    println!("| operation | graph | objects | time | twin | ratio |\n|---|---|---|---|---|---|");
    for (operation, measure) in OPERATIONS {
        if operation.contains(&chosen) {
            measure(operation)?;
        }
    }
    Ok(())
}

type Measure = fn(&str) -> Result<(), Box<dyn Error>>;

const OPERATIONS: &[(&str, Measure)] = &[
    ("rules: xor to and; twin: `mutate`", rules),
    ("rules: constants; twin: `mutate`", constant_rules),
    ("rules: dead lets; twin: a set of live variables", dead_lets),
    ("`mutate`: constants; twin: a recursive function", constants),
    ("`walk`: sum; twin: a recursive function", walks),
    ("`intern_all`; twin: `mutate` with two tables", interning),
    ("`UseDef`; twin: a table of lists", use_def),
    ("hash; twin: a recursive function with a table", hashes),
    ("hash of wires; twin: hash of a tree of as many gates", wires),
];

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let start = ThreadTime::now();
    let result = black_box(work());
    let time = start.elapsed();
    drop(result);
    time
}

/// Measures an operation and its twin in turns, and prints a row.
fn row(operation: &str, graph: &Graph, mut ours: impl FnMut() -> Duration, mut twin: impl FnMut() -> Duration) {
    let (mut ours_least, mut twin_least) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        ours_least = ours_least.min(ours());
        twin_least = twin_least.min(twin());
    }
    let (name, objects) = (graph.name, graph.objects);
    let ratio = ours_least.as_secs_f64() / twin_least.as_secs_f64();
    println!("| {operation} | {name} | {objects} | {ours_least:.1?} | {twin_least:.1?} | {ratio:.1} |");
}

/// A circuit as gates and as a plain enum.
struct Graph {
    name: &'static str,
    objects: usize,
    gates: Signal,
    plain: Arc<Plain>,
}

impl Graph {
    fn new(name: &'static str, circuit: Circuit) -> Self {
        let gates = circuit.build(&Objects::gates());
        Graph { name, objects: GraphStats::of(&gates).nodes, gates, plain: circuit.build(&Plains::default()) }
    }

    fn tree() -> Self {
        Graph::new("tree", Circuit::Tree(1_000_001))
    }

    fn chain() -> Self {
        Graph::new("chain", Circuit::Chain(500_000))
    }

    fn shared() -> Self {
        Graph::new("shared", Circuit::Shared(1_000_000))
    }
}

/// Panics if the operation and its twin have different results.
fn agree<T: PartialEq + Debug + Copy>(ours: T, twin: T) {
    assert_eq!(ours, twin, "the twin computes something else");
}

fn rules(operation: &str) -> Result<(), Box<dyn Error>> {
    let [a, b] = ["a", "b"].map(Input::new);
    let pattern = Pattern::new(Gate::new(Op::Xor, &a, &b)).with_holes([&a, &b])?;
    let rules = RewriteRules::new().rule(RewriteRule::new(pattern, Gate::new(Op::And, &a, &b))?);
    let twin = |root: &Signal| {
        mutate(root.clone(), |gate: &Gate, _| (gate.op == Op::Xor).then(|| Gate::new(Op::And, &gate.a, &gate.b)))
    };
    for graph in [Graph::tree(), Graph::chain(), Graph::shared()] {
        let root = &graph.gates;
        agree(structural_hash(&rules.run(root.clone())?), structural_hash(&twin(root)?));
        row(operation, &graph, || time(|| rules.run(root.clone())), || time(|| twin(root)));
    }
    Ok(())
}

/// The sum of two numbers.
fn constant(a: &Signal, b: &Signal) -> Option<Number> {
    let (a, b) = (a.downcast_ref::<Number>()?, b.downcast_ref::<Number>()?);
    Some(Number::new(a.value.wrapping_add(b.value)))
}

/// `root` with numbers in place of sums of numbers.
fn fold_gates(root: &Signal) -> object_core::Result<Signal> {
    mutate(root.clone(), |gate: &Gate, _| (gate.op == Op::Add).then(|| constant(&gate.a, &gate.b)).flatten())
}

fn constant_rules(operation: &str) -> Result<(), Box<dyn Error>> {
    let [a, b] = ["a", "b"].map(Input::new);
    let pattern = Pattern::new(Gate::new(Op::Add, &a, &b)).with_holes([&a, &b])?;
    let rule =
        RewriteRule::computed(
            pattern,
            move |found| Ok(constant(&found.value(&a)?, &found.value(&b)?).map(Into::into)),
        )?;
    let (rules, graph) = (RewriteRules::new().rule(rule), Graph::tree());
    let root = &graph.gates;
    agree(structural_hash(&rules.run(root.clone())?), structural_hash(&fold_gates(root)?));
    row(operation, &graph, || time(|| rules.run(root.clone())), || time(|| fold_gates(root)));
    Ok(())
}

fn dead_lets(operation: &str) -> Result<(), Box<dyn Error>> {
    let rules = RewriteRules::new().rule(RewriteRule::parse("bench.Let(value=?v, var=?x, body=?b) => ?b")?);
    let root = circuits::lets(100_000);
    let graph =
        Graph { name: "lets", objects: GraphStats::of(&root).nodes, gates: root, plain: Arc::new(Plain::Input) };
    let root = &graph.gates;
    agree(GraphStats::of(&rules.run(root.clone())?).nodes, GraphStats::of(&live_lets(root)).nodes);
    row(operation, &graph, || time(|| rules.run(root.clone())), || time(|| live_lets(root)));
    Ok(())
}

fn constants(operation: &str) -> Result<(), Box<dyn Error>> {
    let graph = Graph::tree();
    agree(sum(&fold_gates(&graph.gates)?), sum_plain(&fold_plain(&graph.plain)));
    row(operation, &graph, || time(|| fold_gates(&graph.gates)), || time(|| fold_plain(&graph.plain)));
    Ok(())
}

/// The sum of all numbers.
fn sum(root: &Signal) -> i64 {
    let mut sum = 0_i64;
    walk(root, |number: &Number, _| sum = sum.wrapping_add(number.value));
    sum
}

fn walks(operation: &str) -> Result<(), Box<dyn Error>> {
    let graph = Graph::tree();
    agree(sum(&graph.gates), sum_plain(&graph.plain));
    row(operation, &graph, || time(|| sum(&graph.gates)), || time(|| sum_plain(&graph.plain)));
    Ok(())
}

fn interning(operation: &str) -> Result<(), Box<dyn Error>> {
    for graph in [Graph::tree(), Graph::chain(), Graph::shared()] {
        let root = &graph.gates;
        let intern = || {
            let interner = Interner::new();
            interner.intern_all(root.clone()).map(|root| (root, interner))
        };
        agree(GraphStats::of(&intern()?.0).nodes, GraphStats::of(&share(root)?.0).nodes);
        row(operation, &graph, || time(intern), || time(|| share(root)));
    }
    Ok(())
}

fn use_def(operation: &str) -> Result<(), Box<dyn Error>> {
    let graph = Graph::shared();
    let root = &graph.gates;
    let first = root.downcast_ref::<Gate>().map_or(root, |gate| &gate.a);
    agree(UseDef::of(root).uses(first).count(), uses(root)[&by_hand::address(first)].len());
    row(operation, &graph, || time(|| UseDef::of(root)), || time(|| uses(root)));
    Ok(())
}

fn hashes(operation: &str) -> Result<(), Box<dyn Error>> {
    for graph in [Graph::tree(), Graph::shared()] {
        row(operation, &graph, || time(|| structural_hash(&graph.gates)), || time(|| hash_plain(&graph.plain)));
    }
    Ok(())
}

fn wires(operation: &str) -> Result<(), Box<dyn Error>> {
    let wires = Circuit::Shared(1_000_000).build(&Objects::wires());
    let objects = GraphStats::of(&wires).nodes;
    let gates = Circuit::Tree(2 * objects + 1).build(&Objects::gates());
    let graph = Graph { name: "shared", objects, gates, plain: Arc::new(Plain::Input) };
    row(operation, &graph, || time(|| structural_hash(&wires)), || time(|| structural_hash(&graph.gates)));
    Ok(())
}
