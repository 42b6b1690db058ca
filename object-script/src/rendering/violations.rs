//! [`CheckText`]: the violations of a check as text with underlined places.

use std::fmt::{self, Write};

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use object_core::access_path::AccessPath;
use object_core::repr::Repr;
use object_core::{Any, ObjectRef, brief_to, inert};
use object_relax::well_formed::{Diagnostic, Report, Rule, Severity};

use super::ShownScript;
use crate::print::ScriptPrinter;

/// The longest shown text of an object, in characters.
const MAX_VALUE: usize = 120;

/// Displays the violations of a check of one program, each with an empty line after it.
pub struct CheckText<'a> {
    /// The name of the file or of the program.
    pub name: &'a str,
    /// The program.
    pub root: &'a Any,
    /// The result of the check.
    pub report: &'a Report,
    /// The text of the file, if it is a script.
    pub given: Option<&'a str>,
    /// The printer of the program.
    pub printer: &'a ScriptPrinter,
    /// The style of the text.
    pub renderer: &'a Renderer,
    /// The largest number of characters of a message.
    pub max_message: usize,
    /// Whether each warning is shown with its place; else each rule has a line with the number of its warnings.
    pub details: bool,
    /// Whether a message names the place that states the rule.
    pub cites: bool,
}

impl fmt::Display for CheckText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CheckText { name, root, report, given, printer, .. } = self;
        let is_shown = |it: &&Diagnostic| it.severity == Severity::Error || self.details;
        let shown: Vec<&Diagnostic> = report.diagnostics.iter().filter(is_shown).collect();
        let script = if shown.is_empty() { None } else { Some(printer.print(*root)) };
        let script = script.as_ref().map(|script| ShownScript::new(name, script, *given));
        let mut linked: Vec<&Rule> = Vec::new();
        for it in &shown {
            let is_first = !linked.contains(&it.rule);
            if is_first {
                linked.push(it.rule);
            }
            writeln!(f, "{}\n", self.violation(script.as_ref(), it, is_first))?;
        }
        let hidden = report.errors + if self.details { report.warnings } else { 0 };
        let hidden = hidden - shown.len();
        if hidden > 0 {
            writeln!(f, "{name}: {hidden} more violations; a higher limit shows them\n")?;
        }
        if !self.details && report.warnings > 0 {
            warning_summary(f, name, report)?;
        }
        if !report.is_complete {
            writeln!(f, "{name}: the check gave up, because scopes share large parts of the graph\n")?;
        }
        Ok(())
    }
}

impl CheckText<'_> {
    /// The lines of the script around the place `path`, or else the short text form of the object there, underlined.
    fn snippet(
        &self,
        script: Option<&ShownScript<'_>>,
        (path, object): (&AccessPath, &ObjectRef),
        kind: AnnotationKind,
        label: &str,
    ) -> Snippet<'static, Annotation<'static>> {
        let label = Some(label.to_owned()).filter(|label| !label.is_empty());
        if let Some(found) = script.and_then(|script| script.snippet(path, kind, label.clone())) {
            return found;
        }
        let value = inert(&short_repr(object)).to_string();
        let label = label.map(|label| inert(&label).to_string());
        let annotation = kind.span(0..value.len()).label(label);
        Snippet::source(value)
            .path(inert(&format!("{} {path}", self.name)).to_string())
            .line_numbering(false)
            .annotation(annotation)
    }

    /// The violation, with its place and the related places as underlined text. The first violation of a rule has a link to the page
    /// of the rule.
    fn violation(&self, script: Option<&ShownScript<'_>>, it: &Diagnostic, is_first: bool) -> String {
        let title = match it.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut label = String::new();
        if let (Some(expected), Some(given)) = (&it.expected, &it.given) {
            let _ = write!(label, "expected {expected}, got {given}");
        }
        let source = if self.cites { format!(" ({})", it.rule.source) } else { String::new() };
        let message = self.brief_inert(&it.message) + &source;
        let mut group = Group::with_title(title.primary_title(message).id(it.rule.name));
        group = group.element(self.snippet(script, (&it.path, &it.object), AnnotationKind::Primary, &label));
        for related in &it.related {
            let place = (&related.path, &related.object);
            group = group.element(self.snippet(script, place, AnnotationKind::Context, &related.message));
        }
        if let Some(fix) = &it.fix {
            group = group.element(Level::HELP.message(self.brief_inert(fix)));
        }
        if is_first {
            group = group.element(Level::NOTE.message(format!("see {}", it.rule.page())));
        }
        self.renderer.render(&[group])
    }

    /// A text of a violation with at most as many characters as a message.
    fn brief_inert(&self, text: &str) -> String {
        inert(&brief_to(text, self.max_message).to_string()).to_string()
    }
}

/// One line for each rule with warnings, with their number.
fn warning_summary(f: &mut fmt::Formatter<'_>, name: &str, report: &Report) -> fmt::Result {
    for it in report.counts.iter().filter(|it| it.severity == Severity::Warning) {
        let places = if it.count == 1 { "place" } else { "places" };
        writeln!(f, "warning[{}]: {} {places} in {}", it.rule.name, it.count, inert(name))?;
    }
    writeln!(f)
}

/// A result of a check in a few words: `ill-formed: 1 error, 0 warnings`.
#[must_use]
pub fn check_verdict(errors: usize, warnings: usize, is_well_formed: bool) -> String {
    let verdict = if is_well_formed { "well-formed" } else { "ill-formed" };
    let counted = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    format!("{verdict}: {}, {}", counted(errors, "error"), counted(warnings, "warning"))
}

/// The beginning of the text form of an object.
#[must_use]
pub fn short_repr(object: &ObjectRef) -> String {
    let mut text = Repr::new(object).max_depth(3).max_items(6).max_values(40).max_text(40).to_string();
    if let Some((end, _)) = text.char_indices().nth(MAX_VALUE) {
        text.truncate(end);
        text.push_str("...");
    }
    text
}
