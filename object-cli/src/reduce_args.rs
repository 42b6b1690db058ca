//! The arguments of `objir reduce`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::command_runs::CommandArgs;
use crate::source::Source;

/// `objir reduce`.
#[derive(ClapArgs)]
#[command(mut_arg("test", |test| test.required(true)))]
pub(crate) struct ReduceArgs {
    /// The file of a program, or `-`.
    pub(crate) file: Source,

    #[command(flatten)]
    pub(crate) command: CommandArgs,

    /// Write the smallest program so far into this file: a script if its name ends in .py, else JSON. Without it, the
    /// program is the output, as a script.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) out: Option<PathBuf>,

    /// The number of runs at one time. The result does not depend on it, unless `--max-runs` ends the work.
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: u16,

    /// The largest number of runs.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) max_runs: usize,
}
