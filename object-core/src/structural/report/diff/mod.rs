//! One walk over two values that reports their differences: the first one, or all of them.
//!
//! The walk is like a comparison, but tracks its path and can continue after a difference:
//!
//! - Arrays are *aligned*: after an element that differs, elements that are equal up to variables are matched by a
//!   longest common subsequence, so an inserted element is one difference and does not shift all that follow. The walk
//!   aligns what it needs to find the next equal elements, with the bindings so far (`attempts.rs`). For the first
//!   difference alone, elements are compared by index.
//! - An element that only one side has at a place and that the other side has at another place of the array is compared
//!   with it, so that its variables correspond and their uses are no differences.
//! - Corresponding objects keep their correspondence: once two variables or `dag` nodes are bound to each other, a
//!   later pair of one of them and another object is a conflict, and the difference names the binding.
//! - No difference is reported twice. If several places share a pair of objects, or several places have a conflict
//!   between the same two objects, the diff reports the first place.
//!
//! The cost is linear in objects plus references, except for arrays that differ in very many places: there the
//! alignment stops its search for the longest match after a bounded effort (`lcs.rs`).

pub(crate) mod align;
mod align_hash;
mod attempts;
mod binding_places;
mod differing;
mod frame;
mod lcs;
pub(crate) mod known;
pub(crate) mod matcher;
mod path_tree;
pub(crate) mod proofs;
pub(crate) mod record;
mod state;
mod use_sites;
mod walk;

use crate::access_path::AccessPath;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::object::{AnyView, ComputedValues};
use crate::structural::not_comparable::not_comparable;
use crate::structural::options::StructuralOptions;
use crate::structural::report::diff::state::{DiffMode, DiffWalk};
use crate::structural::report::mismatch::{Mismatch, MismatchReason};

/// Differences, and the error of the limit beyond which the walk ended.
type Found = (Vec<Mismatch>, Option<Error>);

fn walk(options: &StructuralOptions, mode: DiffMode, a: AnyView<'_>, b: AnyView<'_>) -> Result<Found> {
    let computed = ComputedValues::default();
    DiffWalk::new(options, mode, computed.end()).run(a, b)
}

/// The differences of two values that are not equal, at most `limit` of them, and at least one. If the walk takes more steps than
/// `limits` allow, the differences found until then, with the error that says so.
///
/// # Errors
/// The error of a check that interrupts long work.
pub(crate) fn differences(
    options: &StructuralOptions,
    a: AnyView<'_>,
    b: AnyView<'_>,
    limit: usize,
    limits: Limits,
) -> Result<Found> {
    let (mut found, ended) = walk(options, DiffMode::aligned(limit.max(1), limits), a, b)?;
    if found.is_empty() {
        // The walk ended before the first difference, or the order of unbound map keys decides the verdict.
        found.push(first_difference(options, a, b));
    }
    Ok((found, ended))
}

/// The result of the walk to the first difference, which has no limit of steps.
fn first_of(options: &StructuralOptions, as_inserted: bool, a: AnyView<'_>, b: AnyView<'_>) -> Option<Mismatch> {
    walk(options, DiffMode::first(as_inserted), a, b).ok()?.0.pop()
}

/// The first difference of two values that are not equal.
pub(crate) fn first_difference(options: &StructuralOptions, a: AnyView<'_>, b: AnyView<'_>) -> Mismatch {
    // Readers expect the first differing entry in insertion order, in which maps print. If only the order of entries
    // makes the difference, the walk finds it in the order that decides verdicts.
    let first = |as_inserted| first_of(options, as_inserted, a, b);
    let printed = first(true).filter(|found| !matches!(found.reason, MismatchReason::NotComparable));
    printed.or_else(|| first(false)).unwrap_or_else(|| Mismatch {
        lhs: AccessPath::root(),
        rhs: AccessPath::root(),
        lhs_value: Some(a.to_any()),
        rhs_value: Some(b.to_any()),
        variants: [None, None],
        reason: MismatchReason::Value,
    })
}

/// The error for two values, if a comparison of them reached objects that take no part in it before any difference.
pub(crate) fn not_comparable_error(options: &StructuralOptions, a: AnyView<'_>, b: AnyView<'_>) -> Error {
    let found = first_of(options, false, a, b);
    let (path, value) = found.map_or((AccessPath::root(), None), |found| (found.lhs, found.lhs_value));
    not_comparable(value.as_ref().and_then(|value| value.view().as_object()), path)
}
