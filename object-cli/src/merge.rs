//! `objir merge`: a program with the changes of two others.

use std::fmt;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use object_core::edit::{Conflict, merge};
use object_core::{Result, brief_to};

use crate::file_program::FileProgram;
use crate::input::Reading;
use crate::output::{Output, Verdict, print_remark};
use crate::source::Source;

/// `objir merge`.
#[derive(ClapArgs)]
pub(crate) struct MergeArgs {
    /// The program from which both sides come, or `-`.
    pub(crate) base: Source,

    /// The program of the first side. The result has its format and, at places of conflicts, its content.
    pub(crate) ours: Source,

    /// The program of the second side.
    pub(crate) theirs: Source,

    /// Write the program into this file. Without it, the program is the output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) out: Option<PathBuf>,
}

pub(crate) fn run(args: &MergeArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let load = |file| FileProgram::load("merge", file, reading);
    let (base, ours, theirs) = (load(&args.base)?, load(&args.ours)?, load(&args.theirs)?);
    let merged = merge(&base.graph.root, &ours.graph.root, &theirs.graph.root)?;
    ours.write_alike(&merged.value, args.out.as_deref(), output)?;
    merged.conflicts.iter().for_each(|conflict| print_remark(ConflictText(conflict)));
    let is_clean = merged.conflicts.is_empty();
    // The process ends, which releases all memory at once.
    std::mem::forget((base, ours, theirs, merged));
    Ok(Verdict::of(is_clean))
}

/// The number of characters of a value that a conflict shows.
const SHOWN: usize = 200;

/// A conflict with the three values at its place.
struct ConflictText<'a>(&'a Conflict);

impl fmt::Display for ConflictText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "conflict at {}: {}", self.0.path, self.0.reason)?;
        let [ours, theirs] = &self.0.sides;
        for (name, value) in [("base", &self.0.base), ("ours", ours), ("theirs", theirs)] {
            let text = value.as_ref().map_or_else(|| "nothing".to_owned(), ToString::to_string);
            write!(f, "\n  {name}: {}", brief_to(&text, SHOWN))?;
        }
        Ok(())
    }
}
