//! `objir bisect`: the pass of a recorded pipeline that broke a program.

use std::fmt;

use clap::Args as ClapArgs;
use object_core::trace::Step;
use object_core::{Any, Error, ErrorKind, Result};
use object_eval::{Evaluator, Trials, TrialsReport, TrialsText};
use object_ir::ir::IRModule;
use serde_json::{Value, json};

use crate::command_runs::{CommandArgs, Runs};
use crate::input::Reading;
use crate::output::{Output, Verdict, print_remark};
use crate::source::Source;
use crate::trace_file::TraceFile;

/// `objir bisect`.
#[derive(ClapArgs)]
pub(crate) struct BisectArgs {
    /// The file of a trace, or `-`.
    file: Source,

    /// Find the first stage whose results differ from the results of the first one, as `objir run --compare` compares them.
    /// Without this option and `--test`, find the first stage that breaks a rule of `objir check`.
    #[arg(long, conflicts_with = "test")]
    compare: bool,

    /// The function of `--compare`.
    #[arg(long, value_name = "NAME", default_value = "main")]
    func: String,

    /// The first seed of the random arguments of `--compare`.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// The number of seeds of `--compare`.
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,

    #[command(flatten)]
    command: Option<CommandArgs>,
}

pub(crate) fn run(args: &BisectArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let file = TraceFile::load(&args.file, reading)?;
    let found = match &args.command {
        Some(command) => by_command(&file, command),
        None if args.compare => by_results(&file, args, reading),
        None => by_rules(&file),
    };
    let found = found.map_err(|error| file.name_in(error))?;
    output.show(&found, || found.to_json())?;
    Ok(match found {
        Found::Nothing { open: 0, .. } => Verdict::Same,
        Found::Nothing { .. } => Verdict::Inconclusive,
        Found::Step { .. } => Verdict::Different,
    })
}

/// The outcome.
enum Found<'a> {
    Step {
        step: Step<'a>,
        /// The failure after the step.
        failure: String,
        file: &'a TraceFile,
    },
    Nothing {
        /// The number of stages that are known to be right, in words.
        right: String,
        /// The number of stages about which nothing is known.
        open: usize,
    },
}

impl<'a> Found<'a> {
    fn of(file: &'a TraceFile, found: Option<(Step<'a>, String)>, right: &str, open: usize) -> Self {
        match found {
            Some((step, failure)) => Found::Step { step, failure, file },
            None => Found::Nothing { right: right.to_owned(), open },
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Found::Step { step, failure, .. } => json!({
                "found": true,
                "pass": step.pass().map(|pass| pass.name.to_string()),
                "inside": step.around.iter().map(|pass| pass.name.to_string()).collect::<Vec<_>>(),
                "before": step.before,
                "after": step.after,
                "failure": failure,
            }),
            Found::Nothing { open, .. } => json!({ "found": false, "inconclusive_stages": open }),
        }
    }
}

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Found::Step { step, failure, file } => {
                writeln!(f, "{step}: stage {} is the first that fails\n{failure}", step.after)?;
                let extract = |stage| format!("`objir trace extract {} {stage}`", file.source);
                if step.before == step.after {
                    return write!(f, "the program: {}", extract(step.after));
                }
                write!(f, "before: {}\nafter: {}", extract(step.before), extract(step.after))
            }
            Found::Nothing { right, open: 0 } => f.write_str(right),
            Found::Nothing { right, open } => {
                write!(f, "{right}, except {open} about which the runs do not tell")
            }
        }
    }
}

/// The first stage that breaks a rule.
fn by_rules(file: &TraceFile) -> Result<Found<'_>> {
    if file.pipeline.version.is_none() {
        let message = format!(
            "expected a trace of TVM, whose programs have rules, got one of {}; use `--test`",
            file.pipeline.trace.producer
        );
        return Err(Error::new(ErrorKind::TypeMismatch, message));
    }
    let found = file.pipeline.trace.first_failing(|_, stage| {
        let report = file.pipeline.checked(stage, 1);
        Ok(report.and_then(|report| report.first_error().map(ToString::to_string)))
    })?;
    Ok(Found::of(file, found, "all stages are well-formed", 0))
}

/// The first stage whose results differ from the results of the first stage.
fn by_results<'a>(file: &'a TraceFile, args: &BisectArgs, reading: &Reading) -> Result<Found<'a>> {
    let evaluator = |stage: &Any| -> Result<Evaluator> {
        let module: IRModule = stage.clone().cast()?;
        Ok(Evaluator::new(&module).max_steps(reading.limits.max_steps).meter(&reading.meter))
    };
    let trials = Trials::new(args.seed).seeds(args.seeds).meter(&reading.meter);
    let first = evaluator(&file.pipeline.trace.stage(0)?)?;
    let mut open = 0;
    let found = file.pipeline.trace.first_failing(|index, stage| {
        let report = trials.compare([&first, &evaluator(stage)?], &args.func)?;
        if index == 0 && report.verdict != object_eval::Verdict::Same {
            return Err(not_comparable(&args.func, &report));
        }
        match report.verdict {
            object_eval::Verdict::Same => Ok(None),
            object_eval::Verdict::Different => Ok(Some(compared(index, &report))),
            object_eval::Verdict::Inconclusive | object_eval::Verdict::Failed => {
                open += 1;
                print_remark(format_args!("stage {index} does not tell: {}", compared(index, &report)));
                Ok(None)
            }
        }
    })?;
    Ok(Found::of(file, found, "all stages have the results of the first one", open))
}

/// The comparison of the first stage with another one in words.
fn compared(index: usize, report: &TrialsReport) -> String {
    if let [_, Err(error)] = &report.comparison.results {
        return error.to_string();
    }
    TrialsText { names: ["stage 0", &format!("stage {index}")], report }.to_string()
}

/// The error about a first stage that does not run.
fn not_comparable(function: &str, report: &TrialsReport) -> Error {
    let outcome = compared(0, report);
    Error::new(
        ErrorKind::Call,
        format!("expected a first stage whose function `{function}` has results to compare: {outcome}"),
    )
}

/// The first stage on which a command fails, by halving: the command succeeds on the first stage and fails on the last one.
fn by_command<'a>(file: &'a TraceFile, command: &CommandArgs) -> Result<Found<'a>> {
    let mut runs = Runs::new(command, ".json", usize::MAX)?;
    let mut fails = |stage: usize| -> Result<Option<String>> {
        let content = file.content(&file.pipeline.trace.stage(stage)?, false)?;
        let behaviour = runs.run(&[content])?[0];
        Ok(behaviour.is_failure(command).then(|| format!("the command {}", behaviour.describe())))
    };
    let steps = file.pipeline.trace.steps()?;
    if let Some(failure) = fails(0)? {
        return Ok(Found::of(file, Some((Step::START, failure)), "", 0));
    }
    let Some(last) = steps.len().checked_sub(1) else {
        return Ok(Found::of(file, None, "the command succeeds on the only stage", 0));
    };
    let Some(mut failure) = fails(steps[last].after)? else {
        return Ok(Found::of(file, None, "the command succeeds on the first and on the last stage", 0));
    };
    // The command succeeds before the step `low`, and fails after the step `high`.
    let (mut low, mut high) = (0, last);
    while low < high {
        let middle = low.midpoint(high);
        match fails(steps[middle].after)? {
            Some(found) => (high, failure) = (middle, found),
            None => low = middle + 1,
        }
    }
    Ok(Found::of(file, Some((steps[high].clone(), failure)), "", 0))
}
