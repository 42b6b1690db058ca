//! [`RuleProgress`]: the work of a rewrite by rules, its limits, and the rules that go on for ever.

use std::collections::VecDeque;

use crate::error::{Error, Result};
use crate::limits::{Budget, Limit, Limits};
use crate::value::Str;

/// How many of the last replacements an error about too many of them considers.
const LAST_REPLACEMENTS: usize = 256;

/// The work of a rewrite by rules so far. Every engine of rules counts in one of these: [`RewriteRules`], and rules over
/// parts of a program that are not single objects.
///
/// ```
/// use object_core::{Limits, rewrite::RuleProgress};
/// let name = |rule: usize| ["there", "back"][rule].into();
/// let mut progress = RuleProgress::new(2, &Limits::new().max_nodes(100), &name);
/// let error = (0..).find_map(|number| progress.replace(number % 2).err()).expect("the limit ends it");
/// assert!(error.to_string().contains("`there`") && error.to_string().contains("`back`"), "{error}");
/// ```
///
/// [`RewriteRules`]: crate::rewrite::RewriteRules
pub struct RuleProgress<'r> {
    name: &'r dyn Fn(usize) -> Str,
    replacements: Budget,
    visits: Budget,
    /// How often each rule applied, and how often its replacement did not fit.
    counts: Vec<u64>,
    misfits: Vec<u64>,
    /// The numbers of the rules of the last replacements.
    last: VecDeque<usize>,
}

/// The work of a rewrite by rules.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RewriteStatistics {
    /// How many objects the rewrite has visited.
    pub visits: u64,
    /// The name of each rule, and how often it applied.
    pub replacements: Vec<(Str, u64)>,
    /// The name of each rule, and how often its pattern matched and its replacement did not fit: a field of the replacement
    /// could not hold the value of a hole, or the place of the matched object could not hold the replacement.
    pub misfits: Vec<(Str, u64)>,
}

impl<'r> RuleProgress<'r> {
    /// No work yet, with so many rules. `name` returns the name of a rule by its number.
    #[must_use]
    pub fn new(rules: usize, limits: &Limits, name: &'r dyn Fn(usize) -> Str) -> Self {
        RuleProgress {
            name,
            replacements: Budget::new(limits, Limit::Nodes),
            visits: Budget::steps(limits),
            counts: vec![0; rules],
            misfits: vec![0; rules],
            last: VecDeque::new(),
        }
    }

    /// Counts the visit of a part.
    ///
    /// # Errors
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded) after [`max_steps`](Limits::max_steps) visits, with the names of the
    /// rules that applied last.
    #[inline]
    pub fn visit(&mut self) -> Result<()> {
        self.visits.spend(1).map_err(|error| self.with_cycle(error, Limit::Steps))
    }

    /// Counts a replacement by the rule with this number.
    ///
    /// # Errors
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded) after [`max_nodes`](Limits::max_nodes) replacements, with the names
    /// of the rules that applied last.
    pub fn replace(&mut self, rule: usize) -> Result<()> {
        self.counts[rule] += 1;
        if self.last.len() == LAST_REPLACEMENTS {
            self.last.pop_front();
        }
        self.last.push_back(rule);
        self.replacements.spend(1).map_err(|error| self.with_cycle(error, Limit::Nodes))
    }

    /// Counts a replacement by the rule with this number that does not fit.
    pub(super) fn misfit(&mut self, rule: usize) {
        self.misfits[rule] += 1;
    }

    /// The number of replacements.
    #[must_use]
    pub fn replacements(&self) -> u64 {
        self.replacements.spent()
    }

    /// The name of the rule with this number.
    pub(super) fn name(&self, rule: usize) -> Str {
        (self.name)(rule)
    }

    /// The work so far.
    #[must_use]
    pub(super) fn statistics(&self) -> RewriteStatistics {
        let named = |counts: &[u64]| counts.iter().enumerate().map(|(rule, count)| (self.name(rule), *count)).collect();
        RewriteStatistics {
            visits: self.visits.spent(),
            replacements: named(&self.counts),
            misfits: named(&self.misfits),
        }
    }

    /// The error of a limit, with the rules that applied last.
    #[cold]
    fn with_cycle(&self, error: Error, limit: Limit) -> Error {
        let last: Vec<usize> = self.last.iter().copied().collect();
        if last.is_empty() {
            return error;
        }
        let names: Vec<String> = cycle(&last).into_iter().map(|rule| format!("`{}`", self.name(rule))).collect();
        let message = format!(
            "the rules may go on for ever: after {} replacements and {} visits, the last rules are {}; let a rule match no \
             result of these rules, or raise the limit `{limit}`",
            self.replacements.spent(),
            self.visits.spent(),
            names.join(", ")
        );
        Error::new(error.kind(), message)
    }
}

/// The shortest sequence of rules that the second half of `last` repeats; without one, the rules in `last`, each once.
fn cycle(last: &[usize]) -> Vec<usize> {
    let repeats = |length: &usize| {
        last.iter().rev().zip(last.iter().rev().skip(*length)).take(last.len() / 2).all(|(a, b)| a == b)
    };
    if let Some(length) = (1..=last.len() / 2).find(repeats) {
        return last[last.len() - length..].to_vec();
    }
    let mut once = last.to_vec();
    once.sort_unstable();
    once.dedup();
    once
}

#[cfg(test)]
mod tests {
    use super::cycle;

    #[test]
    fn a_cycle_is_the_shortest_repetition() {
        assert_eq!(cycle(&[0, 1, 2, 1, 2, 1, 2, 1, 2]), [1, 2]);
        assert_eq!(cycle(&[3, 3, 3, 3]), [3]);
        assert_eq!(cycle(&[2, 0, 1]), [0, 1, 2]);
    }
}
