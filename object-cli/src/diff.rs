//! `objir diff`: whether two graphs are structurally equal, and their differences.

use std::fmt;

use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::structural::{EarlierBinding, Mismatch, MismatchReason};
use object_core::{Any, AnyView, Error, ErrorKind, Result};
use serde_json::{Value, json};

use crate::args::DiffArgs;
use crate::input::{Reading, Source};
use crate::one_line::OneLine;
use crate::output::{Output, Verdict};

pub(crate) fn run(args: &DiffArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    if args.a == Source::Stdin && args.b == Source::Stdin {
        return Err(Error::new(ErrorKind::Io, "only one of the two files can be standard input"));
    }
    let (a, b) = (args.a.load(reading)?, args.b.load(reading)?);
    let equal = args.options.options();
    let found = if args.first {
        equal.first_mismatch(&a.root, &b.root).map(|first| first.into_iter().collect())
    } else {
        // One more than the limit tells whether there are more.
        equal.diff(&a.root, &b.root, args.limit as usize + 1)
    };
    let mut found: Vec<Mismatch> = found.map_err(|error| error.context(format_args!("{} and {}", args.a, args.b)))?;
    let has_more = found.len() > args.limit as usize;
    found.truncate(args.limit as usize);
    let report = Report { args, found, has_more };
    output.show(&report, || report.to_json())?;
    Ok(Verdict::of(report.found.is_empty()))
}

struct Report<'a> {
    args: &'a DiffArgs,
    found: Vec<Mismatch>,
    /// Whether there are more differences than in `found`.
    has_more: bool,
}

impl Report<'_> {
    /// File, path and value of the two sides.
    fn sides<'a>(&'a self, mismatch: &'a Mismatch) -> [(&'a Source, &'a AccessPath, Option<&'a Any>); 2] {
        [
            (&self.args.a, &mismatch.lhs, mismatch.lhs_value.as_ref()),
            (&self.args.b, &mismatch.rhs, mismatch.rhs_value.as_ref()),
        ]
    }

    fn to_json(&self) -> Value {
        let mut report = json!({
            "equal": self.found.is_empty(),
            "a": self.args.a.to_string(),
            "b": self.args.b.to_string(),
        });
        if let (true, Some(first)) = (self.args.first, self.found.first()) {
            report["mismatch"] = self.sides_to_json(first);
        } else if !self.found.is_empty() {
            let differences = self.found.iter().map(|it| {
                json!({
                    "reason": reason_name(&it.reason),
                    "sides": self.sides_to_json(it),
                    "explanation": Explanation(&it.reason).to_string(),
                })
            });
            report["differences"] = Value::from(differences.collect::<Vec<_>>());
            report["has_more"] = Value::from(self.has_more);
        }
        report
    }

    fn sides_to_json(&self, mismatch: &Mismatch) -> Value {
        let sides = self.sides(mismatch).map(|(_, path, value)| {
            json!({
                "path": path.to_string(),
                "steps": path.steps().iter().map(step).collect::<Vec<_>>(),
                "value": value.map(|value| OneLine(value.view()).to_string()),
            })
        });
        Value::from(sides.to_vec())
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (a, b) = (&self.args.a, &self.args.b);
        if self.args.first
            && let Some(first) = self.found.first()
        {
            write!(f, "different: {a} and {b}, first at")?;
            for (source, path, value) in self.sides(first) {
                write!(f, "\n\n  {source}\n    path   {path}\n    value  ")?;
                match value {
                    Some(value) => OneLine(value.view()).fmt(f)?,
                    None => f.write_str("(there is none)")?,
                }
            }
            return Ok(());
        }
        match self.found.len() {
            0 => return write!(f, "equal: {a} and {b}"),
            1 => write!(f, "different: {a} and {b}, in 1 place")?,
            count if self.has_more => write!(f, "different: {a} and {b}, in more than {count} places")?,
            count => write!(f, "different: {a} and {b}, in {count} places")?,
        }
        self.found.iter().try_for_each(|difference| write_difference(f, difference))?;
        if self.has_more { f.write_str("\n\n  ... and more; `--limit` shows them") } else { Ok(()) }
    }
}

/// Writes a difference like a patch: the left value after `-`, the right value after `+`.
fn write_difference(f: &mut fmt::Formatter<'_>, difference: &Mismatch) -> fmt::Result {
    let Mismatch { lhs, rhs, lhs_value, rhs_value, reason, .. } = difference;
    match (lhs_value, rhs_value) {
        (Some(_), None) => write!(f, "\n\n  {lhs}")?,
        (None, Some(_)) => write!(f, "\n\n  {rhs}")?,
        _ if lhs == rhs => write!(f, "\n\n  {lhs}")?,
        _ => write!(f, "\n\n  {lhs}\n  {rhs}")?,
    }
    match (lhs_value, rhs_value) {
        (Some(_), None) => f.write_str("  (on the left only)")?,
        (None, Some(_)) => f.write_str("  (on the right only)")?,
        _ => write!(f, "  ({})", Explanation(reason))?,
    }
    for (mark, value) in [('-', lhs_value), ('+', rhs_value)] {
        if let Some(value) = value {
            write!(f, "\n    {mark} {}", OneLine(value.view()))?;
        }
    }
    Ok(())
}

/// A reason in words, with values on one line.
struct Explanation<'a>(&'a MismatchReason);

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MismatchReason::Binding { lhs, rhs } = self.0 else { return self.0.fmt(f) };
        if lhs.is_none() && rhs.is_none() {
            return self.0.fmt(f);
        }
        let earlier = |f: &mut fmt::Formatter<'_>, mark: char, earlier: &Option<Box<EarlierBinding>>| match earlier {
            Some(earlier) => {
                let counterpart = OneLine(AnyView::Object(earlier.counterpart.view()));
                let place = if mark == '-' { &earlier.lhs } else { &earlier.rhs };
                write!(f, "{mark} is bound to {counterpart} at {place}")
            }
            None => write!(f, "{mark} is not bound"),
        };
        earlier(f, '-', lhs)?;
        f.write_str("; ")?;
        earlier(f, '+', rhs)
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
