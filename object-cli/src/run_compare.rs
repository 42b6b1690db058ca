//! `objir run --compare`: runs two modules on the same arguments, and shows where their values first differ.

use std::fmt;

use object_core::meter::Meter;
use object_core::{Any, Error, Result, Str};
use object_eval::{
    self, BindingDifference, Comparison, Difference, Evaluator, Tolerance, Trial, Trials, TrialsReport, Value,
};
use serde_json::{Map, Value as Json, json};

use crate::output::{Output, Verdict, print_error};
use crate::progress::Progress;
use crate::run_args::RunArgs;
use crate::source::Source;

/// Compares the runs of two modules; `given` are the arguments that are not random, and `meter` counts the memory.
pub(crate) fn run(
    options: &RunArgs,
    other: &Source,
    evaluators: [Evaluator; 2],
    (given, meter): (Vec<(Str, Any)>, &Meter),
    output: &Output,
) -> Result<Verdict> {
    let report = {
        let progress = Progress::new(output.is_json());
        let [a, b] = evaluators.map(|evaluator| progress.of(evaluator));
        trials(options, given).meter(meter).compare([&a, &b], &options.func)?
    };
    let files = [&options.file, other];
    let shown = Report { files, report: &report, comparison: &report.comparison };
    if report.verdict != object_eval::Verdict::Failed || output.is_json() {
        output.show(&shown, || shown.to_json())?;
    }
    Ok(match report.verdict {
        object_eval::Verdict::Same => Verdict::Same,
        object_eval::Verdict::Different => Verdict::Different,
        object_eval::Verdict::Inconclusive => Verdict::Inconclusive,
        object_eval::Verdict::Failed => {
            for (file, result) in files.into_iter().zip(report.comparison.results) {
                result.map_or_else(|error| print_error(&file.name_in(error)), drop);
            }
            Verdict::Failed
        }
    })
}

/// The trials that the command line asks for.
fn trials(options: &RunArgs, given: Vec<(Str, Any)>) -> Trials {
    let tolerance = options.rtol.iter().fold(Tolerance::new(), |tolerance, rtol| tolerance.relative(*rtol));
    let tolerance = options.atol.iter().fold(tolerance, |tolerance, atol| tolerance.absolute(*atol));
    let trials = Trials::new(options.seed).seeds(options.seeds).tolerance(tolerance);
    let trials = options.dim.iter().fold(trials, |trials, (name, size)| trials.sizes(name, [*size]));
    let trials = options.dims.iter().fold(trials, |trials, (name, sizes)| trials.sizes(name, sizes.iter().copied()));
    given.into_iter().fold(trials, |trials, (name, value)| trials.given(name, value))
}

/// The result of a comparison for people.
struct Report<'a> {
    files: [&'a Source; 2],
    report: &'a TrialsReport,
    comparison: &'a Comparison,
}

fn outcome(result: &Result<Any, Error>) -> String {
    match result {
        Ok(value) => Value::of(value).to_string(),
        Err(error) => format!("the error {error}"),
    }
}

impl Report<'_> {
    /// Why the decisive trial does not tell.
    fn reason(&self) -> String {
        let Comparison { results, coverage: [_, coverage], .. } = self.comparison;
        match results {
            [Ok(_), Ok(_)] if coverage.non_finite > 0 => {
                format!("{} of {} elements are NaN or infinite in both results", coverage.non_finite, coverage.elements)
            }
            [Ok(_), Ok(_)] => "all elements of both results are smaller than the tolerance".to_owned(),
            [_, b] => format!("both runs fail: {}", outcome(b)),
        }
    }

    /// The line about the first variable that differs.
    fn write_binding(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(binding) = &self.comparison.binding else {
            return write!(f, "no variable of both modules differs: {} values compared", self.comparison.shared);
        };
        let times = match binding.earlier {
            0 => String::new(),
            earlier => format!(" (after {earlier} other values of it)"),
        };
        let BindingDifference { name, operation, difference, .. } = binding;
        write!(f, "the first variable that differs: {name} = {operation}{times}: {difference}")?;
        if self.report.verdict == object_eval::Verdict::Same {
            f.write_str(
                "\n  It does not change the results: the modules use the name for different values, or the difference gets \
                 lost on the way to the results.",
            )?;
        }
        Ok(())
    }

    /// The line about the arguments.
    fn write_trials(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Trial { seed, sizes, spread, .. } = &self.report.decisive;
        write!(f, "arguments: seed {seed}, {spread}")?;
        sizes.iter().try_for_each(|(name, size)| write!(f, ", {name} = {size}"))?;
        let trials = &self.report.trials;
        let told = trials.iter().filter(|trial| trial.verdict == self.report.verdict).count();
        write!(f, "; {told} of {} trials: {}", trials.len(), self.report.verdict)
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { files: [first, second], comparison, .. } = self;
        let [a, b] = comparison.results.each_ref().map(outcome);
        match (self.report.verdict, &comparison.difference) {
            (object_eval::Verdict::Different, Some(difference)) => {
                writeln!(f, "different: {difference}\n  first: {first}\n  second: {second}")?;
            }
            (object_eval::Verdict::Same, _) => writeln!(f, "the same: {b}")?,
            (object_eval::Verdict::Inconclusive, _) => writeln!(f, "inconclusive: {}", self.reason())?,
            (verdict, _) => writeln!(f, "{verdict}: {first}: {a}\n           {second}: {b}")?,
        }
        self.write_binding(f)?;
        if let Some(variable) = &comparison.non_finite {
            write!(f, "\nthe first variable with NaN or infinity: {variable}")?;
        }
        f.write_str("\n")?;
        self.write_trials(f)?;
        if comparison.skipped > 0 {
            write!(f, "\n{} values did not fit the memory budget and were not compared", comparison.skipped)?;
        }
        Ok(())
    }
}

/// The arguments and the verdict of a trial.
fn trial_json(trial: &Trial) -> Json {
    let sizes: Map<String, Json> = trial.sizes.iter().map(|(name, size)| (name.clone(), json!(size))).collect();
    let spread = trial.spread;
    json!({
        "seed": trial.seed,
        "dims": sizes,
        "scale": spread.scale,
        "positive": spread.is_positive,
        "verdict": trial.verdict.name(),
    })
}

fn difference_json(difference: &Difference) -> Json {
    json!({
        "member": difference.member,
        "element": difference.element,
        "first": difference.a,
        "second": difference.b,
        "differing": difference.counts.map(|(differing, _)| differing),
        "elements": difference.counts.map(|(_, all)| all),
        "rtol": difference.tolerance.map(|(relative, _)| relative),
        "atol": difference.tolerance.map(|(_, absolute)| absolute),
    })
}

impl Report<'_> {
    fn to_json(&self) -> Json {
        let comparison = self.comparison;
        let [a, b] = comparison.results.each_ref().map(outcome);
        json!({
            "verdict": self.report.verdict.name(),
            "same": self.report.verdict == object_eval::Verdict::Same,
            "first": a,
            "second": b,
            "difference": comparison.difference.as_ref().map(difference_json),
            "variable": comparison.binding.as_ref().map(|binding| json!({
                "name": binding.name,
                "earlier": binding.earlier,
                "operation": binding.operation,
                "difference": difference_json(&binding.difference),
            })),
            "elements": comparison.coverage[1].elements,
            "non_finite": comparison.coverage[1].non_finite,
            "first_non_finite": comparison.non_finite,
            "arguments": trial_json(&self.report.decisive),
            "trials": self.report.trials.iter().map(trial_json).collect::<Vec<_>>(),
            "compared": comparison.shared,
            "skipped": comparison.skipped,
        })
    }
}
