//! The walk of a diff over two values, which reports where they differ.

use crate::error::{Error, ErrorKind, Result};
use crate::object::{AnyView, Body, DefRegionKind, FieldPairs, HookPairs, ObjectView, SEqHashKind};
use crate::structural::engine::comparison::Uncomparable;
use crate::structural::engine::equal::{Equality, compare};
use crate::structural::engine::sharing::is_shared;
use crate::structural::lexical::recurrence::may_recur_in_scopes;
use crate::structural::options::Scopes;
use crate::structural::pairing::EntryPairs;
use crate::structural::report::diff::align::by_index;
use crate::structural::report::diff::frame::{DiffChildren, DiffFrame, DiffItems, DiffListed, NextDiff};
use crate::structural::report::diff::path_tree::{Place, ROOT, paths};
use crate::structural::report::diff::state::DiffWalk;
use crate::structural::report::mismatch::{EarlierBinding, Mismatch, MismatchReason};
use crate::structural::scope::bindings::{Binding, PairStart};
use crate::structural::scope::changes::Bound;
use crate::structural::scope::relations::RememberedPair;

impl<'a> DiffWalk<'a> {
    /// The differences of two values. If the walk takes too many steps, the differences found until then, with the error
    /// that says so.
    ///
    /// # Errors
    /// The error of a check that interrupts long work.
    pub(crate) fn run(mut self, a: AnyView<'a>, b: AnyView<'a>) -> Result<(Vec<Mismatch>, Option<Error>)> {
        match self.walk(a, b, self.options.root_region()) {
            Err(error) if error.kind() != ErrorKind::LimitExceeded => Err(error),
            ended => Ok((self.found, ended.err())),
        }
    }

    /// Adds the differences of two values to `found`.
    pub(super) fn walk(&mut self, a: AnyView<'a>, b: AnyView<'a>, region: DefRegionKind) -> Result<()> {
        let mut next = NextDiff::Pair(a, b, region);
        loop {
            match next {
                NextDiff::Pair(a, b, region) => self.verdict(a, b, region),
                NextDiff::Single(lhs, rhs, reason) => self.single(lhs, rhs, reason),
                NextDiff::Unaligned => self.align_items(),
                NextDiff::End => self.exit(),
            }
            if self.is_done {
                return Ok(());
            }
            let facts = self.engine.bindings.fact_steps;
            let new_facts = facts.wrapping_sub(std::mem::replace(&mut self.facts, facts));
            self.budget.spend(1 + u64::from(new_facts) + self.attempts.take_steps())?;
            // The stack has no frames above the map any more, so the comparison of the keys found no difference.
            self.at_keys.pop_if(|index| *index + 1 == self.stack.len());
            let Some(frame) = self.stack.last_mut() else { return Ok(()) };
            if let DiffChildren::Fields(fields) = &frame.children
                && frame.is_scope
                && let Some(is_exported) = fields.exports_last_field()
            {
                self.engine.bindings.end_field(is_exported);
            }
            if let (Some(proofs), DiffChildren::Items(items)) = (&mut self.proofs, &mut frame.children) {
                let (bindings, region) = (&mut self.engine.bindings, frame.region);
                let passed = items.pass(|a, b| proofs.hold(bindings, (a, b), region));
                self.budget.spend(passed as u64)?;
            }
            next = frame.next(&mut self.engine.bindings);
            if matches!(&frame.children, DiffChildren::Entries(entries) if entries.is_at_keys()) {
                self.at_keys.push(self.stack.len() - 1);
            }
        }
    }

    fn verdict(&mut self, a: AnyView<'a>, b: AnyView<'a>, region: DefRegionKind) {
        match (a, b) {
            (AnyView::Object(x), AnyView::Object(y)) if std::ptr::eq(x.type_info(), y.type_info()) => {
                if !self.is_proved(x, y, region) {
                    self.compare_objects(x, y, region);
                }
            }
            _ => self.compare_plain_or_types(a, b),
        }
    }

    /// Whether the walk skips the two objects, because a comparison or an earlier walk found them equal.
    fn is_proved(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> bool {
        let Some(proofs) = &mut self.proofs else { return self.skips(a, b, region) };
        // Objects that the earlier walk did not find equal contain others that it did.
        proofs.contains(a) && (proofs.hold(&mut self.engine.bindings, (a, b), region) || self.skips(a, b, region))
    }

    /// Compares two values that have different types, or of which at least one is not an object.
    fn compare_plain_or_types(&mut self, a: AnyView<'a>, b: AnyView<'a>) {
        if a.type_key() != b.type_key() {
            self.report(Some(a), Some(b), |_| MismatchReason::Type);
        } else if !self.are_equal(a, b) {
            self.report(Some(a), Some(b), |_| MismatchReason::Value);
        }
    }

    /// Whether two values without variables are equal.
    fn are_equal(&self, a: AnyView<'a>, b: AnyView<'a>) -> bool {
        compare(self.options, a, b, Uncomparable::EndComparison) == Equality::Equal
    }

    /// Compares two objects of one type.
    fn compare_objects(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) {
        let info = a.type_info();
        let (lhs, rhs) = (Some(AnyView::Object(a)), Some(AnyView::Object(b)));
        let is_leaf = matches!(info.body, Body::Str | Body::Bytes | Body::Shape | Body::Tensor);
        let (mut is_free, mut place) = (false, None);
        let before = self.engine.bindings.enter();
        match info.kind {
            SEqHashKind::Unsupported => return self.report_not_comparable(a, b),
            SEqHashKind::ConstTreeNode | SEqHashKind::UniqueInstance if a.ptr_eq(b) => return,
            SEqHashKind::UniqueInstance => return self.report(lhs, rhs, |_| MismatchReason::Value),
            SEqHashKind::TreeNode | SEqHashKind::ConstTreeNode => {
                if self.may_recur(a, b) {
                    match self.differs(a, b, region) {
                        Some(false) => return,
                        Some(true) => return self.differ(),
                        None if !is_leaf && self.differing.reached_limit(a) => return self.differ(),
                        None => {}
                    }
                }
            }
            SEqHashKind::DagNode | SEqHashKind::FreeVar => match self.relate(a, b, region) {
                Binding::Matched if self.differs(a, b, region) != Some(true) => return,
                Binding::Matched => return self.differ(),
                Binding::Conflict if self.differs(a, b, region) == Some(true) => return self.differ(),
                Binding::Conflict => {
                    self.report_conflict(a, b);
                    return self.note(a, b, region, true, before);
                }
                Binding::Unbound if self.engine.bindings.get(a).is_some_and(|bound| bound.other.ptr_eq(b)) => {
                    place = Some(self.note_binding(a, b));
                    if self.counts_again(a, region) {
                        match self.differs(a, b, region) {
                            Some(false) => return,
                            Some(true) => return self.differ(),
                            None => {}
                        }
                    }
                }
                Binding::Unbound if self.differs(a, b, region) == Some(true) => return self.differ(),
                Binding::Unbound if self.differing.reached_limit(a) => {
                    self.report_conflict(a, b);
                    return self.note(a, b, region, true, before);
                }
                Binding::Unbound => is_free = true,
            },
        }
        if is_leaf {
            let equal = self.are_equal(AnyView::Object(a), AnyView::Object(b));
            if !equal {
                self.report(lhs, rhs, |_| MismatchReason::Value);
            }
            return self.remember(a, b, region, !equal, before);
        }
        let same_shape = self.stack.last().is_some_and(DiffFrame::child_has_same_shape);
        let Some(children) = self.children(a, b) else {
            self.report(lhs, rhs, |_| MismatchReason::Value);
            return self.remember(a, b, region, true, before);
        };
        let around = region;
        let region = if info.kind == SEqHashKind::FreeVar { self.options.variable_region(region) } else { region };
        let entered = self.engine.bindings.enter();
        let is_scope = (info.is_scope && self.options.scopes == Scopes::Lexical)
            || self.engine.bindings.scope_stack.isolates_fields(a, around);
        if is_scope {
            self.engine.bindings.scope_stack.open();
        }
        let frame = DiffFrame {
            children,
            region,
            around,
            is_scope,
            entered,
            is_free,
            surplus: 0,
            differs: false,
            place,
            same_shape,
        };
        self.stack.push(frame);
        if let Some(record) = &mut self.record
            && !is_free
        {
            record.compared.push((a, b));
        }
        if self.mode.align && !same_shape && !a.ptr_eq(b) {
            self.with_items(|items| {
                if items.is_list() {
                    items.unalign();
                }
            });
        }
    }

    /// The children of two objects; `None` if a hook says that the objects differ.
    fn children(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) -> Option<DiffChildren<'a>> {
        if let (Some(lhs), Some(rhs)) = (a.as_array(), b.as_array()) {
            return Some(DiffChildren::Items(Box::new(DiffItems::new(a, b, by_index(lhs, rhs)))));
        }
        if a.type_info().body == Body::Map {
            return Some(DiffChildren::Entries(Box::new(EntryPairs::new(a, b, self.mode.as_inserted))));
        }
        let Some(hooks) = a.type_info().hooks else { return Some(DiffChildren::Fields(FieldPairs::new(a, b))) };
        let mut pairs = HookPairs::new(self.align_hashes.computed);
        let is_open = hooks.pair(a, b, &mut pairs);
        pairs.contents.share_recurring(a, 0);
        self.align_hashes.computed = pairs.contents.computed();
        is_open.then(|| DiffChildren::Listed(Box::new(DiffListed::new(a, b, pairs.contents.values))))
    }

    /// Ends the frame on top of the stack.
    fn exit(&mut self) {
        let Some(frame) = self.stack.pop() else { return };
        let (a, b) = frame.objects();
        let differs = frame.differs || frame.is_free;
        self.note_child(differs);
        let found = self.engine.bindings.leave(frame.entered, frame.is_scope, differs, true);
        if frame.differs {
            self.differ();
        } else if frame.is_free {
            // Nothing in the variables differs, so the difference is that they do not correspond.
            self.report_conflict(a, b);
        }
        // A reported object has a further handle now.
        if self.may_recur(a, b) && (differs || !a.is_identified() || self.counts_again(a, frame.around)) {
            let found = found.map(|found| found.at(frame.place.unwrap_or(ROOT)));
            self.note_found(a, b, frame.around, differs, found);
        }
    }

    /// Whether the walk may reach the pair again.
    fn may_recur(&self, a: ObjectView<'a>, b: ObjectView<'a>) -> bool {
        match self.options.scopes {
            Scopes::Lexical => may_recur_in_scopes(a, b),
            Scopes::Persistent => is_shared(a, b),
        }
    }

    /// Whether the content of a variable or `dag` node counts again in other scopes.
    fn counts_again(&self, a: ObjectView<'a>, region: DefRegionKind) -> bool {
        self.options.scopes == Scopes::Lexical && (a.type_info().kind == SEqHashKind::DagNode || !region.is_free())
    }

    /// Remembers the verdict about two objects without children, if the walk may reach them again.
    fn remember(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        region: DefRegionKind,
        differ: bool,
        before: PairStart,
    ) {
        // The bindings record equal variables and `dag` nodes.
        if self.may_recur(a, b) && (differ || !a.is_identified()) {
            self.note(a, b, region, differ, before);
        }
    }

    /// The binding state of two variables or `dag` nodes. If neither is bound and the region allows it, binds them to
    /// each other.
    fn relate(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> Binding {
        let is_dag = a.type_info().kind == SEqHashKind::DagNode;
        match self.options.scopes {
            Scopes::Lexical => self.engine.bindings.relate_in_scope(a, b, region, is_dag),
            Scopes::Persistent => {
                self.engine.bindings.relate(a, b, is_dag || region != DefRegionKind::None || a.ptr_eq(b))
            }
        }
    }

    /// Records the place of the current pair as the place of the newest binding.
    fn note_binding(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) -> Place {
        let place = self.place();
        if let Some(bound) = self.engine.bindings.get(a) {
            self.places.add(self.number(bound), a, b, place);
        }
        place
    }

    /// The number of a binding in `places`.
    fn number(&self, bound: Bound<'a>) -> u64 {
        match self.options.scopes {
            Scopes::Lexical => bound.number,
            Scopes::Persistent => u64::from(bound.order),
        }
    }

    /// The remembered verdict about two objects in this region, if there is one.
    fn differs(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> Option<bool> {
        if self.options.scopes == Scopes::Persistent {
            return match self.engine.equal_classes.contains(a, b) {
                true => Some(false),
                false => self.differing.contains(a, b).then_some(true),
            };
        }
        let differs = self.engine.bindings.recall(a, b, region);
        for repeated in self.engine.bindings.take_repeated() {
            let place = self.place();
            self.places.add_repeated(repeated, place);
        }
        differs
    }

    /// Remembers whether two objects differ in this region, which the walk found since `before`.
    fn note(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind, differ: bool, before: PairStart) {
        let found = self.engine.bindings.leave(before, false, differ, true);
        self.note_found(a, b, region, differ, found.map(|found| found.at(ROOT)));
    }

    /// Remembers whether two objects differ in this region: under lexical scopes, if the result depends on bindings
    /// outside of the objects only.
    fn note_found(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        region: DefRegionKind,
        differ: bool,
        found: Option<RememberedPair<'a>>,
    ) {
        match (self.options.scopes, found) {
            (Scopes::Persistent, _) if differ => self.differing.insert(a, b),
            (Scopes::Persistent, _) => self.engine.equal_classes.insert(a, b),
            (Scopes::Lexical, Some(found)) => self.engine.bindings.remember(a, b, region, found),
            (Scopes::Lexical, None) => {}
        }
    }

    /// The place of the current pair. A frame gets its place the first time that one is needed.
    pub(super) fn place(&mut self) -> Place {
        let known = self.stack.iter().rposition(|frame| frame.place.is_some());
        let mut place = known.and_then(|index| self.stack[index].place).unwrap_or(self.base);
        for index in known.map_or(0, |index| index + 1)..self.stack.len() {
            if let Some(above) = index.checked_sub(1) {
                place = self.places.tree.add(place, self.stack[above].step());
            }
            self.stack[index].place = Some(place);
        }
        self.stack.last().map_or(self.base, |frame| self.places.tree.add(place, frame.step()))
    }

    /// Reports two variables or `dag` nodes that do not correspond.
    fn report_conflict(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) {
        if self.record.is_none() {
            self.list_skipped_bindings();
        }
        self.report(Some(AnyView::Object(a)), Some(AnyView::Object(b)), |walk| walk.conflict(a, b));
    }

    /// Why two variables or `dag` nodes do not correspond.
    fn conflict(&self, a: ObjectView<'a>, b: ObjectView<'a>) -> MismatchReason {
        let earlier = |bound: Bound<'a>, lhs: ObjectView<'a>, counterpart: ObjectView<'a>| {
            let (lhs, rhs) = self.places.paths(&self.engine.bindings, self.number(bound), lhs)?;
            Some(Box::new(EarlierBinding { counterpart: counterpart.to_object(), lhs, rhs }))
        };
        let lhs = self.engine.bindings.get(a).and_then(|bound| earlier(bound, a, bound.other));
        let of_rhs = match self.options.scopes {
            Scopes::Lexical => self.engine.bindings.get_rhs(b).map(|bound| bound.other),
            Scopes::Persistent => self.places.bound_to(b),
        };
        let rhs = of_rhs.and_then(|other| earlier(self.engine.bindings.get(other)?, other, other));
        MismatchReason::Binding { lhs, rhs }
    }

    /// Marks the current pair as different, whether it is reported now or was before.
    pub(super) fn differ(&mut self) {
        if let Some(&index) = self.at_keys.first() {
            // No path leads into a key. If keys differ, each map lacks the entry of the other one.
            self.at_keys.clear();
            for frame in self.stack.drain(index + 1..).rev() {
                // Many maps may have this key.
                let (a, b) = frame.objects();
                if self.options.scopes == Scopes::Persistent && is_shared(a, b) {
                    self.differing.insert(a, b);
                }
                self.engine.bindings.leave(frame.entered, frame.is_scope, true, false);
            }
            if let Some(DiffFrame { children: DiffChildren::Entries(entries), .. }) = self.stack.last_mut() {
                entries.keys_differ();
            }
        }
        if let Some(frame) = self.stack.last_mut() {
            frame.differs = true;
        }
    }

    /// Reports two objects whose type takes no part in comparison. If they are in the keys of an entry, the reported
    /// place is the entry.
    fn report_not_comparable(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) {
        if let Some(&at_keys) = self.at_keys.first()
            && self.mode.limit == 1
        {
            self.stack.truncate(at_keys + 1);
            self.at_keys.clear();
        }
        self.report(Some(AnyView::Object(a)), Some(AnyView::Object(b)), |_| MismatchReason::NotComparable);
    }

    /// Reports the current pair.
    pub(super) fn report(
        &mut self,
        lhs_value: Option<AnyView<'a>>,
        rhs_value: Option<AnyView<'a>>,
        reason: impl FnOnce(&Self) -> MismatchReason,
    ) {
        let is_in_key = !self.at_keys.is_empty();
        self.differ();
        if is_in_key {
            return;
        }
        if let Some(record) = &mut self.record {
            return record.add_different(lhs_value, rhs_value);
        }
        if !self.found.is_empty() {
            match self.steps_left.checked_sub(2 * self.stack.len()) {
                Some(left) => self.steps_left = left,
                None => {
                    self.is_done = true;
                    return;
                }
            }
        }
        let (lhs, rhs) = paths(self.stack.iter().map(DiffFrame::step));
        let field = self.stack.last().and_then(DiffFrame::field);
        let variants = [lhs_value, rhs_value].map(|value| field?.variant(value?));
        let (lhs_value, rhs_value) = (lhs_value.map(AnyView::to_any), rhs_value.map(AnyView::to_any));
        let reason = reason(self);
        self.found.push(Mismatch { lhs, rhs, lhs_value, rhs_value, variants, reason });
        self.is_done = self.found.len() >= self.mode.limit;
    }
}
