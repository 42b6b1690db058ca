//! `objir bench`: the CPU time of each operation on files, measured like `measure/peer.py` measures TVM.

use std::collections::HashSet;
use std::convert::Infallible;
use std::fmt;
use std::hint::black_box;
use std::time::Duration;

use clap::Args as ClapArgs;
use object_core::data::deep_copy;
use object_core::json::{Graph, JsonWriter};
use object_core::prelude::*;
use object_core::rewrite::{FreshVars, Mutator, mutate, mutate_with, substitute};
use object_core::stats::GraphStats;
use object_core::visit::{Position, Walk, WalkOptions, Walker, free_vars, walk_with};
use object_core::{Error, ErrorKind, Result};
use object_eval::{Evaluator, Inputs};
use object_ir::ir::{Binding, Call, Function, IRModule, If, RelaxExpr, SeqExpr, Tuple, TupleGetItem, Var};
use object_ir::tvm::TvmVersion;
use object_relax::derivation::Derivation;
use object_relax::root::Root;
use object_relax::well_formed::Checker;
use object_script::parse::ScriptParser;
use serde_json::{Value, json};

use crate::file_set::Arguments;
use crate::input::Reading;
use crate::output::{Output, Verdict, print_remark};
use crate::source::{Content, Source};
use crate::structural_args::StructuralArgs;
use crate::types::Loaded;

/// `objir bench`.
#[derive(ClapArgs)]
pub(crate) struct BenchArgs {
    /// The files, folders, patterns, or `-`.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<Source>,

    #[command(flatten)]
    options: StructuralArgs,
}

/// The least and the most repeats of an operation, and the total time after which no more repeats follow.
const MIN_REPEATS: usize = 5;
const MAX_REPEATS: usize = 2000;
const TOTAL_TIME: Duration = Duration::from_millis(200);

pub(crate) fn run(args: &BenchArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let files = Arguments::of(&args.files)?.sources;
    let texts = files.iter().map(|file| file.read(&reading.limits)).collect::<Result<Vec<_>>>()?;
    let subjects = files
        .iter()
        .zip(&texts)
        .map(|(file, text)| Subject::new(file.to_string(), text, reading, args).map_err(|error| file.name_in(error)));
    let measurements = Measurements::of(subjects.collect::<Result<Vec<_>>>()?);
    if output.is_json() {
        // One JSON text per line, so that a program can read the operations one by one.
        for (name, time) in &measurements.times {
            output.show("", || json!({"op": name, "seconds": time.as_secs_f64()}))?;
        }
    } else {
        output.show(&measurements, || Value::Null)?;
    }
    Ok(Verdict::Same)
}

/// A walk or a rewrite that visits every object and does nothing.
struct WithoutCallbacks;

impl Walker<'_> for WithoutCallbacks {
    type Break = Infallible;
}

impl Mutator for WithoutCallbacks {}

/// An operation on one file: runs once, and returns its time.
type Operation<'a> = (&'static str, Box<dyn FnMut() -> Duration + 'a>);

/// A file with the operations that it allows.
struct Subject<'a> {
    file: String,
    nodes: usize,
    operations: Vec<Operation<'a>>,
}

/// An operation whose time includes neither `prepare` nor the drop of the result.
fn operation<'a, A, R>(
    name: &'static str,
    mut prepare: impl FnMut() -> A + 'a,
    mut work: impl FnMut(A) -> R + 'a,
) -> Operation<'a> {
    let run = move || {
        let argument = black_box(prepare());
        let start = cpu_time();
        let result = black_box(work(argument));
        let time = cpu_time().saturating_sub(start);
        drop(result);
        time
    };
    (name, Box::new(run))
}

/// An operation without preparation.
fn plain<'a, R>(name: &'static str, mut work: impl FnMut() -> R + 'a) -> Operation<'a> {
    operation(name, || (), move |()| work())
}

impl<'a> Subject<'a> {
    fn new(file: String, text: &'a Content, reading: &'a Reading, args: &BenchArgs) -> Result<Self> {
        let name = file.clone();
        let Loaded { graph: Graph { root, metadata, .. }, origin } = reading.graph(&name, text)?;
        let load = move || reading.graph(&name, text).map(|loaded| loaded.graph);
        let Graph { root: other, .. } = load()?;
        let options = args.options.options();
        if !options.equal(&root, &other)? {
            let message = "two loads are not equal, so there is nothing to compare: try --map-free-vars";
            return Err(Error::new(ErrorKind::NotComparable, message));
        }
        // If an operation fails, it fails here and not in the measurement.
        JsonWriter::new().metadata(metadata.as_ref()).to_string(&root)?;
        options.hash(&root)?;
        deep_copy(&root)?;
        let a = || root.clone();
        let pair = || (root.clone(), other.clone());
        let mut operations = vec![
            plain("load", load.clone()),
            plain("save", {
                let a = a();
                move || JsonWriter::new().metadata(metadata.as_ref()).to_string(&a)
            }),
            plain("equal", {
                let (a, b) = pair();
                move || options.equal(&a, &b)
            }),
            plain("mismatch", {
                let (a, b) = pair();
                move || options.first_mismatch(&a, &b)
            }),
            plain("hash", {
                let a = a();
                move || options.hash(&a)
            }),
            plain("walk", {
                let a = a();
                move || walk_with(&a, WalkOptions::new(), &mut WithoutCallbacks)
            }),
            plain("mutate", {
                let a = a();
                move || mutate_with(a.clone(), &mut WithoutCallbacks)
            }),
            plain("copy", {
                let a = a();
                move || deep_copy(&a)
            }),
            operation("drop", load, drop),
        ];
        if let Some(variable) = free_vars(&root).first().cloned() {
            let (a, fresh) = (a(), FreshVars::new().fresh_copy(&variable)?);
            substitute(a.clone(), [(variable.clone(), fresh.clone())])?;
            let work = move || substitute(a.clone(), [(variable.clone(), fresh.clone())]);
            operations.push(plain("substitute", work));
        }
        let nodes = GraphStats::of(&root).nodes;
        if let Ok(version) = origin.version("bench") {
            add_relax_operations(&mut operations, (&file, version), &root, reading)?;
        }
        Ok(Subject { file, nodes, operations })
    }
}

/// Adds the operations on the graph of a file that need the meaning of Relax. Of a graph of another version than TVM 0.25,
/// printing, parsing and checking contain the conversion from or to Rust types; the other operations take the graph with Rust
/// types.
fn add_relax_operations(
    operations: &mut Vec<Operation<'_>>,
    (file, version): (&str, TvmVersion),
    root: &Any,
    reading: &Reading,
) -> Result<()> {
    let linked = move |root: &Any| version.to_rust_types(Graph::new(root.clone(), None)).map(|graph| graph.root);
    let own = move |root: Any| version.from_rust_types(Graph::new(root, None));
    let Ok(converted) = linked(root) else {
        print_remark(format_args!("{file}: TVM 0.25 cannot express it, so no operation that needs Relax is measured"));
        return Ok(());
    };
    let (given, root) = (root.clone(), &converted);
    let a = || root.clone();
    if version != TvmVersion::V0_25 {
        let given = given.clone();
        operations.push(plain("convert", move || linked(&given)));
    }
    let printer = reading.printer().version(version).show_meta(true);
    let script = printer.try_print_text(root)?;
    operations.push(plain("print", {
        let given = given.clone();
        move || linked(&given).map(|root| printer.print_text(&root))
    }));
    let parser = ScriptParser::new().version(version);
    if parser.parse(&script).is_ok_and(|root| own(root).is_ok()) {
        operations.push(plain("parse", move || parser.parse(&script).map(own)));
    }
    let bare = without_struct_info(root)?;
    if bare != *root
        && let Ok(bare) = Root::of(&bare)
        && bare.derived(Derivation::new()).is_ok()
    {
        operations.push(plain("derive", move || bare.derived(Derivation::new())));
        let program = Root::of(root)?;
        if program.normalized().is_ok() {
            operations.push(plain("normalize", move || program.normalized()));
        }
    }
    if a().cast::<IRModule>().is_ok() || a().cast::<Function>().is_ok() {
        operations.push(plain("check", move || linked(&given).map(|root| Checker::new().check(&root))));
    }
    if let Ok(module) = a().cast::<IRModule>() {
        match calls(&module, reading) {
            Ok(calls) if calls.is_empty() => {}
            Ok(calls) => operations.push(plain("run", move || calls.iter().try_for_each(EntryCall::run))),
            // A module that does not run has all other measurements.
            Err(error) => print_remark(format_args!("{file}: no measurement of `run`: {error}")),
        }
    }
    Ok(())
}

struct Measurements {
    files: Vec<String>,
    nodes: usize,
    times: Vec<(&'static str, Duration)>,
}

impl Measurements {
    /// The times of the operations that all subjects allow. A pass runs an operation once on each subject.
    fn of(mut subjects: Vec<Subject<'_>>) -> Self {
        let names: Vec<&'static str> =
            subjects.first().map_or_else(Vec::new, |first| first.operations.iter().map(|(name, _)| *name).collect());
        let mut times = Vec::new();
        for name in names {
            let found = subjects.iter_mut().map(|subject| subject.operations.iter_mut().find(|(it, _)| *it == name));
            if let Some(mut all) = found.collect::<Option<Vec<_>>>() {
                times.push((name, median(|| all.iter_mut().map(|(_, run)| run()).sum())));
            }
        }
        let nodes = subjects.iter().map(|subject| subject.nodes).sum();
        Measurements { files: subjects.into_iter().map(|subject| subject.file).collect(), nodes, times }
    }
}

/// A call of an entry with random arguments.
struct EntryCall {
    evaluator: Evaluator,
    entry: String,
    args: Vec<Any>,
}

impl EntryCall {
    fn run(&self) -> Result<()> {
        self.evaluator.run(&self.entry, self.args.iter().cloned()).map(drop)
    }
}

/// Calls of all entries of a module.
///
/// # Errors
/// The error of the first entry that does not run.
fn calls(module: &IRModule, reading: &Reading) -> Result<Vec<EntryCall>> {
    let evaluator = Evaluator::new(module).max_steps(reading.limits.max_steps).meter(&reading.meter);
    let call = |entry: &&str| {
        let mut inputs = Inputs::new(0).meter(&reading.meter);
        let parameters = evaluator.parameters(entry).unwrap_or_default();
        let args = parameters.iter().map(|(name, info)| {
            let message = || format!("the parameter `{name}` of `{entry}` has no structural information");
            inputs.value(info.as_ref().ok_or_else(|| Error::new(ErrorKind::MissingField, message()))?)
        });
        let args = args.collect::<Result<_>>()?;
        let call = EntryCall { evaluator: evaluator.clone(), entry: (*entry).to_owned(), args };
        call.run()?;
        Ok(call)
    };
    evaluator.entries().iter().map(call).collect()
}

/// The program without the structural information that follows from the rest of it: of calls, tuples, members,
/// conditionals and sequences, and of bound variables. Leaves and functions state theirs.
fn without_struct_info(root: &Any) -> Result<Any> {
    let mut bound: HashSet<ObjectRef> = HashSet::new();
    Walk::new()
        .enter(|binding: &Binding, _: &Position<'_>| {
            bound.insert(binding.var.as_object().clone());
        })
        .run(root);
    mutate(root.clone(), |expr: &RelaxExpr, _| {
        let is_derived = match expr.downcast_ref::<Var>() {
            Some(var) => bound.contains(var.as_object()),
            None => {
                expr.is::<Call>()
                    || expr.is::<Tuple>()
                    || expr.is::<TupleGetItem>()
                    || expr.is::<If>()
                    || expr.is::<SeqExpr>()
            }
        };
        (is_derived && expr.struct_info.is_some()).then(|| {
            let mut bare = expr.clone();
            bare.make_mut().struct_info = None;
            bare
        })
    })
}

/// The median time of many passes.
fn median(mut pass: impl FnMut() -> Duration) -> Duration {
    let (mut times, mut total) = (Vec::new(), Duration::ZERO);
    while times.len() < MIN_REPEATS || (times.len() < MAX_REPEATS && total < TOTAL_TIME) {
        let time = pass();
        total += time;
        times.push(time);
    }
    times.sort_unstable();
    let (low, high) = (times[(times.len() - 1) / 2], times[times.len() / 2]);
    (low + high) / 2
}

/// The CPU time of this thread, which other load on the machine does not change.
#[cfg(unix)]
fn cpu_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.try_into().unwrap_or_default(), now.tv_nsec.try_into().unwrap_or_default())
}

/// The time since the first call.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

impl fmt::Display for Measurements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.files[..] {
            [file] => write!(f, "{file}")?,
            files => write!(f, "{} files", files.len())?,
        }
        write!(f, ": {} nodes\n\n  {:<10}{:>12}{:>10}", self.nodes, "operation", "time", "per node")?;
        for (name, time) in &self.times {
            let per_node = time.as_secs_f64() * 1e9 / self.nodes as f64;
            write!(f, "\n  {name:<10}{:>9.1} us{per_node:>7.1} ns", time.as_secs_f64() * 1e6)?;
        }
        Ok(())
    }
}
