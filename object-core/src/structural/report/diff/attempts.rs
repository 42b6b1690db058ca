//! Pairs that a diff skips, because a comparison finds them equal. A comparison takes a fraction of the time of the walk, so
//! a diff of two values that differ in few places costs little more than a comparison.
//!
//! The walk tries pairs that have siblings: elements of arrays, values of maps. If a pair differs, the walk compares it part
//! by part, and tries the parts again. The steps of such comparisons are limited by the steps of the others, so the cost
//! stays linear. Under lexical scopes the walk skips nothing.
//!
//! The comparison and the walk share their bindings and the pairs that they found equal. A failed attempt takes its
//! bindings back, and with them the equal pairs that may depend on them. An array gets hashes only for the elements
//! between the equal ones at its beginning and the ones of the same shape at its end. If a report needs the place of a
//! binding in a skipped pair, another walk over the skipped pairs finds it.

use crate::object::{AnyView, DefRegionKind, ObjectView};
use crate::structural::engine::leaves::same_plain;
use crate::structural::engine::sharing::is_shared;
use crate::structural::options::Scopes;
use crate::structural::report::diff::align::{Ends, Run, align};
use crate::structural::report::diff::frame::{DiffChildren, DiffItems};
use crate::structural::report::diff::path_tree::ROOT;
use crate::structural::report::diff::state::{Attempts, DiffMode, DiffWalk, SkippedPair};
use crate::structural::report::diff::walk::is_counterpart;
use crate::structural::scope::bindings::Bindings;

/// The walk may take this many steps in comparisons of pairs that differ, [`WASTED_SHARE`] for each other step, and
/// [`WASTED_TIMES`] the steps of the longest of these comparisons. Each comparison takes a linear number of steps, and so do
/// all other steps together.
const WASTED_AT_FIRST: u64 = 64;
const WASTED_SHARE: u64 = 1;
const WASTED_TIMES: u64 = 2;

impl Attempts<'_> {
    /// The steps of comparisons since the last call. Counts a step of the walk.
    pub(super) fn take_steps(&mut self) -> u64 {
        self.useful += 1;
        std::mem::take(&mut self.uncounted)
    }

    /// Records the steps of a comparison.
    fn record(&mut self, steps: u64, is_useful: bool) {
        self.uncounted += steps;
        if is_useful {
            self.useful += steps;
        } else {
            self.wasted += steps;
            self.longest_wasted = self.longest_wasted.max(steps);
        }
    }

    /// Whether one more comparison may be wasted.
    fn may_waste(&self) -> bool {
        self.wasted <= WASTED_AT_FIRST + WASTED_SHARE * self.useful + WASTED_TIMES * self.longest_wasted
    }

    /// Counts the last `steps` steps of comparisons of equal pairs as wasted.
    fn take_back(&mut self, steps: u64) {
        self.useful -= steps.min(self.useful);
        self.wasted += steps;
    }
}

impl<'a> DiffWalk<'a> {
    /// Whether the walk skips the current pair.
    pub(super) fn skips(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> bool {
        self.stack.last().is_some_and(|frame| frame.has_siblings())
            && self.may_attempt()
            && !self.is_known_to_differ(a, b)
            && self.attempt_alone(a, b, region)
    }

    /// Whether the walk compared the two objects before, and found that they differ.
    fn is_known_to_differ(&self, a: ObjectView<'a>, b: ObjectView<'a>) -> bool {
        self.attempts.different == Some((a.address(), b.address()))
            || (is_shared(a, b) && (self.differing.contains(a, b) || self.differing.reached_limit(a)))
    }

    /// As [`attempt`](Self::attempt), for a pair that the walk does not take back.
    fn attempt_alone(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> bool {
        self.engine.equal_classes.record();
        self.attempt(a, b, region)
    }

    fn may_attempt(&self) -> bool {
        self.mode.skips_equal_pairs && self.options.scopes == Scopes::Persistent && self.attempts.may_waste()
    }

    /// Compares the current pair. If it is equal, keeps its bindings.
    fn attempt(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> bool {
        let (bound_before, steps) = (self.engine.bindings.log().len(), self.engine.steps);
        let equal = self.engine.attempt(a, b, region);
        self.attempts.record(self.engine.steps.wrapping_sub(steps).into(), equal);
        if equal && is_shared(a, b) && !is_counterpart(a) {
            self.engine.equal_classes.insert(a, b);
        }
        if !equal {
            self.attempts.different = Some((a.address(), b.address()));
        } else if let Some(record) = &mut self.record {
            record.add_equal((a, b), &self.engine.bindings, bound_before);
        } else if self.engine.bindings.log().len() > bound_before {
            let place = self.place();
            self.attempts.skipped.push(SkippedPair { objects: (a, b), region, place, bound_before });
        }
        equal
    }

    /// If the frame on top of the stack has two arrays, aligns their elements. The equal elements at the beginning are
    /// compared then.
    pub(super) fn align_items(&mut self, region: DefRegionKind) {
        let Some((a, b)) = self.stack.last().map(|frame| frame.objects()) else { return };
        let (Some(lhs), Some(rhs)) = (a.as_array(), b.as_array()) else { return };
        if a.ptr_eq(b) || lhs.len().max(rhs.len()) < 2 {
            return;
        }
        self.engine.equal_classes.record();
        // The state before each of the equal elements.
        let (mut ends, mut before) = (Ends::default(), Vec::new());
        let mut recorded = Vec::new();
        let pair = |i: usize, j: usize| (lhs.get(i).unwrap_or_default(), rhs.get(j).unwrap_or_default());
        let least = lhs.len().min(rhs.len());
        while ends.start < least && self.may_attempt() {
            let at = self.engine.attempted();
            let recorded_now = self.record.as_ref().map(|record| record.equal.len());
            self.with_items(|items| items.go_to(ends.start));
            let equal = match pair(ends.start, ends.start) {
                (AnyView::Object(x), AnyView::Object(y)) => self.attempt(x, y, region),
                (x, y) => same_plain(x, y),
            };
            if !equal {
                break;
            }
            before.push(at);
            recorded.extend(recorded_now);
            ends.start += 1;
        }
        while ends.start + ends.end < least && self.may_attempt() {
            let (x, y) = pair(lhs.len() - 1 - ends.end, rhs.len() - 1 - ends.end);
            let mut steps = 0;
            let same = self.align_hashes.have_same_shape(x, y, &mut steps);
            self.attempts.record(steps, same);
            if !same {
                break;
            }
            ends.end += 1;
        }
        // The alignment distinguishes variables of the elements from variables that are bound outside of the arrays.
        let after = self.engine.attempted();
        let outside = before.first().map_or(after.bound, |at| at.bound);
        let bound = self.engine.bindings.split_off(outside);
        let max_edits = self.mode.limits.max_edit_distance;
        let runs = align([lhs, rhs], ends, &self.engine.bindings, &mut self.align_hashes, max_edits);
        let in_first_run = match runs.first() {
            Some(Run::Both { lhs: 0, rhs: 0, len, same_shape: true }) => *len,
            _ => 0,
        };
        let equal = ends.start.min(in_first_run);
        bound.iter().for_each(|(x, y)| {
            self.engine.bindings.relate(*x, *y, true);
        });
        if let Some(kept) = before.get(equal) {
            // The best alignment gives the elements after the kept ones other counterparts.
            self.attempts.take_back(after.steps.wrapping_sub(kept.steps).into());
            self.attempts.skipped.retain(|pair| pair.bound_before < kept.bound);
            self.engine.go_back_to(*kept);
            if let (Some(record), Some(count)) = (&mut self.record, recorded.get(equal)) {
                record.equal.truncate(*count);
            }
        }
        if let Some(record) = &mut self.record {
            record.runs.insert((a.address(), b.address()), runs.clone());
        }
        self.with_items(|items| items.realign(runs, equal));
    }

    fn with_items(&mut self, change: impl FnOnce(&mut DiffItems<'a>)) {
        if let Some(DiffChildren::Items(items)) = self.stack.last_mut().map(|frame| &mut frame.children) {
            change(items);
        }
    }

    /// Finds the places of the bindings in skipped pairs.
    pub(super) fn list_skipped_bindings(&mut self) {
        let skipped = std::mem::take(&mut self.attempts.skipped);
        if skipped.is_empty() {
            return;
        }
        let computed = self.align_hashes.computed;
        let lister = self.attempts.lister.take();
        let mut lister =
            lister.unwrap_or_else(|| Box::new(DiffWalk::new(&self.options, DiffMode::of_bindings(), computed)));
        std::mem::swap(&mut lister.places, &mut self.places);
        for SkippedPair { objects: (a, b), region, place, bound_before } in skipped {
            lister.repeat_bindings(&self.engine.bindings, bound_before);
            lister.base = place;
            // The objects are equal, so there is nothing to report, and the walk has no limit.
            let _ = lister.walk(AnyView::Object(a), AnyView::Object(b), region);
        }
        std::mem::swap(&mut lister.places, &mut self.places);
        lister.base = ROOT;
        self.attempts.lister = Some(lister);
    }

    /// Makes the first `count` bindings of another walk, except those that this walk made.
    fn repeat_bindings(&mut self, bindings: &Bindings<'a>, count: usize) {
        for a in bindings.log().get(self.engine.bindings.log().len()..count).unwrap_or_default() {
            if let Some(bound) = bindings.get(*a) {
                self.engine.bindings.relate(*a, bound.other, true);
            }
        }
    }
}
