//! Replays the facts of a corpus folder, which another implementation recorded, against this project.
//!
//! A folder contains `index.jsonl` with one fact per line, the texts of the facts in `modules/`, and large modules in
//! `bench/` with their own index. Each kind of fact has its module here. `tests/data/corpus_exceptions.txt` lists the
//! facts that are not checked, with reasons.

mod analysis;
mod bench;
mod eq;
mod eval;
mod exceptions;
mod facts;
mod hash;
mod infer;
mod load;
mod mismatch;
mod normalize;
mod pass;
mod pool;
mod print;
mod prove;
mod reinfer;
mod reparse;
mod report;
mod roundtrip;
mod sample;
mod well_formed;

use std::collections::BTreeMap;
use std::path::Path;

pub use exceptions::Exceptions;
pub use facts::{Corpus, Fact, Problem};
use object_core::registry::Types;
use pool::Pool;
pub use pool::hide_panics_of_checks;
pub use report::{Disagreement, KindReport, Report};

/// The options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The kinds to run, with or without their subkinds; all if there are none.
    pub kinds: Vec<String>,
    /// The number of facts of each kind to run; all if `None`.
    pub sample: Option<usize>,
    /// The seed of the sample.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// The types of the modules; of the version that wrote each module if `None`.
    pub types: Option<Types>,
}

impl Default for Options {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Options { kinds: Vec::new(), sample: None, seed: 0, threads, types: None }
    }
}

/// Whether a fact holds here.
type Checked = Result<(), Problem>;

/// The result for a fact.
struct Outcome {
    /// The parts of its kind that the fact belongs to, such as operators: checks that agree, and all checks. The report
    /// adds them up.
    groups: BTreeMap<String, (usize, usize)>,
    checked: Checked,
}

impl Outcome {
    /// The result for a fact of one part.
    fn of_group(group: String, checked: Checked) -> Self {
        Outcome { groups: BTreeMap::from([(group, (usize::from(checked.is_ok()), 1))]), checked }
    }
}

impl From<Checked> for Outcome {
    fn from(checked: Checked) -> Self {
        Outcome { groups: BTreeMap::new(), checked }
    }
}

/// Runs the facts of the folder `dir`.
///
/// # Errors
/// Names the file of the folder that cannot be read or has another format.
pub fn run(dir: &Path, options: &Options, exceptions: &Exceptions) -> Result<Report, String> {
    let corpus = Corpus::open(dir, options.types.clone())?;
    let pool = Pool::new(options.threads);
    let mut by_name: BTreeMap<(&str, String), Vec<&Fact>> = BTreeMap::new();
    for fact in corpus.facts() {
        if options.kinds.is_empty() || options.kinds.iter().any(|kind| kind == fact.kind() || *kind == fact.name()) {
            by_name.entry((fact.kind(), fact.name())).or_default().push(fact);
        }
    }
    if let Some(unknown) =
        options.kinds.iter().find(|kind| !by_name.keys().any(|(known, name)| known == kind || name == *kind))
    {
        return Err(format!("{}: there are no facts of kind `{unknown}`", dir.display()));
    }
    let mut report = Report::default();
    for ((kind, name), mut facts) in by_name {
        if let Some(size) = options.sample {
            sample::choose(&mut facts, size, options.seed);
        }
        facts.retain(|fact| !corpus.is_beyond(fact));
        if facts.is_empty() {
            continue;
        }
        let part = report.kind(kind);
        match exceptions.reason(&name) {
            Some(reason) => part.skip(&name, reason, facts.len()),
            None => {
                for (fact, outcome) in facts.iter().zip(check(&corpus, &name, &facts, &pool)) {
                    let mut groups = outcome.groups.keys().map(|group| format!("{name}/{group}"));
                    match groups.find_map(|group| Some((exceptions.reason(&group)?, group))) {
                        Some((reason, group)) => part.skip(&group, reason, 1),
                        None => part.add(fact, &name, outcome, exceptions.reason(fact.id())),
                    }
                }
            }
        }
    }
    Ok(report)
}

/// Checks all facts of one kind, and returns the results in the same order.
fn check(corpus: &Corpus, name: &str, facts: &[&Fact], pool: &Pool) -> Vec<Outcome> {
    let grouped = |check: fn(&Corpus, &Fact) -> Outcome| {
        let checked = pool.map(name, facts, |fact| check(corpus, fact));
        checked.into_iter().map(|result| result.unwrap_or_else(|panic| Err(Problem::panic(&panic)).into())).collect()
    };
    let each = |check: fn(&Corpus, &Fact) -> Checked| {
        let checked = pool.map(name, facts, |fact| check(corpus, fact));
        let checked = checked.into_iter().map(|result| result.unwrap_or_else(|panic| Err(Problem::panic(&panic))));
        checked.map(Outcome::from).collect()
    };
    match name {
        "load" => each(load::check),
        "roundtrip/json" => each(roundtrip::check),
        "eq" => each(eq::check),
        "mismatch" => each(mismatch::check),
        "bench" => each(bench::check),
        "print" => each(print::check),
        "eval" => grouped(eval::check),
        "prove" => each(prove::check),
        "well_formed" => each(well_formed::check),
        "hash" => hash::check_all(corpus, facts, pool).into_iter().map(Outcome::from).collect(),
        "normalize/expr" => grouped(infer::check),
        "normalize/module" => each(normalize::check),
        "normal_form" => each(normalize::check_laws),
        "analysis" => grouped(analysis::check),
        "pass" => grouped(pass::check),
        "infer" => grouped(reinfer::check),
        "reparse" => grouped(reparse::check_own),
        "exact" => grouped(reparse::check_exact),
        "roundtrip/script" => grouped(reparse::check),
        "parse" => each(reparse::check_rejected),
        _ => each(|_, fact| {
            let expected = "a check for this kind of fact, or a line for it among the exceptions";
            Err(Problem::new(expected, format!("neither for `{}`", fact.name())))
        }),
    }
}
