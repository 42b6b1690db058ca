//! The command line: the commands and the options that all of them have.

use clap::{ArgAction, Parser, Subcommand};

use crate::bench::BenchArgs;
use crate::bisect::BisectArgs;
use crate::build::BuildArgs;
use crate::check::CheckArgs;
use crate::codegen_args::CodegenArgs;
use crate::completions::CompletionsArgs;
use crate::diff_args::DiffArgs;
use crate::draw::DrawArgs;
use crate::fmt::FmtArgs;
use crate::format::Format;
use crate::hash::HashArgs;
use crate::limit_args::LimitArgs;
use crate::lsp::LspArgs;
use crate::man::ManArgs;
use crate::merge::MergeArgs;
use crate::parse::ParseArgs;
use crate::patch::PatchArgs;
use crate::print::PrintArgs;
use crate::program::{ConvertArgs, InferArgs, ProgramArgs, RewriteArgs, TransformArgs};
use crate::reduce_args::ReduceArgs;
use crate::roundtrip::RoundtripArgs;
use crate::run_args::RunArgs;
use crate::schema::SchemaArgs;
use crate::stats::StatsArgs;
use crate::trace::TraceArgs;
use crate::types::TypeArgs;

/// Inspects, compares, hashes and checks files in TVM's JSON graph format, in TVMScript and in binary form.
#[derive(Parser)]
#[command(
    name = "objir",
    version,
    after_help = "FILE is a JSON graph, a script or a binary graph, and may be gzipped; `-` is standard input.\n\
    `hash`, `check` and `diff` also take folders and patterns such as 'models/**/*.json'.\n\
    Exit codes: 0 for success or equal graphs, 1 for a difference or an ill-formed program, 2 for an error,\n\
    3 for runs that do not tell whether their results differ."
)]
pub(crate) struct Args {
    /// The command to run.
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Write JSON instead of text.
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Print help with the limits of memory and work.
    #[arg(long, global = true, action = ArgAction::HelpLong)]
    help_all: Option<bool>,

    #[command(flatten)]
    pub(crate) types: TypeArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// The commands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Show the size of a graph, how much of it is shared, and its types.
    Stats(StatsArgs),
    /// Print the structural hashes of graphs: the same in every process and on every machine.
    Hash(HashArgs),
    /// Compare two graphs structurally, and show the differences. Or compare the graphs of two folders, by their names.
    Diff(DiffArgs),
    /// Apply the edits that `diff --json` found to a program.
    Patch(PatchArgs),
    /// Merge the changes of two programs that come from one. With conflicts, the exit code is 1.
    ///
    /// The sides are in conflict where both change one binding, one statement or one function outside of its bindings in
    /// different ways. There, the result has the content of OURS, and standard error names the place.
    Merge(MergeArgs),
    /// Check whether programs are well-formed, and show every violation; one line for each file of a folder.
    Check(CheckArgs),
    /// Put a program into normal form: no nested expressions, and structural information everywhere.
    Normalize(ProgramArgs),
    /// Fill in the structural information of a program, and check the one that it states.
    Infer(InferArgs),
    /// Replace what the patterns of rules match in a program, until no rule applies.
    Rewrite(RewriteArgs),
    /// Apply transforms to a module, by the names of TVM's passes.
    Transform(TransformArgs),
    /// Write a program for another version of TVM, or in another format: JSON, a script, or a binary graph, a file of safetensors that
    /// loads faster and whose weights stay on the disk until a command needs them. An object that the other version lacks is
    /// an error.
    ///
    /// A file with a binary graph must not change while a command reads it.
    Convert(ConvertArgs),
    /// Load a file and save it again, and check that the bytes are the same.
    Roundtrip(RoundtripArgs),
    /// Print a file as TVMScript, as TVM does.
    Print(PrintArgs),
    /// Run a function of a module with given or random arguments, and print the result, or compare the results of two
    /// modules.
    Run(RunArgs),
    /// Make a program smaller while a command behaves the same on it: a reproducer of a failure.
    ///
    /// Two runs of the command behave the same if their exit codes are equal, and, with `--match`, their output has the
    /// text. Functions, bindings, results, parameters and attributes go as long as the command behaves the same; a binding
    /// whose variable others use becomes a parameter, and sizes become 2. A well-formed program stays well-formed, and an
    /// ill-formed one violates no further rule. With `--schema` and `--tvm FILE`, graphs of any types become smaller by
    /// their fields alone.
    ///
    /// The command gets files of the format of FILE: a script, or JSON of the same version of TVM. Standard error shows the
    /// progress if it is a terminal. Ctrl-C ends the command, and the smallest program so far is the result.
    ///
    /// For wrong results as the failure, `objir run --compare` ends with exit code 1 for different results alone:
    /// `--test 'objir transform {} FoldConstant -o {}.out && objir run --compare {} {}.out'`.
    Reduce(ReduceArgs),
    /// Show what the passes of a recorded pipeline did: `objir.trace` of the package of Python records TVM's passes, `objir transform
    /// --trace` the passes of this program, and `object_core::trace` the passes of any program.
    Trace(TraceArgs),
    /// Find the pass of a recorded pipeline that broke a program: the first stage that breaks a rule, whose results differ, or on
    /// which a command fails.
    ///
    /// With `--test`, a run fails if its exit code is not 0, or, with `--match`, if its output has the text. The command runs on
    /// the first and the last stage, and then on those in the middle, so a failure that comes and goes can hide the first
    /// one. The other searches look at every stage from the first one on.
    ///
    /// The exit code is 1 if a stage fails, 0 if none does, and 3 if some stages do not tell.
    Bisect(BisectArgs),
    /// Read a script, and write it as a JSON graph.
    Parse(ParseArgs),
    /// Format the scripts of Python files as `print` writes them. Everything else stays as it is, and a script that cannot keep
    /// something is an error.
    Fmt(FmtArgs),
    /// Serve editors: a language server for the scripts of Python files, over standard input and standard output.
    ///
    /// An editor starts it with the arguments `lsp` alone, for files of Python, beside a server for Python. It shows errors and
    /// violations of rules as you type, mends names, goes to definitions, finds uses, renames, shows structural information beside
    /// variables, explains operators, completes, shows the outline and formats. The rest of a Python file is left to the other
    /// server. The chapter `objir in other tools` of the guide has the settings of editors.
    Lsp(LspArgs),
    /// Draw the dataflow of a program: a box for each binding, with its operator and type, and arrows for uses. Or draw the objects of a
    /// graph.
    Draw(DrawArgs),
    /// Measure the operations on files: CPU time, median of many repeats.
    ///
    /// A repeat runs the operation once on each file. With many different files, the processor predicts branches as badly
    /// as in a program that reads a file once; with one file, it learns them.
    ///
    /// The operations are load; save; equal, mismatch and hash of two loads; walk and mutate, which visit every object
    /// once without a callback; copy, which is deep and keeps sharing; drop; if the graph has a free variable, substitute,
    /// which replaces the first one by a new variable; print and parse, which write and read its script; and, if the graph
    /// is a program of Relax, derive, which fills in its structural information, normalize, which puts it into normal form,
    /// and check; and, if all entries of the module run with random arguments, run, which calls each of them.
    Bench(BenchArgs),
    /// Print all types as a schema in JSON: keys, parents, fields, kinds, documentation.
    Schema(SchemaArgs),
    /// Generate C++, Python or Rust from a schema, as a whole file or in place in files with hand-written parts.
    ///
    /// Regions in place begin with `// tschema: NAME` and end with `// tschema: end`. Lines between `// tschema:
    /// custom-begin` and `// tschema: custom-end` stay, and move to the end of the class. In Python, a marker begins
    /// with `#`. If any file has a fault, no file changes.
    Codegen(CodegenArgs),
    /// Compile declarations to a library for tvm-ffi, with a module of Python that loads it.
    Build(BuildArgs),
    /// Print the script with which a shell completes commands, options and files.
    Completions(CompletionsArgs),
    /// Print the manual, or write its pages into a folder.
    Man(ManArgs),
}

impl Command {
    /// The form that the `--format` of the command chooses.
    pub(crate) fn format(&self) -> Option<Format> {
        match self {
            Command::Check(args) => args.format.format,
            Command::Diff(args) => args.format.format,
            Command::Fmt(args) => args.format.format,
            Command::Parse(args) => args.format.format,
            _ => None,
        }
    }
}
