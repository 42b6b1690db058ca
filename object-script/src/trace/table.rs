//! [`PassTable`]: the passes of a recorded pipeline as a table.

use std::fmt;

use object_core::error::Result;
use object_core::trace::Pass;
use object_core::{Any, counted};
use object_relax::well_formed::{Report, Severity};

use crate::trace::{RecordedPipeline, StageChanges};

/// The number of violations of a stage with a description.
const DESCRIBED: usize = 5;

/// A pass with its effects.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RecordedPass {
    /// The pass.
    pub pass: Pass,
    /// The index of the stage before it.
    pub before: usize,
    /// The index of the stage after it.
    pub after: usize,
    /// The changes between the two.
    pub changes: StageChanges,
    /// The rules that the program breaks more often after the pass, with the numbers of new violations.
    pub violations: Vec<(&'static str, usize)>,
}

/// The passes of a pipeline. It displays as a table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PassTable {
    /// The program that ran the pipeline.
    pub producer: String,
    /// The number of stages.
    pub stages: usize,
    /// The number of all passes.
    pub count: usize,
    /// The passes that the table shows.
    pub rows: Vec<RecordedPass>,
    /// The violations in each stage, if it is a program of Relax.
    pub(super) reports: Vec<Option<Report>>,
}

impl PassTable {
    /// The passes; with `changing` only those that change something or fail.
    ///
    /// # Errors
    /// [`OutOfRange`](object_core::ErrorKind::OutOfRange) if a pass refers to a stage that the trace does not have.
    pub fn of(pipeline: &RecordedPipeline, changing: bool) -> Result<Self> {
        let stages: Vec<Any> = pipeline.trace.stages.iter().collect();
        let reports: Vec<Option<Report>> = stages.iter().map(|stage| pipeline.checked(stage, DESCRIBED)).collect();
        let is_shown = |pass: &Pass| !changing || pass.before != pass.after || pass.failure.is_some();
        let rows = pipeline.trace.passes.iter().filter(is_shown).map(|pass| {
            let [before, after] = pipeline.trace.stages_of(&pass)?;
            let changes = if before == after {
                StageChanges::default()
            } else {
                StageChanges::of(&stages[before], &stages[after], &pipeline.limits)
            };
            let violations = new_violations(reports[before].as_ref(), reports[after].as_ref());
            Ok(RecordedPass { pass, before, after, changes, violations })
        });
        Ok(PassTable {
            producer: pipeline.trace.producer.to_string(),
            stages: stages.len(),
            count: pipeline.trace.passes.len(),
            rows: rows.collect::<Result<_>>()?,
            reports,
        })
    }
}

impl RecordedPass {
    pub(super) fn milliseconds(&self) -> String {
        format!("{:.1} ms", self.pass.nanoseconds as f64 / 1e6)
    }

    /// The new violations and the failure in one line; empty if all is well.
    pub(super) fn problems(&self) -> String {
        let violations = self.violations.iter().map(|(rule, count)| format!("{count} x {rule}"));
        let failure = self.pass.failure.iter().map(|it| format!("failed: {}", it.lines().next().unwrap_or_default()));
        violations.chain(failure).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for PassTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PassTable { producer, stages, count, rows, .. } = self;
        let passes = if *count == 1 { "1 pass".to_owned() } else { format!("{count} passes") };
        write!(f, "{producer}: {passes}, {}", counted(*stages, "stage"))?;
        if rows.is_empty() {
            return Ok(());
        }
        let cells: Vec<_> = rows.iter().map(cells).collect();
        write_table(f, &["pass", "stage", "time", "changes", "new violations"], &cells)
    }
}

fn cells(row: &RecordedPass) -> [String; 5] {
    [indented_name(&row.pass), row.after.to_string(), row.milliseconds(), row.changes.to_string(), row.problems()]
}

/// The name of a pass, indented by the passes around it.
pub(super) fn indented_name(pass: &Pass) -> String {
    "  ".repeat(pass.depth.max(0) as usize) + &pass.name
}

/// Writes rows below each other, with columns as wide as their widest cell.
pub(super) fn write_table<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    heads: &[&str; N],
    rows: &[[String; N]],
) -> fmt::Result {
    let widths = std::array::from_fn::<usize, N, _>(|column| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([heads[column].chars().count()]).max().unwrap_or(0)
    });
    for row in std::iter::once(&heads.map(str::to_owned)).chain(rows) {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
        write!(f, "\n{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

/// The rules with more errors in `after`, and how many more.
fn new_violations(before: Option<&Report>, after: Option<&Report>) -> Vec<(&'static str, usize)> {
    let count = |report: Option<&Report>, rule: &str| {
        let counts = report.map_or(&[][..], |report| &report.counts);
        counts
            .iter()
            .filter(|it| it.severity == Severity::Error && it.rule.name == rule)
            .map(|it| it.count)
            .sum::<usize>()
    };
    let rules = after.map_or(&[][..], |report| &report.counts).iter().map(|it| it.rule.name);
    rules
        .map(|rule| (rule, count(after, rule).saturating_sub(count(before, rule))))
        .filter(|(_, new)| *new > 0)
        .collect()
}
