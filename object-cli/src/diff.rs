//! `objir diff`: whether two graphs are structurally equal, and their differences.

use std::{fmt, io};

use annotate_snippets::Renderer;
use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::structural::{Mismatch, MismatchReason};
use object_core::{Error, ErrorKind, Result};
use object_script::file::is_script;
use object_script::page::page;
use object_script::print::{Script, ScriptPrinter};
use object_script::rendering::{DiffText, DifferenceText, ProgramEdits, ShownScript, diff_summary};
use serde_json::{Value, json};

use crate::compared::Compared;
use crate::diff_args::DiffArgs;
use crate::diff_edits;
use crate::diff_sets;
use crate::file_set::FileSet;
use crate::finding::{Finding, Level};
use crate::input::Reading;
use crate::output::{Output, Verdict, renderer, write_file};
use crate::plain_diff;
use crate::source::Source;
use crate::trace;

pub(crate) fn run(args: &DiffArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    if args.a == Source::Stdin && args.b == Source::Stdin {
        return Err(Error::new(ErrorKind::Io, "only one of the two files can be standard input"));
    }
    if args.of_diffs {
        return trace::compare([&args.a, &args.b], reading, output);
    }
    match (FileSet::of(&args.a)?, FileSet::of(&args.b)?) {
        (None, None) => {}
        (Some(a), Some(b)) if args.html.is_none() => return diff_sets::run(args, a, b, reading, output),
        (Some(_), Some(_)) => {
            let message = "a page shows two files, and the arguments are folders or patterns; leave `--html` out";
            return Err(Error::new(ErrorKind::Io, message));
        }
        (a, _) => {
            let [set, file] = if a.is_some() { [&args.a, &args.b] } else { [&args.b, &args.a] };
            let message =
                format!("expected two files or two folders, got the folder or pattern {set} and the file {file}");
            return Err(Error::new(ErrorKind::Io, message));
        }
    }
    let compared = Compared::of(args, [&args.a, &args.b], reading)?;
    let edits = if args.first || compared.found.is_empty() { None } else { Some(compared.edits(args, reading)?) };
    let report = Report { args, compared: &compared, edits, printer: reading.printer() };
    if let Some(file) = &args.html {
        write_file(file, report.to_html()?)?;
    }
    let script = report.edits.as_ref().filter(|_| output.is_json()).map(diff_edits::script).transpose()?;
    output.show(&report, || report.to_json(script))?;
    output.find(|| report.findings(reading))?;
    let verdict = Verdict::of(compared.found.is_empty());
    // The process ends, which releases all memory at once.
    std::mem::forget(compared.graphs);
    Ok(verdict)
}

struct Report<'a> {
    args: &'a DiffArgs,
    compared: &'a Compared,
    edits: Option<ProgramEdits<'a>>,
    printer: ScriptPrinter,
}

impl Report<'_> {
    /// The scripts of both graphs, as far as there is memory for them.
    fn scripts(&self) -> [Script; 2] {
        self.compared.graphs.each_ref().map(|graph| self.printer.print(&graph.root))
    }

    /// The page with both scripts; or with the edits one by one.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) beyond the memory.
    fn to_html(&self) -> Result<String> {
        let edits = self.edits.as_ref();
        if !self.compared.has_scripts {
            return Ok(plain_diff::page(&self.summary(), edits, self.compared.limit));
        }
        let [a, b] = self.compared.graphs.each_ref().map(|graph| &graph.root);
        let scripts = [self.printer.try_print(a)?, self.printer.try_print(b)?];
        let names = [&self.args.a, &self.args.b].map(Source::to_string);
        let text =
            DiffText { names: names.each_ref().map(|it| &**it), scripts: Some(&scripts), renderer: &Renderer::plain() };
        let edits = edits.map(|edits| text.page_edits(edits, &self.compared.found, self.compared.limit));
        page(&*names[0], &scripts[0], a).beside(&*names[1], &scripts[1], b, edits.unwrap_or_default()).to_html()
    }

    /// The verdict in one line.
    fn summary(&self) -> String {
        let [a, b] = &[&self.args.a, &self.args.b].map(Source::to_string);
        if self.args.first && !self.compared.found.is_empty() {
            return format!("different: {a} and {b}, first in this place");
        }
        diff_summary([a, b], self.edits.as_ref().map_or(0, ProgramEdits::count))
    }

    /// File, path and value of the two sides, each value on one line.
    fn sides<'a>(&'a self, mismatch: &'a Mismatch) -> [(&'a Source, &'a AccessPath, Option<String>); 2] {
        let [lhs, rhs] = DifferenceText(mismatch).values();
        [(&self.args.a, &mismatch.lhs, lhs), (&self.args.b, &mismatch.rhs, rhs)]
    }

    /// The differences as findings in the second file, at their lines if it is a script.
    fn findings(&self, reading: &Reading) -> Vec<Finding> {
        let Report { args, compared, .. } = self;
        let name = args.b.to_string();
        // Standard input can be read only once.
        let text = if args.b == Source::Stdin { None } else { args.b.read(&reading.limits).ok() };
        let text =
            text.filter(|text| compared.has_scripts && is_script(&name, text)).and_then(|it| it.into_text().ok());
        let script = text.as_ref().map(|_| self.printer.print(&compared.graphs[1].root));
        let shown = script.as_ref().map(|script| ShownScript::new(&name, script, text.as_deref()));
        let finding = |it: &Mismatch| {
            let difference = DifferenceText(it);
            let [old, new] = difference.values().map(|value| value.unwrap_or_else(|| "nothing".to_owned()));
            let message = format!("{} has {new}, {} has {old}: {}", args.b, args.a, difference.title());
            Finding {
                file: Some(name.clone()),
                place: shown.as_ref().and_then(|shown| shown.line_column_of(&it.rhs)),
                path: Some(difference.path()),
                ..Finding::new(Level::Error, "difference", message)
            }
        };
        compared.found.iter().map(finding).collect()
    }

    /// Whether a search ended at the limit of steps.
    fn has_ended(&self) -> bool {
        self.compared.ended || self.edits.as_ref().is_some_and(|edits| edits.script().search_ended())
    }

    fn to_json(&self, script: Option<Value>) -> Value {
        let mut report = json!({
            "equal": self.compared.found.is_empty(),
            "a": self.args.a.to_string(),
            "b": self.args.b.to_string(),
        });
        if let (true, Some(first)) = (self.args.first, self.compared.found.first()) {
            report["mismatch"] = self.sides_to_json(first);
        } else if !self.compared.found.is_empty() {
            let differences = self.compared.found.iter().map(|it| {
                json!({
                    "reason": reason_name(&it.reason),
                    "sides": self.sides_to_json(it),
                    "explanation": DifferenceText(it).explanation(),
                })
            });
            report["differences"] = Value::from(differences.collect::<Vec<_>>());
            report["has_more"] = Value::from(self.compared.has_more);
            report["ended"] = Value::from(self.has_ended());
        }
        if let (Some(edits), Some(script)) = (&self.edits, script) {
            report["groups"] = diff_edits::groups(edits);
            report["script"] = script;
        }
        report
    }

    fn sides_to_json(&self, mismatch: &Mismatch) -> Value {
        let sides = self.sides(mismatch).map(|(_, path, value)| {
            json!({
                "path": path.to_string(),
                "steps": path.steps().iter().map(step).collect::<Vec<_>>(),
                "value": value,
            })
        });
        Value::from(sides.to_vec())
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.summary())?;
        if self.compared.found.is_empty() {
            return Ok(());
        }
        let scripts = self.compared.has_scripts.then(|| self.scripts());
        let (renderer, names) = (renderer(&io::stdout()), [&self.args.a, &self.args.b].map(Source::to_string));
        let text = DiffText { names: names.each_ref().map(|it| &**it), scripts: scripts.as_ref(), renderer: &renderer };
        let Some(edits) = &self.edits else {
            return self.compared.found.iter().try_for_each(|it| write!(f, "\n\n{}", text.of(it)));
        };
        let limit = self.compared.limit;
        f.write_str(&text.of_edits(edits, &self.compared.found, limit))?;
        if let Some(more @ 1..) = edits.count().checked_sub(limit) {
            write!(f, "\n\n... and {more} more; `--limit` shows them")?;
        }
        if self.has_ended() {
            f.write_str("\n\nthe search ended at the limit of steps, so values whose parts it has not reached are shown as a whole")?;
            f.write_str("; `--max-steps` raises the limit")?;
        }
        Ok(())
    }
}

/// A reason in one word.
fn reason_name(reason: &MismatchReason) -> &'static str {
    match reason {
        MismatchReason::Type => "type",
        MismatchReason::Value => "value",
        MismatchReason::MissingElement => "missing-element",
        MismatchReason::MissingKey => "missing-key",
        MismatchReason::Binding { .. } => "binding",
        MismatchReason::NotComparable => "not-comparable",
        _ => "other",
    }
}

/// A step with TVM's name of its kind: `["ATTR", "body"]`.
fn step(step: &AccessStep) -> Value {
    match step {
        AccessStep::Attr(name) => json!(["ATTR", name]),
        AccessStep::ArrayItem(index) => json!(["ARRAY_ITEM", index]),
        AccessStep::MapItem(key) => json!(["MAP_ITEM", map_key(key)]),
        AccessStep::AttrMissing(name) => json!(["ATTR_MISSING", name]),
        AccessStep::ArrayItemMissing(index) => json!(["ARRAY_ITEM_MISSING", index]),
        AccessStep::MapItemMissing(key) => json!(["MAP_ITEM_MISSING", map_key(key)]),
    }
}

fn map_key(key: &PathKey) -> Value {
    match key {
        PathKey::Str(text) => json!(text),
        PathKey::Int(value) => json!(value),
        PathKey::Other { type_key, label } => json!({"type": type_key, "label": label}),
    }
}
