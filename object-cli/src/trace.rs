//! `objir trace`: the passes of a recorded pipeline, and the program after each of them.

use std::fmt;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};
use object_core::page::{PassRow, StagesPage};
use object_core::trace::Pass;
use object_core::{Any, Result};
use object_relax::well_formed::Report;
use object_script::file::packed;
use object_script::page::function_name;
use serde_json::{Value, json};

use crate::input::Reading;
use crate::output::{Output, Verdict, counted, write_file};
use crate::source::Source;
use crate::stage_changes::Changes;
use crate::trace_file::TraceFile;

/// The number of violations that a page describes for a pass.
const DESCRIBED: usize = 5;

/// `objir trace`.
#[derive(ClapArgs)]
pub(crate) struct TraceArgs {
    #[command(subcommand)]
    command: TraceCommand,
}

#[derive(Subcommand)]
enum TraceCommand {
    /// Show the passes: the stage after each one, its time, the functions and bindings that it changed, and the rules that
    /// the program breaks since then.
    Show(ShowArgs),
    /// Write the program of a stage: a script if the name of the output ends in .py, else JSON of the version of TVM that ran
    /// the passes.
    Extract(ExtractArgs),
}

#[derive(ClapArgs)]
struct ShowArgs {
    /// The file of a trace, or `-`.
    file: Source,

    /// Write a page that steps through the passes, with the differences of any two stages, and the pass that introduced a line.
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,

    /// Show only the passes that change something or fail.
    #[arg(long)]
    changing: bool,
}

#[derive(ClapArgs)]
struct ExtractArgs {
    /// The file of a trace, or `-`.
    file: Source,

    /// The number of the stage.
    stage: usize,

    /// Write the program into this file, packed if its name ends in .gz. Without it, the script is the output.
    #[arg(short, long, value_name = "OUT")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &TraceArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    match &args.command {
        TraceCommand::Show(args) => show(args, reading, output),
        TraceCommand::Extract(args) => extract(args, reading, output),
    }
}

fn extract(args: &ExtractArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let file = TraceFile::load(&args.file, reading)?;
    let stage = file.trace.stage(args.stage).map_err(|error| file.name_in(error))?;
    let is_script = args.out.as_ref().is_none_or(|out| out.extension().is_some_and(|extension| extension == "py"));
    let content = file.content(&stage, is_script).map_err(|error| file.name_in(error))?;
    match &args.out {
        Some(out) => write_file(out, packed(out, content)?)?,
        None => output.show_text(content.trim_end())?,
    }
    Ok(Verdict::Same)
}

fn show(args: &ShowArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let file = TraceFile::load(&args.file, reading)?;
    let table = PassTable::of(&file, args.changing)?;
    if let Some(out) = &args.html {
        write_file(out, page(&file, &table).map_err(|error| file.name_in(error))?)?;
    }
    output.show(&table, || table.to_json())?;
    Ok(Verdict::Same)
}

/// A pass as a row.
struct Row {
    pass: Pass,
    before: usize,
    after: usize,
    changes: Changes,
    /// The rules that the program breaks more often after the pass, with the numbers of new violations.
    violations: Vec<(&'static str, usize)>,
}

/// The passes of a trace.
struct PassTable {
    producer: String,
    stages: usize,
    count: usize,
    rows: Vec<Row>,
}

impl PassTable {
    /// The passes, or only those that change something or fail.
    fn of(file: &TraceFile, changing: bool) -> Result<Self> {
        let stages: Vec<Any> = file.trace.stages.iter().collect();
        let reports: Vec<Option<Report>> = stages.iter().map(|stage| file.checked(stage, 0)).collect();
        let is_shown = |pass: &Pass| !changing || pass.before != pass.after || pass.failure.is_some();
        let rows = file.trace.passes.iter().filter(is_shown).map(|pass| {
            let [before, after] = file.trace.stages_of(&pass)?;
            let changes = if before == after {
                Changes::default()
            } else {
                Changes::of(&stages[before], &stages[after], &file.limits)
            };
            let violations = new_violations(reports[before].as_ref(), reports[after].as_ref());
            Ok(Row { pass, before, after, changes, violations })
        });
        Ok(PassTable {
            producer: file.trace.producer.to_string(),
            stages: stages.len(),
            count: file.trace.passes.len(),
            rows: rows.collect::<Result<_>>()?,
        })
    }

    fn to_json(&self) -> Value {
        let row = |row: &Row| {
            let rules: serde_json::Map<String, Value> =
                row.violations.iter().map(|(rule, count)| ((*rule).to_owned(), json!(count))).collect();
            json!({
                "pass": &*row.pass.name,
                "depth": row.pass.depth,
                "before": row.before,
                "after": row.after,
                "nanoseconds": row.pass.nanoseconds,
                "changes": row.changes.to_json(),
                "new_violations": rules,
                "failure": row.pass.failure.as_ref().map(ToString::to_string),
            })
        };
        json!({
            "producer": self.producer,
            "stages": self.stages,
            "passes": self.rows.iter().map(row).collect::<Vec<_>>(),
        })
    }
}

impl Row {
    fn milliseconds(&self) -> String {
        format!("{:.1} ms", self.pass.nanoseconds as f64 / 1e6)
    }

    /// The new violations and the failure in one line; empty if all is well.
    fn problems(&self) -> String {
        let violations = self.violations.iter().map(|(rule, count)| format!("{count} x {rule}"));
        let failure = self.pass.failure.iter().map(|it| format!("failed: {}", it.lines().next().unwrap_or_default()));
        violations.chain(failure).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for PassTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PassTable { producer, stages, count, rows } = self;
        let passes = if *count == 1 { "1 pass".to_owned() } else { format!("{count} passes") };
        write!(f, "{producer}: {passes}, {}", counted(*stages, "stage"))?;
        if rows.is_empty() {
            return Ok(());
        }
        let names = rows.iter().map(|row| format!("{}{}", "  ".repeat(row.pass.depth.max(0) as usize), row.pass.name));
        let cells: Vec<[String; 4]> = names
            .zip(rows)
            .map(|(name, row)| [name, row.after.to_string(), row.milliseconds(), row.changes.to_string()])
            .collect();
        let heads = ["pass", "stage", "time", "changes"];
        let width = |column: usize| {
            let cells = cells.iter().map(|row| row[column].chars().count());
            cells.chain([heads[column].len()]).max().unwrap_or(0)
        };
        let [name, stage, time, changes] = [0, 1, 2, 3].map(width);
        let [a, b, c, d] = heads;
        write!(f, "\n{a:<name$}  {b:>stage$}  {c:>time$}  {d:<changes$}  new violations")?;
        for ([a, b, c, d], row) in cells.iter().zip(rows) {
            let line = format!("{a:<name$}  {b:>stage$}  {c:>time$}  {d:<changes$}  {}", row.problems());
            write!(f, "\n{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// The rules with more violations in `after`, and how many more.
fn new_violations(before: Option<&Report>, after: Option<&Report>) -> Vec<(&'static str, usize)> {
    let count = |report: Option<&Report>, rule: &str| {
        let counts = report.map_or(&[][..], |report| &report.counts);
        counts.iter().filter(|it| it.rule.name == rule).map(|it| it.count).sum::<usize>()
    };
    let rules = after.map_or(&[][..], |report| &report.counts).iter().map(|it| it.rule.name);
    rules.map(|rule| (rule, count(after, rule).saturating_sub(count(before, rule)))).filter(|(_, new)| *new > 0).collect()
}

/// The page of the passes in a table.
fn page(file: &TraceFile, table: &PassTable) -> Result<String> {
    let title = format!("{}: {}", file.source, table.producer);
    let mut page = StagesPage::new(title).meter(file.meter());
    for stage in file.trace.stages.iter() {
        page.stage(&file.printed(&stage)?, &stage, function_name)?;
    }
    for row in &table.rows {
        let problem = (!row.problems().is_empty()).then(|| problem(file, row)).transpose()?;
        page.pass(PassRow {
            name: row.pass.name.to_string(),
            depth: row.pass.depth.max(0) as usize,
            before: row.before,
            after: row.after,
            detail: format!("{}, {}", row.milliseconds(), row.changes),
            problem,
        });
    }
    page.to_html()
}

/// The problems of a pass, with the first violations in its result.
fn problem(file: &TraceFile, row: &Row) -> Result<String> {
    let mut lines = vec![row.problems()];
    if !row.violations.is_empty() {
        let report = file.checked(&file.trace.stage(row.after)?, DESCRIBED);
        lines.extend(report.into_iter().flat_map(|report| report.diagnostics).map(|it| it.to_string()));
    }
    Ok(lines.join("\n"))
}
