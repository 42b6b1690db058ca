//! `objir check`: whether programs are well-formed, with every violation.

use std::fmt::{self, Write};

use annotate_snippets::{AnnotationKind, Group, Level as Title, Origin, Renderer, Snippet};
use object_core::repr::Repr;
use object_core::{ObjectRef, Result};
use object_ir::well_formed::{Checker, Diagnostic, Profile, Report, Rule, Severity};
use serde_json::{Value, json};

use crate::args::CheckArgs;
use crate::input::{Reading, Source};
use crate::output::{Output, Verdict};
use crate::script_snippet::renderer;

pub(crate) fn run(args: &CheckArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    if let Some(rule) = args.explain {
        output.show(Explained(rule), || explanation(rule))?;
        return Ok(Verdict::Same);
    }
    let checker = checker(args)?;
    let mut files = Vec::new();
    for source in &args.files {
        let graph = source.load(reading)?;
        files.push((source, checker.check(&graph.root)));
    }
    let is_well_formed = files.iter().all(|(_, report)| report.is_well_formed());
    let reports = Reports { files };
    output.show(&reports, || reports.to_json())?;
    Ok(Verdict::of(is_well_formed))
}

/// The checker with the chosen phase, profile and levels. The later of two options does not count more: `--deny` outranks
/// `--warn`, and `--warn` outranks `--allow`.
fn checker(args: &CheckArgs) -> Result<Checker> {
    let mut checker = Checker::new().phase(args.phase).limit(args.limit);
    if let Some(profile) = args.profile {
        checker = checker.profile(profile);
    }
    for rule in &args.allow {
        checker = checker.allow(rule.name)?;
    }
    for rule in &args.warn {
        checker = checker.warn(rule.name)?;
    }
    for rule in &args.deny {
        checker = checker.deny(rule.name)?;
    }
    Ok(checker)
}

/// A rule in full.
struct Explained(&'static Rule);

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = self.0;
        writeln!(f, "{}: level {}, phase {}\n\n{}\n", rule.name, rule.level, rule.phase, rule.text)?;
        for profile in Profile::ALL {
            for (_, level, reason) in profile.differences().filter(|(it, ..)| *it == rule) {
                writeln!(f, "Under {profile}: {level} ({reason}).")?;
            }
        }
        writeln!(f, "Source: {}.\n\nBreaks the rule:\n\n    {}\n", rule.source, rule.failing)?;
        write!(f, "Keeps it:\n\n    {}", rule.passing)
    }
}

fn explanation(rule: &Rule) -> Value {
    json!({
        "rule": rule.name,
        "level": rule.level.name(),
        "phase": rule.phase.name(),
        "text": rule.text,
        "source": rule.source,
        "failing": rule.failing,
        "passing": rule.passing,
    })
}

/// The longest shown text of an object, in characters.
const MAX_VALUE: usize = 120;

/// The results for all files.
struct Reports<'a> {
    files: Vec<(&'a Source, Report)>,
}

impl Reports<'_> {
    fn count(&self, count: impl Fn(&Report) -> usize) -> usize {
        self.files.iter().map(|(_, report)| count(report)).sum()
    }

    fn to_json(&self) -> Value {
        let files = self.files.iter().map(|(source, report)| {
            json!({
                "file": source.to_string(),
                "errors": report.errors,
                "warnings": report.warnings,
                "is_complete": report.is_complete,
                "diagnostics": report.diagnostics.iter().map(diagnostic).collect::<Vec<_>>(),
            })
        });
        json!({
            "errors": self.count(|report| report.errors),
            "warnings": self.count(|report| report.warnings),
            "files": files.collect::<Vec<_>>(),
        })
    }
}

fn diagnostic(it: &Diagnostic) -> Value {
    let related = it.related.iter().map(|related| {
        json!({
            "path": related.path.to_string(),
            "message": related.message,
            "value": one_line(&related.object),
        })
    });
    json!({
        "rule": it.rule.name,
        "severity": it.severity.to_string(),
        "path": it.path.to_string(),
        "value": one_line(&it.object),
        "message": it.message,
        "related": related.collect::<Vec<_>>(),
        "expected": it.expected,
        "given": it.given,
        "fix": it.fix,
    })
}

fn one_line(object: &ObjectRef) -> String {
    let mut text = Repr::new(object).max_depth(3).max_items(6).max_values(40).max_text(40).to_string();
    if let Some((end, _)) = text.char_indices().nth(MAX_VALUE) {
        text.truncate(end);
        text.push_str("...");
    }
    text
}

impl fmt::Display for Reports<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let renderer = renderer();
        for (source, report) in &self.files {
            for it in &report.diagnostics {
                writeln!(f, "{}\n", render(&renderer, source, it))?;
            }
            let hidden = report.errors + report.warnings - report.diagnostics.len();
            if hidden > 0 {
                writeln!(f, "{source}: {hidden} more violations; `--limit` shows them\n")?;
            }
            if !report.is_complete {
                writeln!(f, "{source}: the check gave up, because scopes share large parts of the graph\n")?;
            }
        }
        let (errors, warnings) = (self.count(|report| report.errors), self.count(|report| report.warnings));
        let files = self.files.len();
        let verdict =
            if self.files.iter().all(|(_, report)| report.is_well_formed()) { "well-formed" } else { "ill-formed" };
        write!(f, "{verdict}: {}, {}", counted(errors, "error"), counted(warnings, "warning"))?;
        if files == 1 { Ok(()) } else { write!(f, " in {}", counted(files, "file")) }
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The violation, with its place and the related places as underlined text.
fn render(renderer: &Renderer, source: &Source, it: &Diagnostic) -> String {
    let title = match it.severity {
        Severity::Error => Title::ERROR,
        Severity::Warning => Title::WARNING,
    };
    let mut label = String::new();
    if let (Some(expected), Some(given)) = (&it.expected, &it.given) {
        let _ = write!(label, "expected {expected}, got {given}");
    }
    let value = one_line(&it.object);
    let length = value.len();
    let mut group: Group<'_> = title
        .primary_title(it.message.as_str())
        .id(it.rule.name)
        .element(Origin::path(format!("{source} {}", it.path)))
        .element(
            Snippet::source(value)
                .line_numbering(false)
                .annotation(AnnotationKind::Primary.span(0..length).label(label)),
        );
    for related in &it.related {
        let value = one_line(&related.object);
        let length = value.len();
        group = group.element(Origin::path(format!("{source} {}", related.path))).element(
            Snippet::source(value)
                .line_numbering(false)
                .annotation(AnnotationKind::Context.span(0..length).label(related.message.as_str())),
        );
    }
    if let Some(fix) = &it.fix {
        group = group.element(Title::HELP.message(fix.as_str()));
    }
    renderer.render(&[group])
}
