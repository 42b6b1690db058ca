//! The command line, run as a user runs it: exit codes, texts and JSON.

mod batch;
mod bench;
mod build;
mod check;
mod codegen;
mod day;
mod diff;
mod edits;
mod errors;
mod errors_as_data;
mod explain;
mod fmt;
mod formats;
#[cfg(unix)]
mod git;
#[cfg(unix)]
mod guide;
mod harness;
mod hash;
mod help;
#[cfg(unix)]
mod hostile;
mod limits;
mod lsp;
#[cfg(target_os = "linux")]
mod memory;
mod page;
mod parse;
mod print;
mod program;
#[cfg(unix)]
mod reduce;
#[cfg(unix)]
mod repositories;
mod roundtrip;
mod run;
mod run_files;
mod schema;
mod stats;
#[cfg(unix)]
mod trace;
mod tvm;
mod written_files;
