//! [`Rule`]: the text, the source and the examples of one demand on programs.

use std::fmt;

/// A stage of compilation, at the end of which a program keeps the rules of the phase. Each phase includes the earlier
/// ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// The program is built or parsed: variables, scopes, blocks and annotations are right.
    Ast,
    /// The program is in normal form.
    Normal,
    /// The structural information of the program is right, as far as the program states it.
    Typed,
}

impl Phase {
    /// All phases, the earliest first.
    pub const ALL: [Phase; 3] = [Phase::Ast, Phase::Normal, Phase::Typed];

    /// The name: `ast`, `normal` or `typed`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Phase::Ast => "ast",
            Phase::Normal => "normal",
            Phase::Typed => "typed",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a checker treats the violations of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// It does not report them.
    Allow,
    /// It reports them as warnings.
    Warn,
    /// It reports them as errors.
    Deny,
}

impl Level {
    /// All levels, the mildest first.
    pub(super) const ALL: [Level; 3] = [Level::Allow, Level::Warn, Level::Deny];

    /// The name: `allow`, `warn` or `deny`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Level::Allow => "allow",
            Level::Warn => "warn",
            Level::Deny => "deny",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One demand on programs. Each is a static item, and objects of this type are compared by name.
#[derive(Debug)]
#[non_exhaustive]
pub struct Rule {
    /// The name, in kebab-case. It never changes.
    pub name: &'static str,
    /// The first phase that demands it.
    pub phase: Phase,
    /// The criteria of the specification that it checks: a number of "Well-Formedness Criteria", or `NF` and a number of
    /// "Normal Form". Empty if it comes from elsewhere.
    pub criteria: &'static [&'static str],
    /// The rule in words.
    pub text: &'static str,
    /// The place that states the rule.
    pub source: &'static str,
    /// A program that breaks this rule, once, and no other rule, in the notation of `docs/rule_index.md`.
    pub failing: &'static str,
    /// A similar program that keeps all rules.
    pub passing: &'static str,
}

/// The page of the rules, which has a heading with the name of each.
const RULE_INDEX: &str = "https://docs.rs/object-relax/latest/object_relax/guide/rule_index/";

impl Rule {
    /// The address of the section about the rule in the index of rules, `docs/rule_index.md`.
    #[must_use]
    pub fn page(&self) -> String {
        format!("{RULE_INDEX}#{}", self.name)
    }

    /// The key of the rule in tables: its address, which hashes faster than its name.
    pub(super) fn key(&'static self) -> usize {
        std::ptr::from_ref(self).addr()
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        self.name == other.name
    }
}

impl Eq for Rule {}
