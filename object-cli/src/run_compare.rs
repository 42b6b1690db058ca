//! `objir run --compare`: runs two modules on the same arguments, and shows where their values first differ.

use object_core::meter::Meter;
use object_core::{Any, Result, Str};
use object_eval::{self, Difference, Evaluator, Tolerance, Trial, Trials, TrialsReport, TrialsText, outcome};
use serde_json::{Map, Value as Json, json};

use crate::output::{Output, Verdict};
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
    let names = &files.map(Source::to_string);
    let shown = TrialsText { names: names.each_ref().map(|it| &**it), report: &report };
    if report.verdict != object_eval::Verdict::Failed || output.is_json() {
        output.show(shown, || to_json(&report))?;
    }
    Ok(match report.verdict {
        object_eval::Verdict::Same => Verdict::Same,
        object_eval::Verdict::Different => Verdict::Different,
        object_eval::Verdict::Inconclusive => Verdict::Inconclusive,
        object_eval::Verdict::Failed => {
            for (file, result) in files.into_iter().zip(report.comparison.results) {
                result.map_or_else(|error| output.fail_in_report(&file.name_in(error)), drop);
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

fn to_json(report: &TrialsReport) -> Json {
    let comparison = &report.comparison;
    let [a, b] = comparison.results.each_ref().map(outcome);
    json!({
        "verdict": report.verdict.name(),
        "same": report.verdict == object_eval::Verdict::Same,
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
        "arguments": trial_json(&report.decisive),
        "trials": report.trials.iter().map(trial_json).collect::<Vec<_>>(),
        "compared": comparison.shared,
        "skipped": comparison.skipped,
    })
}
