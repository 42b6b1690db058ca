//! `objir`: inspects, compares, hashes and checks files in TVM's JSON graph format.
//!
//! The exit code is 0 for success or equal graphs, 1 for a difference, and 2 for an error, which `objir` prints on
//! standard error.

#![forbid(unsafe_code)]

mod args;
mod bench;
mod diff;
mod hash;
mod input;
mod one_line;
mod output;
mod roundtrip;
mod schema;
mod stats;

use std::process::ExitCode;

use clap::Parser;
use object_ir as _;

use args::{Args, Command};
use output::{Output, Verdict};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let Args { command, json, types } = Args::parse();
    let output = Output::new(json);
    let result = schema::types(&types).and_then(|types| match &command {
        Command::Stats(args) => stats::run(args, &types, &output),
        Command::Hash(args) => hash::run(args, &types, &output),
        Command::Diff(args) => diff::run(args, &types, &output),
        Command::Roundtrip(args) => roundtrip::run(args, &types, &output),
        Command::Bench(args) => bench::run(args, &types, &output),
        Command::Schema(args) => schema::run(args, &types, &output),
    });
    match result {
        Ok(verdict) => verdict.exit_code(),
        Err(error) => {
            output::print_error(&error);
            Verdict::Failed.exit_code()
        }
    }
}
