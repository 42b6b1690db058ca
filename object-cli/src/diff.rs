//! `objir diff`: whether two graphs are structurally equal, and where they first differ.

use std::fmt;

use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::structural::Mismatch;
use object_core::{Any, Error, ErrorKind, Result};
use serde_json::{Value, json};

use crate::args::DiffArgs;
use crate::input::Source;
use crate::output::{Output, Verdict};
use crate::short::Short;

pub(crate) fn run(args: &DiffArgs, output: &Output) -> Result<Verdict> {
    if args.a == Source::Stdin && args.b == Source::Stdin {
        return Err(Error::new(ErrorKind::Io, "only one of the two files can be standard input"));
    }
    let (a, b) = (args.a.load()?, args.b.load()?);
    let mismatch = args.options.equal().first_mismatch(&a.root, &b.root);
    let mismatch = mismatch.map_err(|error| error.context(format_args!("{} and {}", args.a, args.b)))?;
    let report = Report { args, mismatch };
    output.show(&report, || report.to_json())?;
    Ok(Verdict::of(report.mismatch.is_none()))
}

struct Report<'a> {
    args: &'a DiffArgs,
    mismatch: Option<Mismatch>,
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
            "equal": self.mismatch.is_none(),
            "a": self.args.a.to_string(),
            "b": self.args.b.to_string(),
        });
        if let Some(mismatch) = &self.mismatch {
            let sides = self.sides(mismatch).map(|(_, path, value)| {
                json!({
                    "path": path.to_string(),
                    "steps": path.steps().iter().map(step).collect::<Vec<_>>(),
                    "value": value.map(|value| Short(value.view()).to_string()),
                })
            });
            report["mismatch"] = Value::from(sides.to_vec());
        }
        report
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(mismatch) = &self.mismatch else {
            return write!(f, "equal: {} and {}", self.args.a, self.args.b);
        };
        write!(f, "different: {} and {}, first at", self.args.a, self.args.b)?;
        for (source, path, value) in self.sides(mismatch) {
            write!(f, "\n\n  {source}\n    path   {path}\n    value  ")?;
            match value {
                Some(value) => Short(value.view()).fmt(f)?,
                None => f.write_str("(there is none)")?,
            }
        }
        Ok(())
    }
}

/// A step as TVM names its kinds: `["ATTR", "body"]`.
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
