//! Pairs that a diff skips, because a comparison finds them equal. A comparison takes a fraction of the time of the walk, so
//! a diff of two values that differ in few places costs little more than a comparison.
//!
//! The walk tries pairs that have siblings: elements of arrays, values of maps. If a pair differs, the walk compares it part
//! by part, and tries the parts again. The steps of such comparisons are limited by the steps of the others, so the cost
//! stays linear. Under lexical scopes the walk skips nothing.
//!
//! The comparison and the walk share their bindings and the pairs that they found equal. A failed attempt takes its
//! bindings back, and with them the equal pairs that may depend on them. If a report needs the place of a binding in a
//! skipped pair, another walk over the skipped pairs finds it.
//!
//! An array is aligned piece by piece. The walk compares elements by index while they are equal. At the first ones that differ,
//! it aligns as few of the next elements as it needs to find equal ones again (`align.rs`), and goes on there. The bindings
//! of the elements before tell elements apart that have the same content. So only elements near differences get hashes.

use std::collections::VecDeque;

use crate::container::ArrayView;
use crate::object::{AnyView, DefRegionKind, ObjectView};
use crate::structural::engine::comparison::WORTH_REMEMBERING;
use crate::structural::engine::leaves::same_plain;
use crate::structural::engine::sharing::is_shared;
use crate::structural::options::Scopes;
use crate::structural::report::diff::align::{Alignment, Run, Until, align, join};
use crate::structural::report::diff::frame::{DiffChildren, DiffFrame, DiffItems};
use crate::structural::report::diff::path_tree::ROOT;
use crate::structural::report::diff::record::{EqualRun, is_of_run};
use crate::structural::report::diff::state::{Attempts, DiffMode, DiffWalk, SkippedPair};
use crate::structural::report::mismatch::MismatchReason;
use crate::structural::scope::bindings::Bindings;

/// The walk may take this many steps in comparisons of pairs that differ, [`WASTED_SHARE`] for each other step, and
/// [`WASTED_TIMES`] the steps of the longest of these comparisons. Each comparison takes a linear number of steps, and so do
/// all other steps together.
const WASTED_AT_FIRST: u64 = 64;
const WASTED_SHARE: u64 = 1;
const WASTED_TIMES: u64 = 2;

/// The number of equal elements before the first ones that differ among which an alignment looks for better counterparts.
const BEFORE: usize = 16;

/// The number of elements that an alignment looks at first, and the factor by which the number grows while there are no equal
/// ones among them. Short arrays are aligned as a whole.
const WINDOW: usize = 6;
const GROWTH: usize = 4;
const SHORT: usize = 64;

/// The number of elements of equal shape that are tried as the other place of a moved element.
const MOVED: usize = 4;

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
        let is_equal = self.stack.last().is_some_and(|frame| frame.has_siblings() && frame.is_worth_attempts())
            && self.may_attempt()
            && !self.is_known_to_differ(a, b)
            && self.attempt_alone(a, b, region);
        if is_equal {
            self.note_child(false);
        }
        is_equal
    }

    /// Notes in the frame on top of the stack whether a child differs.
    pub(super) fn note_child(&mut self, differs: bool) {
        if let Some(frame) = self.stack.last_mut().filter(|frame| frame.has_siblings()) {
            frame.surplus += if differs { -1 } else { 1 };
        }
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
        let taken = self.engine.steps.wrapping_sub(steps);
        self.attempts.record(taken.into(), equal);
        // Longer comparisons remember their pairs.
        if equal && taken <= WORTH_REMEMBERING && is_shared(a, b) && !a.is_identified() {
            self.engine.equal_classes.insert(a, b);
        }
        if !equal {
            self.attempts.different = Some((a.address(), b.address()));
        } else if let Some(record) = &mut self.record {
            record.add_equal((a, b), region, &self.engine.bindings, bound_before);
        } else if self.engine.bindings.log().len() > bound_before {
            let place = self.place();
            self.attempts.skipped.push(SkippedPair { objects: (a, b), region, place, bound_before });
        }
        equal
    }

    /// Aligns the next elements of the two arrays of the frame on top of the stack. The equal ones at the beginning are
    /// compared then.
    pub(super) fn align_items(&mut self) {
        let Some(frame) = self.stack.last() else { return };
        let (DiffChildren::Items(items), region) = (&frame.children, frame.region) else { return };
        let ((a, b), first) = (frame.objects(), items.unaligned());
        let (Some(lhs), Some(rhs)) = (a.as_array(), b.as_array()) else { return };
        self.engine.equal_classes.record();
        let pair = |i: usize, j: usize| (lhs.get(i).unwrap_or_default(), rhs.get(j).unwrap_or_default());
        let [least, longest] = [usize::min, usize::max].map(|of| of(lhs.len() - first.0, rhs.len() - first.1));
        // The states before the last equal elements.
        let mut before = VecDeque::new();
        let proofs_before = self.record.as_ref().map_or(0, |record| record.proofs.len());
        let mut equal = 0;
        // The first pairs of which the record can have a run.
        let mut in_run = 0;
        while equal < least && self.may_attempt() {
            let at = (self.engine.attempted(), self.record.as_ref().map(|record| record.proofs.len()));
            let (i, j) = (first.0 + equal, first.1 + equal);
            if self.record.is_none() {
                // Only a report needs the place of the pair.
                self.with_items(|items| items.go_to(i, j));
            }
            let is_equal = match pair(i, j) {
                (AnyView::Object(x), AnyView::Object(y)) => self.attempt(x, y, region),
                (x, y) => same_plain(x, y),
            };
            if !is_equal {
                break;
            }
            if before.len() == BEFORE {
                before.pop_front();
            }
            before.push_back(at);
            in_run += usize::from(in_run == equal && is_of_run(pair(i, j)));
            equal += 1;
        }
        let known = equal - before.len();
        let (mut runs, mut rest) = (Vec::new(), None);
        join(&mut runs, Run::Both { lhs: first.0, rhs: first.1, len: known, same_shape: true });
        if equal == longest {
            join(
                &mut runs,
                Run::Both { lhs: first.0 + known, rhs: first.1 + known, len: before.len(), same_shape: true },
            );
        } else {
            // The alignment distinguishes variables of the elements from variables that are bound outside of them.
            let outside = before.front().map_or(self.engine.attempted().bound, |(at, _)| at.bound);
            let bound = self.engine.bindings.split_off(outside);
            let alignment = self.align_after([lhs, rhs], (first.0 + equal, first.1 + equal), before.len());
            alignment.runs.into_iter().for_each(|run| join(&mut runs, run));
            rest = alignment.certain;
            bound.iter().for_each(|(x, y)| {
                self.engine.bindings.relate(*x, *y, true);
            });
        }
        let in_first_run = match runs.first() {
            Some(Run::Both { lhs, rhs, len, same_shape: true }) if (*lhs, *rhs) == first => *len,
            _ => 0,
        };
        let kept = equal.min(in_first_run);
        if let Some((state, recorded)) = (kept.checked_sub(known)).and_then(|index| before.get(index)) {
            // The best alignment gives the elements after the kept ones other counterparts.
            self.attempts.take_back(self.engine.attempted().steps.wrapping_sub(state.steps).into());
            self.attempts.skipped.retain(|pair| pair.bound_before < state.bound);
            self.engine.go_back_to(*state);
            if let (Some(record), Some(count)) = (&mut self.record, recorded) {
                record.truncate_proofs(*count);
            }
        }
        if let Some(record) = &mut self.record {
            let known = record.runs.entry((a.address(), b.address())).or_default();
            // The walk may meet two arrays again, in another region.
            if first == (0, 0) {
                known.clear();
            }
            known.extend(&runs);
            let (starts, len) = ([first.0, first.1], in_run.min(kept));
            record.add_run((a, b), EqualRun { starts, len, first_proof: proofs_before });
        }
        self.with_items(|items| items.realign(runs, kept, rest));
    }

    /// The alignment of the elements after `from` up to the next certain matches, and of the `before` elements in front of them.
    fn align_after(&mut self, [lhs, rhs]: [ArrayView<'a>; 2], from: (usize, usize), before: usize) -> Alignment {
        let max_edits = self.mode.limits.max_edit_distance;
        let longest = (lhs.len() - from.0).max(rhs.len() - from.1);
        let may_attempt = self.may_attempt();
        let is_plain = [lhs.get(from.0), rhs.get(from.1)].into_iter().flatten().all(|item| item.as_object().is_none());
        let mut window = if may_attempt && longest > SHORT && !is_plain { WINDOW } else { longest };
        let mut least = 1;
        loop {
            let parts = [(from.0, lhs.len()), (from.1, rhs.len())]
                .map(|(from, len)| from - before..from.saturating_add(window).min(len));
            let bindings = &self.engine.bindings;
            let until = match window >= longest {
                _ if !may_attempt => Until::End,
                true => Until::CertainIfVariables,
                false => Until::Certain(least),
            };
            let found = align([lhs, rhs], parts, from, bindings, &mut self.align_hashes, (until, max_edits));
            if window >= longest || found.certain.is_some() {
                return found;
            }
            // So the cost is linear: each element is in few windows.
            least = window / 2;
            window = window.saturating_mul(GROWTH);
        }
    }

    /// Reports a child that only one side has, unless the other side has an equal one at another place of the same array.
    pub(super) fn single(&mut self, lhs: Option<AnyView<'a>>, rhs: Option<AnyView<'a>>, reason: MismatchReason) {
        if let Some(DiffFrame { children: DiffChildren::Items(_), region, .. }) = self.stack.last() {
            let (side, value, region) = if lhs.is_some() { (0, lhs, *region) } else { (1, rhs, *region) };
            if let Some(AnyView::Object(object)) = value
                && self.moved(side, object, region)
            {
                // The record has the pair already.
                return if self.record.is_some() { self.differ() } else { self.report(lhs, rhs, |_| reason) };
            }
        }
        self.report(lhs, rhs, |_| reason);
    }

    /// Whether the element of a side equals one of the other side that stands at another place. Keeps the bindings of the two.
    fn moved(&mut self, side: usize, object: ObjectView<'a>, region: DefRegionKind) -> bool {
        if !self.may_attempt() {
            return false;
        }
        let shape = self.align_hashes.of(AnyView::Object(object));
        let Some(DiffFrame { children: DiffChildren::Items(items), .. }) = self.stack.last_mut() else { return false };
        let others = items.single[1 - side].get(&shape).into_iter().flatten().take(MOVED);
        for other in others.copied().collect::<Vec<_>>() {
            let (a, b) = if side == 0 { (object, other) } else { (other, object) };
            if std::ptr::eq(a.type_info(), b.type_info()) && self.attempt_alone(a, b, region) {
                self.with_items(|items| {
                    let singles = items.single[1 - side].entry(shape).or_default();
                    singles.retain(|single| !single.ptr_eq(other));
                });
                return true;
            }
        }
        self.with_items(|items| items.single[side].entry(shape).or_default().push(object));
        false
    }

    pub(super) fn with_items(&mut self, change: impl FnOnce(&mut DiffItems<'a>)) {
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
