//! `objir trace`: the passes of a recorded pipeline, and the program after each of them.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};
use object_core::Result;
use object_script::file::packed;
use object_script::trace::{ComparedPass, ComparedPipelines, PassTable, RecordedPass, StageChanges, trace_page};
use serde_json::{Value, json};

use crate::file_program::is_script_name;
use crate::input::Reading;
use crate::output::{Output, Verdict, write_file};
use crate::source::Source;
use crate::trace_file::TraceFile;

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
    let stage = file.pipeline.trace.stage(args.stage).map_err(|error| file.name_in(error))?;
    let is_script = args.out.as_deref().is_none_or(is_script_name);
    let content = file.content(&stage, is_script).map_err(|error| file.name_in(error))?;
    match &args.out {
        Some(out) => write_file(out, packed(out, content)?)?,
        None => output.show_text(content.trim_end())?,
    }
    Ok(Verdict::Same)
}

fn show(args: &ShowArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let file = TraceFile::load(&args.file, reading)?;
    let table = PassTable::of(&file.pipeline, args.changing)?;
    if let Some(out) = &args.html {
        let title = format!("{}: {}", file.source, table.producer);
        let page = trace_page(&title, &file.pipeline, &table).map_err(|error| file.name_in(error))?;
        write_file(out, page)?;
    }
    output.show(&table, || to_json(&table))?;
    Ok(Verdict::Same)
}

/// Compares what the passes of two traces did.
pub(crate) fn compare(files: [&Source; 2], reading: &Reading, output: &Output) -> Result<Verdict> {
    let [a, b] = files.map(|file| TraceFile::load(file, reading));
    let compared = ComparedPipelines::of([&a?.pipeline, &b?.pipeline])?;
    output.show(&compared, || compared_to_json(&compared))?;
    Ok(Verdict::of(compared.is_same()))
}

fn compared_to_json(compared: &ComparedPipelines) -> Value {
    let pass = |it: &ComparedPass| {
        json!({
            "passes": it.passes.each_ref().map(|pass| pass.as_ref().map(|pass| pass.name.to_string())),
            "depth": it.passes.iter().flatten().next().map(|pass| pass.depth),
            "stages": it.passes.each_ref().map(|pass| pass.as_ref().map(|pass| [pass.before, pass.after])),
            "relation": it.relation.name(),
            "changes": it.changes.each_ref().map(changes_to_json),
            "between": changes_to_json(&it.between),
        })
    };
    let passes = compared.passes.iter().map(pass).collect::<Vec<_>>();
    json!({ "same": compared.is_same(), "producers": compared.producers, "passes": passes })
}

fn to_json(table: &PassTable) -> Value {
    let pass = |it: &RecordedPass| {
        let rules = it.violations.iter().map(|(rule, count)| ((*rule).to_owned(), json!(count)));
        json!({
            "pass": &*it.pass.name,
            "depth": it.pass.depth,
            "before": it.before,
            "after": it.after,
            "nanoseconds": it.pass.nanoseconds,
            "changes": changes_to_json(&it.changes),
            "new_violations": rules.collect::<serde_json::Map<String, Value>>(),
            "failure": it.pass.failure.as_ref().map(ToString::to_string),
        })
    };
    let passes = table.rows.iter().map(pass).collect::<Vec<_>>();
    json!({ "producer": table.producer, "stages": table.stages, "passes": passes })
}

fn changes_to_json(changes: &StageChanges) -> Value {
    json!({
        "functions_changed": changes.changed,
        "functions_added": changes.added,
        "functions_removed": changes.removed,
        "functions_renamed": changes.renamed,
        "bindings": changes.bindings.len(),
        "complete": changes.is_complete || !changes.is_any,
    })
}
