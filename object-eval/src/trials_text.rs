//! [`TrialsText`]: the result of a comparison of runs as text.

use std::fmt;

use object_core::{Any, Error, Result};

use crate::comparison::{BindingDifference, Comparison};
use crate::trials::{Trial, TrialsReport};
use crate::value::Value;
use crate::verdict::Verdict;

/// Displays the result of a comparison for people.
pub struct TrialsText<'a> {
    /// The names of the files or of the modules.
    pub names: [&'a str; 2],
    /// The result.
    pub report: &'a TrialsReport,
}

/// The result of a run in a few words.
#[must_use]
pub fn outcome(result: &Result<Any, Error>) -> String {
    match result {
        Ok(value) => Value::of(value).to_string(),
        Err(error) => format!("the error {error}"),
    }
}

impl TrialsText<'_> {
    /// Why the decisive trial does not tell.
    fn reason(&self) -> String {
        let Comparison { results, coverage: [_, coverage], .. } = &self.report.comparison;
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
        let Some(binding) = &self.report.comparison.binding else {
            return write!(f, "no variable of both modules differs: {} values compared", self.report.comparison.shared);
        };
        let times = match binding.earlier {
            0 => String::new(),
            earlier => format!(" (after {earlier} other values of it)"),
        };
        let BindingDifference { name, operation, difference, .. } = binding;
        write!(f, "the first variable that differs: {name} = {operation}{times}: {difference}")?;
        if self.report.verdict == Verdict::Same {
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

impl fmt::Display for TrialsText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TrialsText { names: [first, second], report: TrialsReport { comparison, .. } } = self;
        let [a, b] = comparison.results.each_ref().map(outcome);
        match (self.report.verdict, &comparison.difference) {
            (Verdict::Different, Some(difference)) => {
                writeln!(f, "different: {difference}\n  first: {first}\n  second: {second}")?;
            }
            (Verdict::Same, _) => writeln!(f, "the same: {b}")?,
            (Verdict::Inconclusive, _) => writeln!(f, "inconclusive: {}", self.reason())?,
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
