//! The arguments of `objir diff`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::format::FormatArgs;
use crate::source::Source;
use crate::structural_args::StructuralArgs;

/// `objir diff`.
#[derive(ClapArgs)]
pub(crate) struct DiffArgs {
    /// The first file, folder or pattern, or `-`.
    pub(crate) a: Source,

    /// The second file, folder or pattern, or `-`.
    pub(crate) b: Source,

    /// The maximal number of edits to show, and of differences in JSON and on a page. The default is 20, and 1000 on a page.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,

    /// Write a page that shows both scripts side by side, besides the text.
    #[arg(long, value_name = "FILE", conflicts_with = "first")]
    pub(crate) html: Option<PathBuf>,

    /// Show only the first mismatch, with arrays compared by index.
    #[arg(long, conflicts_with = "limit")]
    pub(crate) first: bool,

    /// Compare what the passes of two recorded pipelines did: the files are traces, as `objir trace` shows them.
    #[arg(long, conflicts_with_all = ["limit", "html", "first"])]
    pub(crate) of_diffs: bool,

    #[command(flatten)]
    pub(crate) format: FormatArgs,

    #[command(flatten)]
    pub(crate) options: StructuralArgs,
}
