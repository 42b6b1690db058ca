//! The arguments and the results of functions by name: the options and the report of a check, derived programs.

use object_core::prelude::*;
use object_ir::results::count;

use crate::derivation;
use crate::well_formed::{self, Checker, Phase, Profile};

/// The rules of a check.
#[derive(Object)]
#[object(type_key = "objir.CheckOptions")]
#[structural_eq(tree)]
pub struct CheckOptionsNode {
    /// The rules of this phase and of earlier phases apply: `ast`, `normal` or `typed`.
    #[field(default = "typed")]
    pub phase: Str,
    /// Whose rules apply: `tvm-0.25`, `tvm-0.27`, `strict` or `spec`.
    #[field(default = "tvm-0.25")]
    pub profile: Str,
    /// The rules whose violations are not reported.
    #[field(default)]
    pub allow: Array<Str>,
    /// The rules whose violations are warnings.
    #[field(default)]
    pub warn: Array<Str>,
    /// The rules whose violations are errors.
    #[field(default)]
    pub deny: Array<Str>,
    /// The largest number of violations with a description.
    #[field(default = 1000)]
    pub limit: i64,
}

impl CheckOptions {
    /// The checker with these rules.
    ///
    /// # Errors
    /// [`UnknownField`](ErrorKind::UnknownField) for the name of a phase, a profile or a rule that does not exist, and
    /// [`OutOfRange`](ErrorKind::OutOfRange) for a negative limit.
    pub fn checker(&self) -> Result<Checker, Error> {
        let phase = Phase::ALL.into_iter().find(|phase| phase.name() == self.phase.as_str()).ok_or_else(|| {
            let names = Phase::ALL.map(Phase::name).join(", ");
            Error::new(ErrorKind::UnknownField, format!("`{}` is not a phase; the phases are {names}", self.phase))
        })?;
        let checker = Checker::new().phase(phase).limit(count("limit", self.limit)?);
        let checker = checker.profile(Profile::find(&self.profile)?);
        let checker = self.allow.iter().try_fold(checker, |checker, rule| checker.allow(&rule))?;
        let checker = self.warn.iter().try_fold(checker, |checker, rule| checker.warn(&rule))?;
        self.deny.iter().try_fold(checker, |checker, rule| checker.deny(&rule))
    }
}

/// The violations that a check found, in the order of the program.
#[derive(Object)]
#[object(type_key = "objir.Report")]
#[structural_eq(tree)]
pub struct ReportNode {
    /// Whether there is no error, and the check is complete.
    pub is_well_formed: bool,
    /// The violations, at most as many as the options say.
    pub violations: Array<Violation>,
    /// The number of errors.
    pub errors: i64,
    /// The number of warnings.
    pub warnings: i64,
    /// Whether the check visited everything.
    pub is_complete: bool,
}

impl Report {
    /// The report as an object.
    #[must_use]
    pub fn of(report: &well_formed::Report) -> Self {
        let violations = report.diagnostics.iter().map(Violation::of);
        let (errors, warnings) = (report.errors as i64, report.warnings as i64);
        Report::new(report.is_well_formed(), violations, errors, warnings, report.is_complete)
    }
}

/// One violation of a rule.
#[derive(Object)]
#[object(type_key = "objir.Violation")]
#[structural_eq(tree)]
pub struct ViolationNode {
    /// The name of the rule.
    pub rule: Str,
    /// `error` or `warning`.
    pub severity: Str,
    /// The path of the place.
    pub path: Str,
    /// The violation in words.
    pub message: Str,
    /// A change that removes the violation, where there is an obvious one.
    pub help: Option<Str>,
    /// The object at the place.
    pub place: ObjectRef,
    /// Other places that explain the violation.
    pub related: Array<RelatedPlace>,
}

impl Violation {
    fn of(diagnostic: &well_formed::Diagnostic) -> Self {
        let related = |it: &well_formed::Related| RelatedPlace::new(it.path.to_string(), &*it.message, &it.object);
        let (path, severity) = (diagnostic.path.to_string(), diagnostic.severity.to_string());
        let help = diagnostic.fix.as_deref().map(Str::from);
        let related = diagnostic.related.iter().map(related);
        Violation::new(diagnostic.rule.name, severity, path, &*diagnostic.message, help, &diagnostic.object, related)
    }
}

/// Another place that explains a violation.
#[derive(Object)]
#[object(type_key = "objir.RelatedPlace")]
#[structural_eq(tree)]
pub struct RelatedPlaceNode {
    /// The path of the place.
    pub path: Str,
    /// Its part in the violation, such as `bound here`.
    pub message: Str,
    /// The object at the place.
    pub place: ObjectRef,
}

/// A program with structural information in all parts.
#[derive(Object)]
#[object(type_key = "objir.Inferred")]
#[structural_eq(tree)]
pub struct InferredNode {
    /// The program.
    pub result: Any,
    /// Facts about the program that are not errors.
    pub findings: Array<Finding>,
}

/// A fact about a program that is not an error.
#[derive(Object)]
#[object(type_key = "objir.Finding")]
#[structural_eq(tree)]
pub struct FindingNode {
    /// The kind, such as `FailingCast`.
    pub kind: Str,
    /// The path of the place in the given program.
    pub path: Str,
    /// The fact in words.
    pub message: Str,
}

impl Finding {
    /// The fact as an object.
    #[must_use]
    pub fn of(finding: &derivation::Finding) -> Self {
        Finding::new(format!("{:?}", finding.kind), finding.path.to_string(), &*finding.message)
    }
}
