//! [`structural_diff`]: every place at which two values differ, not only the first.
//!
//! One walk over both values, as in a comparison, that goes on behind a difference instead of ending there:
//!
//! - Arrays are *aligned* before their elements are compared: elements that are equal up to variables are matched by a
//!   longest common subsequence, so an inserted element is one difference and does not shift all that follow.
//! - What corresponds stays so: once two variables or `dag` nodes are bound to each other, a later use of one of them
//!   beside something else is a conflict with that binding, which the difference names.
//! - Nothing is said twice: a pair of objects that several places share, and a conflict between the same two objects,
//!   is reported at its first place.
//!
//! The cost is linear in objects plus references, but for arrays that differ in very many places: there the alignment
//! stops looking for the longest match after a bounded effort (`lcs.rs`).

mod align;
mod entries;
mod frame;
mod lcs;
mod differing;
mod path_tree;
mod align_hash;
mod use_sites;
mod walk;

use crate::error::Result;
use crate::object::{AnyView, AsAnyView, ComputedValues};
use crate::structural::options::StructuralOptions;
use crate::structural::report::diff::walk::{DiffMode, Walk};
use crate::structural::report::mismatch::{Mismatch, MismatchReason};

/// How many differences [`structural_diff`] reports at most.
pub const DIFF_LIMIT: usize = 1000;

impl StructuralOptions {
    /// The differences of `a` and `b`, at most `limit` of them, but at least one if there is any: the list is empty
    /// exactly if they are [equal](StructuralOptions::equal).
    ///
    /// They come in the order of the walk: fields as declared, elements by index, map entries sorted by plain keys.
    /// The first one is where [`first_mismatch`](StructuralOptions::first_mismatch) is, or the two lie in different
    /// elements of one array, or entries of one map; where maps have objects as keys, the order of the entries may lead
    /// to another place. From right to left there are the same differences mirrored, unless several alignments of an
    /// array are equally good, or an object is shared on one side only.
    ///
    /// Besides `limit`, the list ends early if the paths in it grow beyond a million steps. A shared object that was
    /// found different from 16 others is not walked again with further ones.
    ///
    /// # Errors
    /// As [`StructuralOptions::equal`]. Behind the first difference, a type that takes no part in comparison is no error,
    /// but a difference with the reason [`NotComparable`](MismatchReason::NotComparable).
    ///
    /// ```
    /// use object_core::prelude::*;
    /// let (a, b) = (Array::from([1, 2, 3, 4]), Array::from([1, 9, 2, 3, 5]));
    /// let found = StructuralOptions::new().diff(&a, &b, 10)?;
    /// let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    /// assert_eq!(found, [
    ///     "<root>[1] is 9, on the right only",
    ///     "<root>[3] is 4, but <root>[4] is 5: the values differ",
    /// ]);
    /// # Ok::<(), object_core::Error>(())
    /// ```
    pub fn diff(&self, a: &impl AsAnyView, b: &impl AsAnyView, limit: usize) -> Result<Vec<Mismatch>> {
        if self.equal(a, b)? {
            return Ok(Vec::new());
        }
        let computed = ComputedValues::default();
        let found =
            Walk::new(self, DiffMode::aligned(limit.max(1)), computed.end()).run(a.as_any_view(), b.as_any_view());
        // Only where the order of unbound map keys decides the verdict may the walk find nothing.
        Ok(if found.is_empty() { self.first_mismatch(a, b)?.into_iter().collect() } else { found })
    }
}

/// The differences of two values under the default options, at most [`DIFF_LIMIT`] of them: see
/// [`StructuralOptions::diff`].
///
/// # Errors
/// As [`StructuralOptions::diff`].
pub fn structural_diff(a: &impl AsAnyView, b: &impl AsAnyView) -> Result<Vec<Mismatch>> {
    StructuralOptions::new().diff(a, b, DIFF_LIMIT)
}

/// The reason of the first mismatch: what a comparison by position meets first. Map entries are taken as they were
/// inserted, or in the order that decides verdicts.
pub(crate) fn first_reason(
    options: &StructuralOptions,
    a: AnyView<'_>,
    b: AnyView<'_>,
    as_inserted: bool,
) -> Option<MismatchReason> {
    let computed = ComputedValues::default();
    Walk::new(options, DiffMode::first(as_inserted), computed.end()).run(a, b).pop().map(|found| found.reason)
}
