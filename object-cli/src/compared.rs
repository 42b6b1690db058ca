//! [`Compared`]: two files, loaded and compared.

use std::panic::resume_unwind;
use std::thread;

use object_core::edit::EditOptions;
use object_core::json::Graph;
use object_core::structural::Mismatch;
use object_core::{Error, Result};
use object_script::rendering::ProgramEdits;

use crate::diff_args::DiffArgs;
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
    /// Whether the comparison ended at the limit of steps.
    pub(crate) ended: bool,
    /// The number of differences or edits to show.
    pub(crate) limit: usize,
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
            equal.first_mismatch(&first.root, &second.root).map(|first| (first.into_iter().collect(), None))
        } else {
            // One more than the limit tells whether there are more.
            equal.diff_so_far(&reading.limits, &first.root, &second.root, limit + 1)
        };
        let (mut found, ended): (Vec<Mismatch>, _) = found.map_err(in_files)?;
        let ended = ended.is_some();
        let has_more = ended || found.len() > limit;
        found.truncate(limit);
        Ok(Compared { graphs: [first, second], found, has_more, ended, limit, has_scripts: origin.is_linked() })
    }

    /// The number of edits; of differences, if the first one alone matters.
    ///
    /// # Errors
    /// As [`edits`](Self::edits).
    pub(crate) fn count(&self, args: &DiffArgs, reading: &Reading) -> Result<usize> {
        if args.first || self.found.is_empty() {
            return Ok(self.found.len());
        }
        Ok(self.edits(args, reading)?.count())
    }

    /// The edits that make the second graph of the first one.
    ///
    /// # Errors
    /// Errors of the search for corresponding objects.
    pub(crate) fn edits(&self, args: &DiffArgs, reading: &Reading) -> Result<ProgramEdits<'_>> {
        let [a, b] = self.graphs.each_ref().map(|graph| &graph.root);
        let options = EditOptions::new().structural(args.options.options()).limits(reading.limits);
        Ok(ProgramEdits::new(options.edits(a, b)?, [a, b]))
    }
}
