//! [`Bindings`]: the one-to-one correspondence between variables and `dag` nodes of both sides.
//!
//! By default the correspondence only grows. Under lexical scopes, a binding ends with the scope that made it, and
//! hides outer bindings until then.

use std::num::NonZeroU32;

use crate::object::{CompareRule, DefRegionKind, ObjectView};
use crate::persistent_map::MapId;
use crate::structural::scope::bindings::earlier::{Earlier, order_at};
use crate::structural::scope::changes::{Bound, Change, Made, Replay, narrow, replays};
use crate::structural::scope::facts::FactLog;
use crate::structural::scope::matches::{Matches, Source, Taken};
use crate::structural::scope::relations::{
    ExportedPair, FreeOnRecall, Place, Related, Relation, RememberedPair, Repeated,
};
use crate::structural::scope::scope_stack::{EXPORTED, EnteredAt, FREE, ScopeStack};
use crate::table::{AddressMap, Table};

pub(crate) mod earlier;
mod exports;
mod look_up;

/// The number of results that are remembered for one pair in one region. The result of two terms holds under one
/// correspondence of their variables only, but a binder of a variable in an annotation depends on the scopes around it.
const MAX_REMEMBERED: usize = 4;

/// The correspondence between objects of the left side and objects of the right side.
#[derive(Clone, Default)]
pub(crate) struct Bindings<'a> {
    lhs: AddressMap<Bound<'a>>,
    /// The bound objects of the right side, if scopes are persistent, with the number of bindings up to each. A table of numbers
    /// other than zero begins as zeroed memory.
    rhs: AddressMap<NonZeroU32>,
    /// The bindings of the right side, under lexical scopes.
    rhs_in_scope: AddressMap<Bound<'a>>,
    /// The objects of the left side in the order of their binding, also those that are not bound any more.
    pub(super) log: Vec<ObjectView<'a>>,
    /// Under lexical scopes: the objects of the right side in the order of their binding.
    rhs_log: Vec<ObjectView<'a>>,
    pub(crate) scope_stack: ScopeStack<Change<'a>>,
    /// Under lexical scopes: the facts that the walk used so far, except for the facts in `matches`.
    pub(super) facts: FactLog<Related>,
    /// Under lexical scopes: the facts that the walk used and that say that two objects are bound to each other.
    pub(super) matches: Matches<ObjectView<'a>>,
    /// Under lexical scopes: which free variables a remembered result may bind to each other.
    free_on_recall: FreeOnRecall,
    /// Under lexical scopes: the results about pairs of objects.
    remembered: Table<(usize, usize, DefRegionKind), Vec<RememberedPair<'a>>>,
    /// The bindings that open scopes export, in the order of the scopes.
    exported: Vec<ExportedPair<'a>>,
    /// The number of changes of several bindings that the tables and the logs leave out.
    unlisted: usize,
    /// Whether bindings end with scopes.
    pub(super) in_scopes: bool,
    /// The number of facts that were checked or recorded.
    pub(crate) fact_steps: u32,
    /// The bindings that remembered results made again, if the caller asks for sources and has not taken them yet.
    repeated: Vec<Repeated>,
    /// The bindings of an earlier comparison that hold again.
    earlier: Option<Box<Earlier<'a>>>,
}

/// The state where the walk over a pair of objects began.
#[derive(Clone, Copy)]
pub(crate) struct PairStart {
    entered: EnteredAt,
    /// The positions in the logs of facts.
    facts: usize,
    matches: usize,
}

/// The binding state of two objects before their comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    /// They are bound to each other.
    Matched,
    /// At least one of them is bound to another object.
    Conflict,
    /// Neither was bound. They are bound now if the caller allows it.
    Unbound,
}

impl<'a> Bindings<'a> {
    /// No bindings, under lexical scopes. The default is for persistent scopes.
    pub(crate) fn in_scopes(free_on_recall: FreeOnRecall) -> Self {
        let matches = Matches::new(free_on_recall == FreeOnRecall::None);
        Bindings { in_scopes: true, free_on_recall, matches, ..Bindings::default() }
    }

    /// Whether two objects are bound to each other, under persistent scopes and without an earlier comparison.
    #[inline]
    pub(crate) fn are_bound(&self, a: ObjectView<'a>, b: ObjectView<'a>) -> bool {
        self.lhs.get(a.address()).is_some_and(|bound| bound.other.ptr_eq(b))
    }

    /// The binding state of two objects. If neither is bound and `may_bind`, binds them to each other.
    #[inline]
    pub(crate) fn relate(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, may_bind: bool) -> Binding {
        let order = narrow(self.log.len());
        let lhs = self.lhs.slot(a.address());
        match lhs {
            Some(bound) if bound.other.ptr_eq(b) => return Binding::Matched,
            Some(_) => return Binding::Conflict,
            None => {}
        }
        let rhs = self.rhs.slot(b.address());
        if rhs.is_some() {
            return Binding::Conflict;
        }
        let number = match &mut self.earlier {
            None => 0,
            Some(earlier) => match earlier.place(a, b, may_bind, order) {
                Ok(place) => place,
                Err(known) => return known,
            },
        };
        if !may_bind {
            return Binding::Unbound;
        }
        *rhs = Some(counted(order));
        *lhs = Some(Bound { other: b, order, level: 0, number });
        self.log.push(a);
        Binding::Unbound
    }

    /// Removes all bindings after the first `count`, under persistent scopes, and returns them.
    pub(crate) fn split_off(&mut self, count: usize) -> Vec<(ObjectView<'a>, ObjectView<'a>)> {
        let removed = self.log.drain(count.min(self.log.len())..).filter_map(|a| {
            let bound = self.lhs.slot(a.address()).take()?;
            *self.rhs.slot(bound.other.address()) = None;
            if let Some((earlier, order)) = self.earlier.as_mut().zip(order_at(bound.number)) {
                earlier.unlist(order);
            }
            Some((a, bound.other))
        });
        removed.collect()
    }

    /// As [`relate`](Self::relate), under lexical scopes: a definition region rebinds a variable in each scope, until
    /// the end of the scope.
    pub(crate) fn relate_in_scope(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        region: DefRegionKind,
        is_dag: bool,
    ) -> Binding {
        let depth = self.scope_stack.depth();
        let related = self.related(a.address(), b.address(), Place::of(region));
        if related.relation != Relation::New {
            self.use_fact(related, a, b);
            return if related.relation == Relation::Matched { Binding::Matched } else { Binding::Conflict };
        }
        let hides_export = [self.get(a), self.get_rhs(b)].into_iter().flatten().any(|it| it.level == depth | EXPORTED);
        let level = match region {
            DefRegionKind::Simple | DefRegionKind::Recursive | DefRegionKind::Annotation => depth,
            DefRegionKind::None | DefRegionKind::Free if is_dag => depth,
            // A free variable corresponds only to itself.
            DefRegionKind::None if !a.ptr_eq(b) => {
                self.facts.push(related);
                return Binding::Unbound;
            }
            DefRegionKind::None | DefRegionKind::Free => FREE,
        };
        let hides_none = is_dag && related.place == Place::Use;
        let replay = match hides_none {
            true => Replay::AsSet,
            false if hides_export => Replay::InOrder,
            false => Replay::Never,
        };
        self.bind_at(level, a, b, replay);
        match level {
            // The next occurrences of free variables have the same result as the first one.
            FREE => self.matches.use_match(a, b),
            _ => self.use_fact(related, a, b),
        }
        Binding::Unbound
    }

    /// Records that the result depends on the relation of `a` and `b`.
    fn use_fact(&mut self, fact: Related, a: ObjectView<'a>, b: ObjectView<'a>) {
        match (fact.relation, fact.place) {
            (Relation::Matched, Place::Use) => self.matches.use_match(a, b),
            // The binding that follows ends with the innermost scope, so the fact is about the places outside of it.
            (Relation::New, Place::Annotation) if self.scope_stack.depth() > 0 => self.matches.use_unscoped(a, b),
            // No `dag` node is free, so a scope would bind it.
            (Relation::New, Place::Use) if a.type_info().plan.compare_rule == CompareRule::Dag => {
                self.matches.use_unscoped(a, b);
            }
            _ => self.facts.push(fact),
        }
    }

    /// The present relation of two objects at a place.
    fn related(&self, a: usize, b: usize, place: Place) -> Related {
        let (lhs, rhs) = (self.bound(a, false), self.bound(b, true));
        let depth = self.scope_stack.depth();
        let is_new = |bound: Option<Bound<'_>>| place.binds_anew(bound.map(|bound| bound.level), depth);
        let relation = match (lhs, rhs) {
            (None, None) => Relation::New,
            _ if is_new(lhs) && is_new(rhs) => Relation::New,
            (Some(lhs), Some(rhs)) if lhs.other.address() == b && rhs.other.address() == a => Relation::Matched,
            _ => Relation::Conflict,
        };
        // The bindings of free variables outlast every object, so no object contains them.
        let number = |bound: Option<Bound<'_>>| bound.filter(|it| it.level != FREE).map_or(0, |bound| bound.number);
        Related { a, b, relation, place, order: number(lhs).min(number(rhs)) }
    }

    /// The present state of a fact.
    pub(super) fn state_of(&self, fact: &Related) -> Related {
        match fact.relation {
            Relation::ExactlyBound(_) => self.exactly_bound(fact.a, fact.b),
            _ => self.related(fact.a, fact.b, fact.place),
        }
    }

    /// The present binding of the object at `a`, to which the one at `b` was bound, as a fact.
    fn exactly_bound(&self, a: usize, b: usize) -> Related {
        let order = self.bound(a, false).map_or(0, |bound| bound.number);
        Related { a, b, relation: Relation::ExactlyBound(order), place: Place::Use, order }
    }

    /// The remembered result about two objects, if it is valid here: whether they differ.
    pub(crate) fn recall(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> Option<bool> {
        let key = (a.address(), b.address(), region);
        // The look at the facts needs the bindings, so the results leave the table meanwhile.
        let mut all = std::mem::take(self.remembered.get_mut(&key)?);
        let version = self.scope_stack.version();
        let current = all.iter().rposition(|found| found.is_of_version(version));
        let found =
            current.or_else(|| (0..all.len()).rev().find(|index| self.make_current(&mut all[*index]).is_some()));
        let differs = found.map(|index| {
            self.facts.push_all(&all[index].facts);
            self.matches.use_all(all[index].matches);
            self.repeat(&all[index]);
            all[index].differs
        });
        self.remembered.insert(key, all);
        differs
    }

    /// Makes the bindings of a remembered result in the innermost scope. A walk would reach the objects in another order,
    /// but only maps with objects as keys depend on the order.
    fn repeat(&mut self, found: &RememberedPair<'a>) {
        if let Some((made, source)) = found.made {
            let (level, number) = (self.scope_stack.depth(), self.scope_stack.count_binding());
            let scoped_before = self.matches.scoped();
            self.matches.bind_all(made, number);
            self.unlisted += 1;
            self.push_change(Made::Many { made, level, number, is_listed: false }, scoped_before, Replay::AsSet);
            self.push_repeated(Repeated { number, source, place: found.place });
        }
        for (a, bound) in &*found.exports {
            let level = self.scope_stack.depth() | bound.level & EXPORTED;
            let number = self.bind_at(level, *a, bound.other, Replay::InOrder);
            self.push_repeated(Repeated { number, source: Source::Binding(bound.number), place: found.place });
        }
    }

    fn push_repeated(&mut self, repeated: Repeated) {
        if self.free_on_recall == FreeOnRecall::None {
            self.repeated.push(repeated);
        }
    }

    /// The bindings that the last recalled result made again.
    pub(crate) fn take_repeated(&mut self) -> Vec<Repeated> {
        std::mem::take(&mut self.repeated)
    }

    /// The number of the binding of an object among the bindings of `source`.
    pub(crate) fn number_in(&self, source: Source, key: usize) -> Option<u64> {
        self.matches.number_in(source, key)
    }

    fn push_change(&mut self, bindings: Made<'a>, scoped_before: MapId, replay: Replay) {
        let replays = replays(self.scope_stack.changes_since(0)).plus(replay);
        self.scope_stack.push_undo(Change { bindings, scoped_before, replays });
    }

    /// Enters all bindings of remembered results into the tables and the logs. The caller uses the logs next, or hides
    /// such a binding.
    pub(crate) fn list_all(&mut self) {
        for change in self.scope_stack.changes_mut().iter_mut().rev() {
            if self.unlisted == 0 {
                return;
            }
            if let Made::Many { made, level, number, is_listed: is_listed @ false } = &mut change.bindings {
                (*is_listed, self.unlisted) = (true, self.unlisted - 1);
                for (a, b) in self.matches.pairs(*made) {
                    let (order, level, number) = (narrow(self.log.len()), *level, *number);
                    *self.lhs.slot(a.address()) = Some(Bound { other: b, order, level, number });
                    *self.rhs_in_scope.slot(b.address()) = Some(Bound { other: a, order, level, number });
                    self.log.push(a);
                    self.rhs_log.push(b);
                }
            }
        }
    }

    /// Under lexical scopes: the binding of the object at `address`.
    fn bound(&self, address: usize, is_rhs: bool) -> Option<Bound<'a>> {
        let table = if is_rhs { &self.rhs_in_scope } else { &self.lhs };
        table.get(address).or_else(|| self.unlisted_bound(address, is_rhs))
    }

    /// The binding of an object that the tables leave out.
    fn unlisted_bound(&self, address: usize, is_rhs: bool) -> Option<Bound<'a>> {
        if self.unlisted == 0 {
            return self.earlier.as_ref()?.bound(address, is_rhs);
        }
        let key = address | usize::from(is_rhs);
        let other = self.matches.counterpart(key)?;
        // Nothing hides the binding, so the sets of bindings contain the object from that change on.
        let changes = self.scope_stack.changes_since(0);
        let after = changes.partition_point(|it| !self.matches.contains(it.scoped_before, key));
        match changes.get(after.checked_sub(1)?)?.bindings {
            Made::Many { level, number, .. } => Some(Bound { other, order: narrow(self.log.len()), level, number }),
            Made::One { .. } => None,
        }
    }

    /// If the facts of a result hold here, records that they do.
    fn make_current(&mut self, found: &mut RememberedPair<'a>) -> Option<()> {
        let mut steps = 1;
        let facts = found.facts_now(&mut steps, |fact| self.state_of(fact));
        self.fact_steps = self.fact_steps.wrapping_add(steps);
        let (facts, missing) = (facts?, self.matches.missing(found.matches)?);
        let is_bound = !missing.is_empty();
        if is_bound {
            self.bind_missing(missing)?;
        }
        let now = RememberedPair::new(found.differs, facts, found.matches).at(found.place);
        let now = now.making(found.made, found.exports.clone());
        // A binding may change the other facts.
        let is_current = !is_bound || now.facts.all.is_empty();
        *found = if is_current { now.of_version(self.scope_stack.version()) } else { now };
        Some(())
    }

    /// Binds the free variables of a remembered result that is valid if the pair `missing` corresponds. A result
    /// with several such pairs does not say which of them occurs first.
    fn bind_missing(&mut self, missing: MapId) -> Option<()> {
        let (a, b) = self.matches.only_pair(missing)?;
        let is_allowed = match self.free_on_recall {
            FreeOnRecall::None => false,
            FreeOnRecall::Itself => a.ptr_eq(b),
            FreeOnRecall::Any => true,
        };
        let plan = &a.type_info().plan;
        // The fields of other variables count at the first occurrence.
        let is_leaf = plan.compare_rule == CompareRule::Var && plan.is_leaf;
        let is_new = self.related(a.address(), b.address(), Place::Use).relation == Relation::New;
        if !(is_allowed && is_leaf && is_new) {
            return None;
        }
        self.bind_at(FREE, a, b, Replay::Never);
        Some(())
    }

    /// Begins the walk over a pair of objects: the state for [`leave`](Self::leave).
    pub(crate) fn enter(&mut self) -> PairStart {
        let (facts, matches) = (self.facts.begin(), self.matches.begin());
        PairStart { entered: self.scope_stack.state(), facts, matches }
    }

    /// Ends the walk over a scope or over a pair of objects that began at `start`. Returns the result for [`remember`](Self::remember), unless bindings that the pair
    /// made are still in force and a remembered result cannot repeat them. `is_kept` says whether the caller needs the
    /// result.
    pub(crate) fn leave(
        &mut self,
        start: PairStart,
        closes: bool,
        differs: bool,
        is_kept: bool,
    ) -> Option<RememberedPair<'a>> {
        let exported = if closes { self.close() } else { Vec::new() };
        let escapes = self.scope_stack.has_escaped(start.entered);
        let is_kept = is_kept && (!escapes || self.can_repeat_since(start.entered));
        if !self.in_scopes || !(closes || is_kept) {
            return None;
        }
        let Taken { facts: matches, made, .. } = self.matches.take(start.matches, start.entered.made, closes);
        let facts = self.facts.take_outer(start.facts, start.entered.made, closes, &mut self.fact_steps);
        for (a, bound) in exported {
            self.export(a, bound);
        }
        if !is_kept {
            return None;
        }
        let exports = self.exports_since(start.entered);
        let escapes = escapes || !exports.is_empty();
        let version = self.scope_stack.version();
        let is_same = || facts.all.iter().all(|fact| self.state_of(fact) == *fact);
        let holds = !escapes && (version == start.entered.version || is_same());
        let found = RememberedPair::new(differs, facts, matches).making(made, exports.into());
        Some(if holds { found.of_version(version) } else { found })
    }

    /// Whether a remembered result may make all bindings again that are in force since `entered`.
    fn can_repeat_since(&self, entered: EnteredAt) -> bool {
        let changes = self.scope_stack.changes_since(0);
        let (before, count) = (replays(&changes[..entered.changes]), changes.len() - entered.changes);
        replays(changes).can_replay_since(before, count, self.scope_stack.depth() > 0)
    }

    /// Remembers a result about two objects.
    pub(crate) fn remember(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        region: DefRegionKind,
        found: RememberedPair<'a>,
    ) {
        let all = self.remembered.entry((a.address(), b.address(), region)).or_default();
        if all.len() == MAX_REMEMBERED {
            all.remove(0);
        }
        all.push(found);
    }

    /// Binds two objects, and returns the number of the binding.
    fn bind_at(&mut self, level: u32, a: ObjectView<'a>, b: ObjectView<'a>, replay: Replay) -> u64 {
        if self.unlisted_bound(a.address(), false).is_some() || self.unlisted_bound(b.address(), true).is_some() {
            self.list_all();
        }
        let (order, number) = (narrow(self.log.len()), self.scope_stack.count_binding());
        self.put(a, Bound { other: b, order, level, number }, replay);
        self.log.push(a);
        self.rhs_log.push(b);
        number
    }

    /// Puts a binding into force.
    fn put(&mut self, a: ObjectView<'a>, bound: Bound<'a>, replay: Replay) {
        let Bound { other: b, level, number, .. } = bound;
        let scoped_before = self.matches.scoped();
        let hidden = self.get_rhs(b).map(|bound| bound.other).filter(|old| !old.ptr_eq(a));
        let hidden = hidden.filter(|old| self.get(*old).is_some_and(|it| it.other.ptr_eq(b)));
        match level {
            FREE => self.matches.bind_free(a, b),
            _ if replay == Replay::InOrder => self.matches.rebind(a, b, hidden),
            _ => self.matches.bind(a, b, hidden, number),
        }
        let lhs_before = self.lhs.slot(a.address()).replace(bound);
        let rhs_before = self.rhs_in_scope.slot(b.address()).replace(Bound { other: a, ..bound });
        match level {
            FREE => self.scope_stack.record_lasting(),
            _ => self.push_change(Made::One { a, bound, lhs_before, rhs_before }, scoped_before, replay),
        }
    }

    /// The object on the right that `a` is bound to; the inner `None` if that object now has another binding, the outer
    /// `None` if `a` is not bound. `a` is the key of a map, and `decides_order` says whether the map has further keys
    /// that bindings put in order.
    pub(crate) fn refer_to(&mut self, a: ObjectView<'a>, decides_order: bool) -> Option<Option<ObjectView<'a>>> {
        let bound = self.get(a);
        let (address, other) = (a.address(), bound.map_or(a.address(), |bound| bound.other.address()));
        if self.in_scopes && a.type_info().plan.compare_rule.has_counterpart() {
            match bound {
                // Free keys correspond to themselves only, so a remembered result must not make the two correspond.
                Some(bound) if !decides_order && self.free_on_recall == FreeOnRecall::Any && other != address => {
                    self.facts.push(self.related(address, bound.other.address(), Place::Use));
                }
                Some(bound) if !decides_order => {
                    self.use_fact(self.related(address, other, Place::Use), a, bound.other);
                }
                None if !decides_order => self.facts.push(self.related(address, other, Place::Use)),
                _ => self.facts.push(self.exactly_bound(address, other)),
            }
        }
        let other = bound?.other;
        let is_hidden = self.get_rhs(other).is_some_and(|back| !back.other.ptr_eq(a));
        Some((!is_hidden).then_some(other))
    }
}

/// The number of bindings up to the one with this number before it.
#[inline(always)]
fn counted(before: u32) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(before)
}
