//! [`Compared`]: two files, loaded and compared.

use std::panic::resume_unwind;
use std::thread;

use object_core::edit::EditOptions;
use object_core::json::Graph;
use object_core::structural::Mismatch;
use object_core::{Error, Result};

use crate::diff_args::DiffArgs;
use crate::diff_edits::Edits;
use crate::input::Reading;
use crate::source::Source;
use crate::types::Loaded;

/// The largest number of differences by default: in the text, and on a page.
const TEXT_LIMIT: usize = 20;
const PAGE_LIMIT: usize = 1000;

/// The bytes of two files that are read one after the other.
const LARGE: u64 = 1 << 26;

/// Two graphs with their differences.
pub(crate) struct Compared {
    pub(crate) graphs: [Graph; 2],
    pub(crate) found: Vec<Mismatch>,
    /// Whether there are more differences than in `found`.
    pub(crate) has_more: bool,
    /// Whether scripts can show the graphs.
    pub(crate) has_scripts: bool,
}

impl Compared {
    /// Loads and compares two files.
    ///
    /// # Errors
    /// Errors of loading and of the comparison.
    pub(crate) fn of(args: &DiffArgs, files: [&Source; 2], reading: &Reading) -> Result<Self> {
        let [a, b] = files;
        // The text of a file is larger than its graph, so the texts of two large files are not in memory at one time.
        let (first, second) = if a.size() + b.size() > LARGE {
            (a.load(reading), b.load(reading))
        } else {
            thread::scope(|scope| {
                let second = scope.spawn(|| b.load(reading));
                (a.load(reading), second.join().unwrap_or_else(|panic| resume_unwind(panic)))
            })
        };
        let in_files = |error: Error| error.context(format_args!("{a} and {b}"));
        let [first, second] = first?.in_one_version(second?).map_err(in_files)?;
        let (Loaded { graph: first, origin }, Loaded { graph: second, .. }) = (first, second);
        let equal = args.options.options();
        let limit =
            args.limit.map_or(if args.html.is_some() { PAGE_LIMIT } else { TEXT_LIMIT }, |limit| limit as usize);
        let found = if args.first {
            equal.first_mismatch(&first.root, &second.root).map(|first| first.into_iter().collect())
        } else {
            // One more than the limit tells whether there are more.
            equal.diff_within(&reading.limits, &first.root, &second.root, limit + 1)
        };
        let mut found: Vec<Mismatch> = found.map_err(in_files)?;
        let has_more = found.len() > limit;
        found.truncate(limit);
        Ok(Compared { graphs: [first, second], found, has_more, has_scripts: origin.is_linked() })
    }
    /// The edits that make the second graph of the first one.
    ///
    /// # Errors
    /// Errors of the search for corresponding objects.
    pub(crate) fn edits(&self, args: &DiffArgs, reading: &Reading) -> Result<Edits<'_>> {
        let [a, b] = self.graphs.each_ref().map(|graph| &graph.root);
        let options = EditOptions::new().structural(args.options.options()).limits(reading.limits);
        Ok(Edits { script: options.edits(a, b)?, roots: [a, b] })
    }
}
