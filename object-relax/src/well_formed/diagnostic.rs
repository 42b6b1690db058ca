//! [`Diagnostic`]: one violation of a rule, and [`Report`]: the violations of a program.

use std::fmt;

use object_core::ObjectRef;
use object_core::access_path::AccessPath;

use crate::well_formed::rule::Rule;

/// How serious a violation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The program is legal but probably not intended.
    Warning,
    /// The program is illegal.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// Another place that explains a violation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Related {
    /// The place.
    pub path: AccessPath,
    /// The object at the place.
    pub object: ObjectRef,
    /// Its part in the violation, such as `bound here`.
    pub message: String,
}

/// One violation of a rule.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The rule.
    pub rule: &'static Rule,
    /// Whether it is an error.
    pub severity: Severity,
    /// The place of the violation.
    pub path: AccessPath,
    /// The object at the place.
    pub object: ObjectRef,
    /// The violation in words, as one sentence without a full stop.
    pub message: String,
    /// Other places that explain it.
    pub related: Vec<Related>,
    /// The expected value, where the rule demands one.
    pub expected: Option<String>,
    /// The value that the program has instead.
    pub given: Option<String>,
    /// A change that removes the violation, where there is an obvious one.
    pub fix: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {} at {}", self.severity, self.rule.name, self.message, self.path)
    }
}

/// The number of violations of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleCount {
    /// The rule.
    pub rule: &'static Rule,
    /// Whether they are errors.
    pub severity: Severity,
    /// The number.
    pub count: usize,
}

/// The violations that a checker found, in the order of the program.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The violations, at most as many errors and as many warnings as the checker collects.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of errors, including errors beyond the limit of the checker.
    pub errors: usize,
    /// The number of warnings, including warnings beyond the limit of the checker.
    pub warnings: usize,
    /// The number of violations of each broken rule, including violations beyond the limit of the checker.
    pub counts: Vec<RuleCount>,
    /// The steps of the check: the visits of expressions, bindings, annotations and scalars.
    pub steps: u64,
    /// Whether the check visited everything. It gives up only on graphs that were made to be expensive: graphs that
    /// share large parts among many scopes, each of which binds the variables of these parts anew.
    pub is_complete: bool,
}

impl Report {
    /// Whether there is no error, and the check is complete. Warnings do not count.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        self.errors == 0 && self.is_complete
    }

    /// The first error, as far as the limit of the checker admits a description.
    #[must_use]
    pub fn first_error(&self) -> Option<&Diagnostic> {
        self.diagnostics.iter().find(|it| it.severity == Severity::Error)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostics.iter().try_for_each(|diagnostic| writeln!(f, "{diagnostic}"))?;
        let plural = |count| if count == 1 { "" } else { "s" };
        let (errors, warnings) = (self.errors, self.warnings);
        write!(f, "{errors} error{}, {warnings} warning{}", plural(errors), plural(warnings))?;
        if self.is_complete { Ok(()) } else { f.write_str("; the check gave up before the end") }
    }
}
