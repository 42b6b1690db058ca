//! `objir diff` of two folders or patterns: whether the files of the same names are equal, with one line for each name.

use std::collections::BTreeMap;
use std::path::PathBuf;

use object_core::Result;
use serde_json::{Value, json};

use crate::batch;
use crate::compared::Compared;
use crate::diff_args::DiffArgs;
use crate::file_set::FileSet;
use crate::finding::{Finding, Level, failure};
use crate::input::Reading;
use crate::output::{Output, Verdict};
use crate::source::Source;

/// The result for a name.
enum Outcome {
    /// The number of edits.
    Compared(usize),
    /// Only this side has a file of the name.
    OnlyIn(Source),
}

/// The name of a file, and the files of the name on both sides.
type Pair = (PathBuf, [Option<Source>; 2]);

pub(crate) fn run(args: &DiffArgs, a: FileSet, b: FileSet, reading: &Reading, output: &Output) -> Result<Verdict> {
    let mut names: BTreeMap<PathBuf, [Option<Source>; 2]> = BTreeMap::new();
    for (side, set) in [a, b].into_iter().enumerate() {
        for (name, file) in set.named() {
            names.entry(name).or_default()[side] = Some(Source::File(file));
        }
    }
    let pairs: Vec<Pair> = names.into_iter().collect();
    let compare = |(name, files): &Pair| {
        let outcome = match files {
            [Some(a), Some(b)] => {
                Compared::of(args, [a, b], reading).and_then(|it| it.count(args, reading)).map(Outcome::Compared)
            }
            [Some(_), None] => Ok(Outcome::OnlyIn(args.a.clone())),
            _ => Ok(Outcome::OnlyIn(args.b.clone())),
        };
        (name.display().to_string(), outcome)
    };
    let (mut equal, mut failed, mut files) = (0, 0, Vec::new());
    batch::for_each(&pairs, compare, |(name, outcome): (String, Result<Outcome>)| {
        let (line, json) = match outcome {
            Ok(outcome) => {
                equal += usize::from(matches!(outcome, Outcome::Compared(0)));
                if !matches!(outcome, Outcome::Compared(0)) {
                    output.find(|| {
                        let file = Some(args.b.to_string());
                        vec![Finding { file, ..Finding::new(Level::Error, "difference", outcome.line(&name)) }]
                    })?;
                }
                (outcome.line(&name), outcome.to_json(&name))
            }
            Err(error) => {
                failed += 1;
                output.fail_in_report(&error);
                (format!("failed     {name}"), failure(&name, &error))
            }
        };
        if output.is_json() {
            files.push(json);
            return Ok(());
        }
        output.show(line, || Value::Null)
    })?;
    let verdict = if failed > 0 { Verdict::Failed } else { Verdict::of(equal == pairs.len()) };
    let word = if equal == pairs.len() { "equal" } else { "different" };
    let (a, b, count) = (&args.a, &args.b, pairs.len());
    output.show(format_args!("{word}: {a} and {b}, {equal} of {count} files are equal"), || {
        json!({
            "equal": equal == count,
            "a": a.to_string(),
            "b": b.to_string(),
            "files": files,
        })
    })?;
    Ok(verdict)
}

impl Outcome {
    fn line(&self, name: &str) -> String {
        match self {
            Outcome::Compared(0) => format!("equal      {name}"),
            Outcome::Compared(1) => format!("different  {name}: in 1 place"),
            Outcome::Compared(count) => format!("different  {name}: in {count} places"),
            Outcome::OnlyIn(side) => format!("missing    {name}: only in {side}"),
        }
    }

    fn to_json(&self, name: &str) -> Value {
        match self {
            Outcome::Compared(count) => json!({"file": name, "equal": *count == 0, "differences": count}),
            Outcome::OnlyIn(side) => json!({"file": name, "equal": false, "only_in": side.to_string()}),
        }
    }
}
