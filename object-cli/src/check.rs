//! `objir check`: whether programs are well-formed, with every violation.

use std::fmt::{self, Write};
use std::io;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level as Title, Renderer, Snippet};
use object_core::access_path::AccessPath;
use object_core::repr::Repr;
use object_core::{Any, ObjectRef, Result};
use object_ir::script::print::{Script, print};
use object_ir::well_formed::{Checker, Diagnostic, Profile, Report, Rule, Severity};
use serde_json::{Value, json};

use crate::args::CheckArgs;
use crate::input::Reading;
use crate::output::{Output, Verdict};
use crate::script_snippet::{renderer, snippet};
use crate::source::Source;

pub(crate) fn run(args: &CheckArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    if let Some(rule) = args.explain {
        output.show(Explained(rule), || explanation(rule))?;
        return Ok(Verdict::Same);
    }
    let checker = checker(args)?;
    let mut files = Vec::new();
    for source in &args.files {
        let graph = source.load_for("check", reading)?;
        files.push(Checked { source, report: checker.check(&graph.root), root: graph.root });
    }
    let is_well_formed = files.iter().all(|file| file.report.is_well_formed());
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

/// The result for a file.
struct Checked<'a> {
    source: &'a Source,
    root: Any,
    report: Report,
}

/// The results for all files.
struct Reports<'a> {
    files: Vec<Checked<'a>>,
}

impl Reports<'_> {
    fn count(&self, count: impl Fn(&Report) -> usize) -> usize {
        self.files.iter().map(|file| count(&file.report)).sum()
    }

    fn to_json(&self) -> Value {
        let files = self.files.iter().map(|Checked { source, report, .. }| {
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
        let renderer = renderer(&io::stdout());
        for Checked { source, root, report } in &self.files {
            let script = if report.diagnostics.is_empty() { None } else { Some(print(root)) };
            let view = View { renderer: &renderer, source, script: script.as_ref() };
            for it in &report.diagnostics {
                writeln!(f, "{}\n", view.render(it))?;
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
            if self.files.iter().all(|file| file.report.is_well_formed()) { "well-formed" } else { "ill-formed" };
        write!(f, "{verdict}: {}, {}", counted(errors, "error"), counted(warnings, "warning"))?;
        if files == 1 { Ok(()) } else { write!(f, " in {}", counted(files, "file")) }
    }
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// How the violations in a file are shown.
struct View<'a> {
    renderer: &'a Renderer,
    source: &'a Source,
    /// The program as text.
    script: Option<&'a Script>,
}

impl View<'_> {
    /// The lines of the script around the place `path`, or else the short text form of the object there, underlined.
    fn snippet<'s>(
        &'s self,
        path: &AccessPath,
        object: &ObjectRef,
        kind: AnnotationKind,
        label: &str,
    ) -> Snippet<'s, Annotation<'s>> {
        let file = format!("{} {path}", self.source);
        let label = Some(label.to_owned()).filter(|label| !label.is_empty());
        if let Some(found) = self.script.and_then(|script| snippet(script, &file, path, kind, label.clone())) {
            return found;
        }
        let value = one_line(object);
        let annotation = kind.span(0..value.len()).label(label);
        Snippet::source(value).path(file).line_numbering(false).annotation(annotation)
    }

    /// The violation, with its place and the related places as underlined text.
    fn render(&self, it: &Diagnostic) -> String {
        let title = match it.severity {
            Severity::Error => Title::ERROR,
            Severity::Warning => Title::WARNING,
        };
        let mut label = String::new();
        if let (Some(expected), Some(given)) = (&it.expected, &it.given) {
            let _ = write!(label, "expected {expected}, got {given}");
        }
        let mut group = Group::with_title(title.primary_title(it.message.as_str()).id(it.rule.name));
        group = group.element(self.snippet(&it.path, &it.object, AnnotationKind::Primary, &label));
        for related in &it.related {
            let kind = AnnotationKind::Context;
            group = group.element(self.snippet(&related.path, &related.object, kind, &related.message));
        }
        if let Some(fix) = &it.fix {
            group = group.element(Title::HELP.message(fix.as_str()));
        }
        self.renderer.render(&[group])
    }
}
