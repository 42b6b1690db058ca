//! `objir diff`: whether two graphs are structurally equal, and their differences.

use std::{fmt, io};

use annotate_snippets::{AnnotationKind, Element, Level, Renderer};
use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::structural::{EarlierBinding, Mismatch, MismatchReason};
use object_core::{Error, ErrorKind, Result};
use object_script::page::page;
use object_script::print::{Script, ScriptPrinter};
use serde_json::{Value, json};

use crate::compared::Compared;
use crate::diff_args::DiffArgs;
use crate::diff_sets;
use crate::file_set::FileSet;
use crate::input::Reading;
use crate::one_line::OneLine;
use crate::output::{Output, Verdict, write_file};
use crate::plain_diff::{self, PlainDifference};
use crate::script_snippet::{renderer, snippet};
use crate::source::Source;

pub(crate) fn run(args: &DiffArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    if args.a == Source::Stdin && args.b == Source::Stdin {
        return Err(Error::new(ErrorKind::Io, "only one of the two files can be standard input"));
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
    let report = Report { args, compared: &compared, printer: reading.printer() };
    if let Some(file) = &args.html {
        write_file(file, report.to_html()?)?;
    }
    output.show(&report, || report.to_json())?;
    let verdict = Verdict::of(compared.found.is_empty());
    // The process ends, which releases all memory at once.
    std::mem::forget(compared.graphs);
    Ok(verdict)
}

struct Report<'a> {
    args: &'a DiffArgs,
    compared: &'a Compared,
    printer: ScriptPrinter,
}

impl Report<'_> {
    /// The scripts of both graphs, as far as there is memory for them.
    fn scripts(&self) -> [Script; 2] {
        self.compared.graphs.each_ref().map(|graph| self.printer.print(&graph.root))
    }

    /// The page with both scripts; or with the differences one by one.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) beyond the memory.
    fn to_html(&self) -> Result<String> {
        if !self.compared.has_scripts {
            let sections = self.compared.found.iter().map(plain).collect::<Vec<_>>();
            return Ok(plain_diff::page(&self.summary(), &sections, self.compared.has_more));
        }
        let [a, b] = self.compared.graphs.each_ref().map(|graph| &graph.root);
        let (script_a, script_b) = (self.printer.try_print(a)?, self.printer.try_print(b)?);
        page(self.args.a.to_string(), &script_a, a)
            .beside(self.args.b.to_string(), &script_b, b, &self.compared.found)
            .has_more_differences(self.compared.has_more)
            .to_html()
    }

    /// A difference as the underlined places of both scripts, with the reason in words.
    fn underlined(&self, renderer: &Renderer, scripts: &[Script; 2], difference: &Mismatch) -> String {
        let mut group =
            Level::INFO.with_name("difference").primary_title(title(difference)).elements(Vec::<Element<'_>>::new());
        for ((source, path, value), script) in self.sides(difference).into_iter().zip(scripts) {
            let Some(value) = value else { continue };
            // Where the text does not show the place itself, the value says what is there.
            let label = (!script.shows(path)).then_some(value);
            let file = format!("script of {source}");
            if let Some(snippet) = snippet(script, file, path, AnnotationKind::Primary, label) {
                group = group.element(snippet);
            }
        }
        renderer.render(&[group.element(Level::NOTE.with_name("path").message(path(difference)))])
    }

    /// The verdict in one line.
    fn summary(&self) -> String {
        let (a, b) = (&self.args.a, &self.args.b);
        match self.compared.found.len() {
            0 => format!("equal: {a} and {b}"),
            _ if self.args.first => format!("different: {a} and {b}, first in this place"),
            1 => format!("different: {a} and {b}, in 1 place"),
            count if self.compared.has_more => format!("different: {a} and {b}, in more than {count} places"),
            count => format!("different: {a} and {b}, in {count} places"),
        }
    }

    /// File, path and value of the two sides, each value on one line.
    fn sides<'a>(&'a self, mismatch: &'a Mismatch) -> [(&'a Source, &'a AccessPath, Option<String>); 2] {
        let [lhs, rhs] = texts(mismatch);
        [(&self.args.a, &mismatch.lhs, lhs), (&self.args.b, &mismatch.rhs, rhs)]
    }

    fn to_json(&self) -> Value {
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
                    "explanation": Explanation(&it.reason).to_string(),
                })
            });
            report["differences"] = Value::from(differences.collect::<Vec<_>>());
            report["has_more"] = Value::from(self.compared.has_more);
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
        if self.compared.has_scripts {
            let (renderer, scripts) = (renderer(&io::stdout()), self.scripts());
            self.compared
                .found
                .iter()
                .try_for_each(|it| write!(f, "\n\n{}", self.underlined(&renderer, &scripts, it)))?;
        } else {
            self.compared.found.iter().try_for_each(|it| write!(f, "\n\n{}", plain(it)))?;
        }
        if self.compared.has_more { f.write_str("\n\n... and more; `--limit` shows them") } else { Ok(()) }
    }
}

/// A difference as its place and the two values.
fn plain(difference: &Mismatch) -> PlainDifference<'_> {
    let values = [difference.lhs_value.as_ref(), difference.rhs_value.as_ref()];
    PlainDifference { title: title(difference), path: path(difference), values, texts: texts(difference) }
}

/// The two values, each on one line.
fn texts(difference: &Mismatch) -> [Option<String>; 2] {
    let Mismatch { lhs_value, rhs_value, variants: [lhs, rhs], .. } = difference;
    [(lhs_value, lhs), (rhs_value, rhs)].map(|(value, variant)| {
        let value = value.as_ref().map(|value| OneLine(value.view()));
        variant.map(|it| it.to_string()).or_else(|| value.map(|it| it.to_string()))
    })
}

/// A difference in a few words.
fn title(difference: &Mismatch) -> String {
    match (&difference.lhs_value, &difference.rhs_value) {
        (Some(_), None) => "on the left only".to_owned(),
        (None, Some(_)) => "on the right only".to_owned(),
        _ => Explanation(&difference.reason).to_string(),
    }
}

/// The place of a difference.
fn path(difference: &Mismatch) -> String {
    let (lhs, rhs) = (difference.lhs.to_string(), difference.rhs.to_string());
    match (&difference.lhs_value, &difference.rhs_value) {
        (None, Some(_)) => rhs,
        (Some(_), Some(_)) if lhs != rhs => format!("{lhs} on the left, {rhs} on the right"),
        _ => lhs,
    }
}

/// A reason in words.
struct Explanation<'a>(&'a MismatchReason);

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MismatchReason::Binding { lhs, rhs } = self.0 else { return self.0.fmt(f) };
        if lhs.is_none() && rhs.is_none() {
            return self.0.fmt(f);
        }
        let place = |side: &Option<Box<EarlierBinding>>, place: fn(&EarlierBinding) -> &AccessPath| {
            let bound = |it: &EarlierBinding| format!("is bound at {}", place(it));
            side.as_deref().map_or_else(|| "is free, or its binding has no counterpart".to_owned(), bound)
        };
        write!(f, "- {}; + {}", place(lhs, |it| &it.lhs), place(rhs, |it| &it.rhs))
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
