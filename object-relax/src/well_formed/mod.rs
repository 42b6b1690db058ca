//! Checks whether programs are well-formed, as the specification demands or as TVM does.
//!
//! [`Checker`] collects every violation of every rule in one walk: [`Report`] with a [`Diagnostic`] for each. A
//! violation is one diagnostic, also if it affects other places. A [`Rule`] states its text, its source and two
//! examples; `docs/rule_index.md` lists all of them. [`Phase`] selects the rules for a stage of compilation, and
//! [`Profile`] the levels of the rules: of a version of TVM, of the specification, or of both.

mod rule;
mod place;
mod diagnostic;
mod names;
mod findings;
mod scopes;
mod memo;
mod inferred;
mod context;
mod call_graph;
mod rules;
mod annotations;
mod loop_scopes;
mod loop_walk;
mod walk;
mod annotation_walk;
mod profile;
mod checker;

pub use checker::{Checker, all_rules, find_rule};
pub use diagnostic::{Diagnostic, Related, Report, RuleCount, Severity};
pub use profile::{Profile, reason_of_levels};
pub use rule::{Level, Phase, Rule};
