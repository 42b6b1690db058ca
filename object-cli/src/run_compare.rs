//! `objir run --compare`: runs two modules on the same arguments, and shows where their values first differ.

use std::fmt;

use object_core::{Any, Error, Result};
use object_ir::eval::{Comparison, Difference, Evaluator, Tolerance, Value, compare};
use serde_json::{Value as Json, json};

use crate::output::{Output, Verdict};
use crate::progress::Progress;
use crate::run_args::RunArgs;
use crate::source::Source;

/// Compares the runs of two modules; `args` are the arguments of both.
pub(crate) fn run(
    options: &RunArgs,
    other: &Source,
    evaluators: [Evaluator; 2],
    args: &[Any],
    output: &Output,
) -> Result<Verdict> {
    let tolerance = options.rtol.iter().fold(Tolerance::new(), |tolerance, rtol| tolerance.relative(*rtol));
    let tolerance = options.atol.iter().fold(tolerance, |tolerance, atol| tolerance.absolute(*atol));
    let comparison = {
        let progress = Progress::new(output.is_json());
        let [a, b] = evaluators.map(|evaluator| progress.of(evaluator));
        compare([&a, &b], &options.func, args, tolerance, options.max_memory)?
    };
    let report = Report { files: [&options.file, other], comparison: &comparison };
    output.show(&report, || report.to_json())?;
    Ok(Verdict::of(comparison.is_same()))
}

/// The result of a comparison for people.
struct Report<'a> {
    files: [&'a Source; 2],
    comparison: &'a Comparison,
}

fn outcome(result: &Result<Any, Error>) -> String {
    match result {
        Ok(value) => Value::of(value).to_string(),
        Err(error) => format!("the error {error}"),
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { files: [first, second], comparison } = self;
        let [a, b] = comparison.results.each_ref().map(outcome);
        match (&comparison.results, &comparison.difference) {
            (_, Some(difference)) => {
                writeln!(f, "different: {difference}\n  first: {first}\n  second: {second}")?;
            }
            ([Ok(_), Ok(_)], None) => writeln!(f, "the same: {b}")?,
            ([Err(_), Err(_)], None) if comparison.is_same() => writeln!(f, "both runs fail: {b}")?,
            _ => writeln!(f, "different: {first}: {a}\n           {second}: {b}")?,
        }
        match &comparison.binding {
            Some(binding) => {
                let times = if binding.earlier > 0 {
                    format!(" (after {} other values of it)", binding.earlier)
                } else {
                    String::new()
                };
                write!(
                    f,
                    "the first variable that differs: {} = {}{times}: {}",
                    binding.name, binding.operation, binding.difference
                )?;
            }
            None => write!(f, "no variable of both modules differs: {} values compared", comparison.shared)?,
        }
        if comparison.skipped > 0 {
            write!(f, "\n{} values did not fit the memory budget and were not compared", comparison.skipped)?;
        }
        Ok(())
    }
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
            "same": comparison.is_same(),
            "first": a,
            "second": b,
            "difference": comparison.difference.as_ref().map(difference_json),
            "variable": comparison.binding.as_ref().map(|binding| json!({
                "name": binding.name,
                "earlier": binding.earlier,
                "operation": binding.operation,
                "difference": difference_json(&binding.difference),
            })),
            "compared": comparison.shared,
            "skipped": comparison.skipped,
        })
    }
}
