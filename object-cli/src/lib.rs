//! The command `objir`, which inspects, compares, hashes and checks files in TVM's JSON graph format and in TVMScript. The
//! program `objir` and the package of Python [`run`] it.
//!
//! The exit code is 0 for success or equal graphs, 1 for a difference or an ill-formed program, 2 for an error, and 3 if a comparison of runs is inconclusive.

// Not `forbid`, because the constructor in `closed_stdout` allows its own generated code, and `source` maps files.
#![deny(unsafe_code)]

mod args;
mod batch;
mod bench;
mod bisect;
mod check;
mod closed_stdout;
mod build;
mod codegen;
mod codegen_args;
mod command_runs;
mod compared;
mod completions;
mod ctrl_c;
mod dataflow;
mod dataflow_json;
mod dataflow_layout;
mod dataflow_picture;
mod defect;
mod diff;
mod diff_args;
mod diff_edits;
mod diff_sets;
mod draw;
mod examples;
mod finding;
mod file_program;
mod file_set;
mod fmt;
mod format;
mod github;
// Tests run its examples.
#[cfg(all(doc, not(doctest)))]
pub mod guide;
mod hash;
mod help;
mod input;
mod limit_args;
mod lsp;
mod man;
mod merge;
mod message;
mod output;
mod parse;
mod patch;
mod plain_diff;
mod print;
mod program;
mod progress;
mod reduce;
mod reduce_args;
mod roundtrip;
mod run;
mod run_args;
mod run_arguments;
mod run_compare;
mod run_error;
mod run_parameters;
mod run_results;
mod sarif;
mod schema;
mod script;
mod source;
mod stats;
mod structural_args;
mod trace;
mod trace_file;
mod tvm_arg;
mod types;

use std::ffi::OsString;

use args::{Args, Command};
use clap::FromArgMatches;
use finding::{Finding, Level};
use format::Format;
use help::Shown;
use input::Reading;
use object_ir as _;
use output::{Output, Verdict};
use serde_json::json;
use types::TypeChoice;

/// Runs the command of these arguments, of which the first one is the name of the program, and returns the exit code.
///
/// The results are on standard output, and errors on standard error, or on standard output in the other forms than text. They are no
/// errors of this function. A defect of the program is always reported on standard error.
#[must_use]
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let args: Vec<OsString> = args.into_iter().collect();
    let asked = Format::asked_by(&args);
    let verdict = defect::reporting(|| match parsed(args) {
        Ok(args) => dispatch(&args),
        // `--help` and `--version` are errors for clap.
        Err(error) if !error.use_stderr() => {
            let _ = error.print();
            Verdict::Same
        }
        Err(error) => misused(&error, asked),
    });
    verdict.exit_code()
}

/// Reports arguments that the command does not take.
fn misused(error: &clap::Error, format: Format) -> Verdict {
    if format == Format::Text {
        // The exit code also reports the error.
        let _ = error.print();
        return Verdict::Failed;
    }
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    let (message, help) = text.split_once("\n\n").unwrap_or((text, ""));
    let help = Some(help.trim_end().to_owned()).filter(|help| !help.is_empty());
    let output = Output::new(format);
    let finding = Finding { help, ..Finding::new(Level::Error, "usage", message.trim_end()) };
    let _ = output.show("", || json!({"errors": [finding.to_json()]}));
    let _ = output.find(|| vec![finding]);
    output.finish(Verdict::Failed)
}

/// The arguments as values.
fn parsed(args: Vec<OsString>) -> Result<Args, clap::Error> {
    let command = help::command(Shown::of(&args));
    Args::from_arg_matches(&command.try_get_matches_from(args)?)
}

/// Runs the command of the arguments.
fn dispatch(Args { command, json, types, limits, .. }: &Args) -> Verdict {
    let format = command.format().unwrap_or(if *json { Format::Json } else { Format::Text });
    let (output, meter, limits) = (Output::new(format), limits.meter(), limits.limits());
    message::set_max_message(limits.max_message);
    let reading = TypeChoice::of(types, limits).map(|types| Reading { types, limits, meter });
    let result = reading.and_then(|reading| match command {
        Command::Stats(args) => stats::run(args, &reading, &output),
        Command::Hash(args) => hash::run(args, &reading, &output),
        Command::Diff(args) => diff::run(args, &reading, &output),
        Command::Patch(args) => patch::run(args, &reading, &output),
        Command::Merge(args) => merge::run(args, &reading, &output),
        Command::Check(args) => check::run(args, &reading, &output),
        Command::Normalize(args) => program::normalize(args, &reading, &output),
        Command::Infer(args) => program::infer(args, &reading, &output),
        Command::Rewrite(args) => program::rewrite(args, &reading, &output),
        Command::Transform(args) => program::transform(args, &reading, &output),
        Command::Convert(args) => program::convert(args, &reading, &output),
        Command::Roundtrip(args) => roundtrip::run(args, &reading, &output),
        Command::Print(args) => print::run(args, &reading, &output),
        Command::Run(args) => run::run(args, &reading, &output),
        Command::Reduce(args) => reduce::run(args, &reading, &output),
        Command::Trace(args) => trace::run(args, &reading, &output),
        Command::Bisect(args) => bisect::run(args, &reading, &output),
        Command::Parse(args) => parse::run(args, &reading, &output),
        Command::Fmt(args) => fmt::run(args, &reading, &output),
        Command::Lsp(args) => lsp::run(args, &reading),
        Command::Draw(args) => draw::run(args, &reading, &output),
        Command::Bench(args) => bench::run(args, &reading, &output),
        Command::Build(args) => build::run(args, &reading),
        Command::Codegen(args) => codegen::run(args, &reading, &output),
        Command::Schema(args) => schema::run(args, &reading, &output),
        Command::Completions(args) => completions::run(args, &mut help::unadorned(Shown::All), &output),
        Command::Man(args) => man::run(args, help::unadorned(Shown::All), &output),
    });
    let verdict = result.unwrap_or_else(|error| {
        output.fail(&error);
        Verdict::Failed
    });
    output.finish(verdict)
}
