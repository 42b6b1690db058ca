//! [`trace_page`]: a recorded pipeline as a page.

use object_core::error::Result;
use object_core::page::{PassRow, StagesPage};
use object_relax::well_formed::Severity;

use crate::page::function_name;
use crate::trace::{PassTable, RecordedPass, RecordedPipeline};

/// The page of the passes in a table, under `title`.
///
/// # Errors
/// [`LimitExceeded`](object_core::ErrorKind::LimitExceeded) beyond the memory.
pub fn trace_page(title: &str, pipeline: &RecordedPipeline, table: &PassTable) -> Result<String> {
    let mut page = StagesPage::new(title).meter(&pipeline.meter);
    for stage in pipeline.trace.stages.iter() {
        page.stage(&pipeline.printed(&stage)?, &stage, function_name)?;
    }
    for row in &table.rows {
        let problem = (!row.problems().is_empty()).then(|| problem(table, row));
        page.pass(PassRow {
            name: row.pass.name.to_string(),
            depth: row.pass.depth.max(0) as usize,
            before: row.before,
            after: row.after,
            detail: format!("{}, {}", row.milliseconds(), row.changes),
            problem,
        });
    }
    Ok(page.to_html())
}

/// The problems of a pass, with the first violations in its result.
fn problem(table: &PassTable, row: &RecordedPass) -> String {
    let mut lines = vec![row.problems()];
    if !row.violations.is_empty() {
        let found = table.reports[row.after].iter().flat_map(|report| &report.diagnostics);
        lines.extend(found.filter(|it| it.severity == Severity::Error).map(ToString::to_string));
    }
    lines.join("\n")
}
