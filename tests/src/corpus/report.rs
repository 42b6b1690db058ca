//! The report of a run: a line per kind, the reasons for skipped facts, and every disagreement.

use std::collections::BTreeMap;
use std::fmt;

use super::Outcome;
use super::facts::{Fact, Problem};

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    kinds: BTreeMap<String, KindReport>,
}

/// The result for the facts of one kind.
#[derive(Clone, Debug, Default)]
pub struct KindReport {
    /// The facts that hold here.
    pub agreed: usize,
    /// The exceptions: the number of facts by id or kind, and reason.
    pub skipped: BTreeMap<(String, String), usize>,
    /// The facts that do not hold.
    pub disagreements: Vec<Disagreement>,
    /// The checks that agree, and all checks, by group.
    pub groups: BTreeMap<String, (usize, usize)>,
}

/// A fact that does not hold here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The id of the fact.
    pub id: String,
    /// The recorded result and the result here.
    pub problem: Problem,
}

impl Report {
    /// Whether all facts except the exceptions hold.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.kinds().all(|(_, part)| part.disagreements.is_empty())
    }

    /// The kinds by name.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, &KindReport)> {
        self.kinds.iter().map(|(kind, part)| (kind.as_str(), part))
    }

    /// The part for `kind`, new if there is none yet.
    pub(super) fn kind(&mut self, kind: &str) -> &mut KindReport {
        self.kinds.entry(kind.to_owned()).or_default()
    }
}

impl KindReport {
    /// All facts of the kind.
    #[must_use]
    pub fn total(&self) -> usize {
        self.agreed + self.skipped() + self.disagreements.len()
    }

    /// The exceptions.
    #[must_use]
    pub fn skipped(&self) -> usize {
        self.skipped.values().sum()
    }

    /// Counts `count` facts as exceptions.
    pub(super) fn skip(&mut self, key: &str, reason: &str, count: usize) {
        *self.skipped.entry((key.to_owned(), reason.to_owned())).or_default() += count;
    }

    /// Counts a checked fact of the kind `name`. An exception that holds is a disagreement with the list of exceptions.
    pub(super) fn add(&mut self, fact: &Fact, name: &str, outcome: Outcome, reason: Option<&str>) {
        for (group, (agreed, total)) in outcome.groups {
            let counts = self.groups.entry(format!("{name}/{group}")).or_default();
            *counts = (counts.0 + agreed, counts.1 + total);
        }
        let checked = outcome.checked;
        let problem = match (checked, reason) {
            (Ok(()), None) => {
                self.agreed += 1;
                return;
            }
            (Err(_), Some(reason)) => return self.skip(fact.id(), reason, 1),
            (Ok(()), Some(reason)) => {
                Problem::new(format!("an exception ({reason})"), "it holds: remove the exception")
            }
            (Err(problem), None) => problem,
        };
        self.disagreements.push(Disagreement { id: fact.id().to_owned(), problem });
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, part) in self.kinds() {
            let (total, agreed, skipped) = (part.total(), part.agreed, part.skipped());
            writeln!(f, "{kind} total={total} agreed={agreed} skipped={skipped}")?;
        }
        for (_, part) in self.kinds() {
            for ((key, reason), count) in &part.skipped {
                writeln!(f, "skipped {key} ({count}): {reason}")?;
            }
        }
        for (_, part) in self.kinds() {
            for (group, (agreed, total)) in &part.groups {
                writeln!(f, "{group} {agreed}/{total}")?;
            }
        }
        for (kind, part) in self.kinds() {
            for Disagreement { id, problem } in &part.disagreements {
                writeln!(f, "{kind} {id}\n  expected {}\n  got      {}", problem.expected, problem.got)?;
            }
        }
        Ok(())
    }
}
