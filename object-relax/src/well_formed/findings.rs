//! [`Findings`]: collects violations while a walk goes on, and makes the report at the end.

use object_core::ObjectView;
use object_ir::tvm::TvmVersion;
use rustc_hash::FxHashMap;

use crate::well_formed::diagnostic::{Diagnostic, Related, Report, RuleCount, Severity};
use crate::well_formed::place::{Place, Places};
use crate::well_formed::rule::{Level, Phase, Rule};

/// The rules of a check, and the number of violations that it describes.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The phase; rules of later phases do not count.
    pub(super) phase: Phase,
    /// The levels of the profile, by the key of the rule.
    pub(super) profile: &'static FxHashMap<usize, Level>,
    /// The version of TVM whose rules of inference apply.
    pub(super) version: Option<TvmVersion>,
    /// The levels that differ from the profile, by the key of the rule.
    pub(super) levels: FxHashMap<usize, Level>,
    /// The number of errors, and the number of warnings, that a report describes.
    pub(super) limit: usize,
}

impl Settings {
    /// The level of a rule.
    pub(super) fn level(&self, rule: &'static Rule) -> Level {
        if rule.phase > self.phase {
            return Level::Allow;
        }
        let chosen = self.levels.get(&rule.key()).or_else(|| self.profile.get(&rule.key()));
        chosen.copied().unwrap_or(Level::Deny)
    }
}

/// A violation before the end of the walk.
pub(super) struct Draft<'a> {
    rule: &'static Rule,
    severity: Severity,
    order: u64,
    place: Place,
    object: ObjectView<'a>,
    message: String,
    related: Vec<(Place, ObjectView<'a>, String)>,
    expected: Option<String>,
    given: Option<String>,
    fix: Option<String>,
}

impl<'a> Draft<'a> {
    /// Adds a place that explains the violation.
    pub(super) fn related(mut self, place: Place, object: ObjectView<'a>, message: impl Into<String>) -> Self {
        self.related.push((place, object, message.into()));
        self
    }

    /// Adds the value that the rule demands, and the value that the program has.
    pub(super) fn expected(mut self, expected: impl Into<String>, given: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self.given = Some(given.into());
        self
    }

    /// Adds a change that removes the violation.
    pub(super) fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }
}

/// The violations found so far.
pub(super) struct Findings<'a> {
    settings: Settings,
    drafts: Vec<Draft<'a>>,
    next_order: u64,
    errors: usize,
    warnings: usize,
    counts: Vec<RuleCount>,
}

impl<'a> Findings<'a> {
    /// Without violations.
    pub(super) fn new(settings: Settings) -> Self {
        Findings { settings, drafts: Vec::new(), next_order: 0, errors: 0, warnings: 0, counts: Vec::new() }
    }

    /// The level of a rule.
    pub(super) fn level(&self, rule: &'static Rule) -> Level {
        self.settings.level(rule)
    }

    /// Whether the check reports violations of a rule.
    pub(super) fn reports(&self, rule: &'static Rule) -> bool {
        self.level(rule) != Level::Allow
    }

    /// A number for the current moment of the walk, by which the report sorts violations that the walk finds later.
    pub(super) fn now(&mut self) -> u64 {
        self.next_order += 1;
        self.next_order
    }

    /// Adds a violation at the current moment. `describe` completes it; the call skips this if the rule is off or the
    /// report is full.
    pub(super) fn add(
        &mut self,
        rule: &'static Rule,
        place: Place,
        object: ObjectView<'a>,
        message: impl FnOnce() -> String,
        describe: impl FnOnce(Draft<'a>) -> Draft<'a>,
    ) {
        let order = self.now();
        self.add_at(order, rule, place, object, message, describe);
    }

    /// As [`add`](Self::add), for a violation of an earlier moment.
    pub(super) fn add_at(
        &mut self,
        order: u64,
        rule: &'static Rule,
        place: Place,
        object: ObjectView<'a>,
        message: impl FnOnce() -> String,
        describe: impl FnOnce(Draft<'a>) -> Draft<'a>,
    ) {
        let Some(severity) = self.admit(rule) else { return };
        let message = message();
        let (related, expected, given, fix) = (Vec::new(), None, None, None);
        let draft = Draft { rule, severity, order, place, object, message, related, expected, given, fix };
        self.drafts.push(describe(draft));
    }

    /// Counts a violation, and returns its severity if the report describes it: if the rule has a level and the limit is not
    /// reached.
    fn admit(&mut self, rule: &'static Rule) -> Option<Severity> {
        let severity = match self.settings.level(rule) {
            Level::Allow => return None,
            Level::Warn => Severity::Warning,
            Level::Deny => Severity::Error,
        };
        (self.count(rule, severity) <= self.settings.limit).then_some(severity)
    }

    /// Counts a violation. Returns the number of violations of this severity so far.
    fn count(&mut self, rule: &'static Rule, severity: Severity) -> usize {
        match self.counts.iter_mut().find(|it| it.rule == rule) {
            Some(known) => known.count += 1,
            None => self.counts.push(RuleCount { rule, severity, count: 1 }),
        }
        let total = match severity {
            Severity::Warning => &mut self.warnings,
            Severity::Error => &mut self.errors,
        };
        *total += 1;
        *total
    }

    /// The report, in the order of the walk.
    pub(super) fn finish(mut self, places: &Places<'_>, steps: u64, is_complete: bool) -> Report {
        self.drafts.sort_by_key(|draft| draft.order);
        let related = |(place, object, message): (Place, ObjectView<'_>, String)| Related {
            path: places.path(place),
            object: object.to_object(),
            message,
        };
        let diagnostic = |draft: Draft<'_>| Diagnostic {
            rule: draft.rule,
            severity: draft.severity,
            path: places.path(draft.place),
            object: draft.object.to_object(),
            message: draft.message,
            related: draft.related.into_iter().map(related).collect(),
            expected: draft.expected,
            given: draft.given,
            fix: draft.fix,
        };
        let diagnostics = std::mem::take(&mut self.drafts).into_iter().map(diagnostic).collect();
        let Findings { errors, warnings, counts, .. } = self;
        Report { diagnostics, errors, warnings, counts, steps, is_complete }
    }
}
