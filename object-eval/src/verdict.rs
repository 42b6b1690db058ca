//! [`Verdict`]: the answer of a comparison of two runs, and the one place that decides it.

use std::fmt;

use object_core::prelude::*;

use super::comparison::Comparison;

/// Whether two runs have the same result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The results are the same, and all their numbers are finite.
    Same,
    /// The results differ, or one run fails and the other does not.
    Different,
    /// The runs do not tell: NaN or infinity stands in both results, both results are smaller than the tolerance although a
    /// variable differs, or both runs fail in the same way.
    Inconclusive,
    /// A run cannot take place: the module has no such function, or a limit ended the run.
    Failed,
}

impl Verdict {
    /// The name: `same`, `different`, `inconclusive` or `error`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Different => "different",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Failed => "error",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether an error tells nothing about the program: a missing function, or a limit of the run.
fn prevents_run(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::UnknownFunction | ErrorKind::LimitExceeded)
}

impl Comparison {
    /// The answer of the comparison.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match &self.results {
            [Ok(_), Ok(_)] if self.difference.is_some() => Verdict::Different,
            [Ok(_), Ok(_)] if self.coverage.iter().any(|it| it.non_finite > 0) => Verdict::Inconclusive,
            [Ok(_), Ok(_)] if self.binding.is_some() && self.coverage.iter().all(|it| it.is_negligible()) => {
                Verdict::Inconclusive
            }
            [Ok(_), Ok(_)] => Verdict::Same,
            results if results.iter().flat_map(|result| result.as_ref().err()).any(prevents_run) => Verdict::Failed,
            [Err(a), Err(b)] if a.kind() == b.kind() => Verdict::Inconclusive,
            _ => Verdict::Different,
        }
    }

    /// Whether the runs do not contradict each other: the results are the same, NaN and infinity included, or both runs
    /// fail with errors of one kind. [`verdict`](Self::verdict) also says whether this means anything.
    #[must_use]
    pub fn is_same(&self) -> bool {
        match &self.results {
            [Ok(_), Ok(_)] => self.difference.is_none(),
            [Err(a), Err(b)] => a.kind() == b.kind(),
            _ => false,
        }
    }
}
