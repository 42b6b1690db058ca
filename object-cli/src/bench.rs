//! `objir bench`: the CPU time of each operation on one file, measured like `measure/peer.py` measures TVM.

use std::collections::HashSet;
use std::convert::Infallible;
use std::fmt;
use std::hint::black_box;
use std::time::Duration;

use object_core::data::deep_copy;
use object_core::json::{Graph, JsonWriter};
use object_core::prelude::*;
use object_core::rewrite::{FreshVars, Mutator, mutate, mutate_with, substitute};
use object_core::stats::GraphStats;
use object_core::visit::{Position, Walk, WalkOptions, Walker, free_vars, walk_with};
use object_core::{Error, ErrorKind, Result};
use object_ir::eval::{Evaluator, Inputs};
use object_ir::ir::{Binding, Call, Function, IRModule, If, RelaxExpr, SeqExpr, Tuple, TupleGetItem, Var};
use object_ir::script::parse::parse;
use object_ir::script::print::ScriptPrinter;
use object_ir::well_formed::Checker;
use serde_json::{Value, json};

use crate::args::BenchArgs;
use crate::input::Reading;
use crate::output::{Output, Verdict};
use crate::program::Program;

/// The least and the most repeats of an operation, and the total time after which no more repeats follow.
const MIN_REPEATS: usize = 5;
const MAX_REPEATS: usize = 2000;
const TOTAL_TIME: Duration = Duration::from_millis(200);

/// The largest number of bytes of tensors in a run.
const MAX_TENSORS: u64 = 4 << 30;

pub(crate) fn run(args: &BenchArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let text = args.file.read(&reading.limits)?;
    let measurements =
        measure(&args.file.to_string(), &text, reading, args).map_err(|error| args.file.name_in(error))?;
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

struct Measurements {
    file: String,
    nodes: usize,
    times: Vec<(&'static str, Duration)>,
}

fn measure(name: &str, text: &[u8], reading: &Reading, args: &BenchArgs) -> Result<Measurements> {
    let is_linked = reading.graph(name, text)?.origin.is_linked();
    let load = || reading.graph(name, text).map(|loaded| loaded.graph);
    let (Graph { root: a, metadata, .. }, Graph { root: b, .. }) = (load()?, load()?);
    let options = args.options.options();
    if !options.equal(&a, &b)? {
        let message = "two loads are not equal, so there is nothing to compare: try --map-free-vars";
        return Err(Error::new(ErrorKind::NotComparable, message));
    }
    // If an operation fails, it fails here and not in the measurement.
    JsonWriter::new().metadata(metadata.as_ref()).to_string(&a)?;
    options.hash(&a)?;
    deep_copy(&a)?;
    let nothing = || ();
    let mut times = vec![
        ("load", median(nothing, |()| load())),
        ("save", median(nothing, |()| JsonWriter::new().metadata(metadata.as_ref()).to_string(&a))),
        ("equal", median(nothing, |()| options.equal(&a, &b))),
        ("mismatch", median(nothing, |()| options.first_mismatch(&a, &b))),
        ("hash", median(nothing, |()| options.hash(&a))),
        ("walk", median(nothing, |()| walk_with(&a, WalkOptions::new(), &mut WithoutCallbacks))),
        ("mutate", median(nothing, |()| mutate_with(a.clone(), &mut WithoutCallbacks))),
        ("copy", median(nothing, |()| deep_copy(&a))),
        ("drop", median(load, drop)),
    ];
    if let Some(variable) = free_vars(&a).first() {
        let fresh = FreshVars::new().fresh_copy(variable)?;
        substitute(a.clone(), [(variable.clone(), fresh.clone())])?;
        let work = |()| substitute(a.clone(), [(variable.clone(), fresh.clone())]);
        times.push(("substitute", median(nothing, work)));
    }
    let nodes = GraphStats::of(&a).nodes;
    if !is_linked {
        return Ok(Measurements { file: args.file.to_string(), nodes, times });
    }
    let script = ScriptPrinter::new().show_meta(true).print_text(&a);
    times.push(("print", median(nothing, |()| ScriptPrinter::new().show_meta(true).print_text(&a))));
    if parse(&script).is_ok() {
        times.push(("parse", median(nothing, |()| parse(&script))));
    }
    let bare = without_struct_info(&a)?;
    if bare != a
        && let Ok(bare) = Program::of(&bare)
        && bare.derived().is_ok()
    {
        times.push(("derive", median(nothing, |()| bare.derived())));
        let program = Program::of(&a)?;
        if program.normalized().is_ok() {
            times.push(("normalize", median(nothing, |()| program.normalized())));
        }
    }
    if a.clone().cast::<IRModule>().is_ok() || a.clone().cast::<Function>().is_ok() {
        times.push(("check", median(nothing, |()| Checker::new().check(&a))));
    }
    if let Ok(module) = a.clone().cast::<IRModule>()
        && let Some(calls) = calls(&module, reading)
    {
        times.push(("run", median(nothing, |()| calls.iter().try_for_each(EntryCall::run))));
    }
    Ok(Measurements { file: args.file.to_string(), nodes, times })
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

/// A call of each entry of a module. `None` if the module has no entry, or if the call of an entry fails.
fn calls(module: &IRModule, reading: &Reading) -> Option<Vec<EntryCall>> {
    let evaluator = Evaluator::new(module).max_steps(reading.limits.max_steps).max_bytes(MAX_TENSORS);
    let call = |entry: &&str| {
        let mut inputs = Inputs::new(0).max_bytes(MAX_TENSORS);
        let parameters = evaluator.parameters(entry)?;
        let args: Option<Vec<Any>> = parameters.iter().map(|(_, info)| inputs.value(info.as_ref()?).ok()).collect();
        let call = EntryCall { evaluator: evaluator.clone(), entry: (*entry).to_owned(), args: args? };
        call.run().is_ok().then_some(call)
    };
    let calls: Option<Vec<EntryCall>> = evaluator.entries().iter().map(call).collect();
    calls.filter(|calls| !calls.is_empty())
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
    mutate(root.clone(), |expr: &RelaxExpr| {
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

/// The median time of `work` on results of `prepare`. The time includes neither `prepare` nor the drop of the result.
fn median<A, R>(mut prepare: impl FnMut() -> A, mut work: impl FnMut(A) -> R) -> Duration {
    let (mut times, mut total) = (Vec::new(), Duration::ZERO);
    while times.len() < MIN_REPEATS || (times.len() < MAX_REPEATS && total < TOTAL_TIME) {
        let argument = black_box(prepare());
        let start = cpu_time();
        let result = black_box(work(argument));
        let time = cpu_time().saturating_sub(start);
        drop(result);
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
        write!(f, "{}: {} nodes\n\n  {:<10}{:>12}{:>10}", self.file, self.nodes, "operation", "time", "per node")?;
        for (name, time) in &self.times {
            let per_node = time.as_secs_f64() * 1e9 / self.nodes as f64;
            write!(f, "\n  {name:<10}{:>9.1} us{per_node:>7.1} ns", time.as_secs_f64() * 1e6)?;
        }
        Ok(())
    }
}
