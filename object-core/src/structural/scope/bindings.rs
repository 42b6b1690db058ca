//! [`Bindings`]: the one-to-one correspondence between variables and `dag` nodes of both sides.
//!
//! By default the correspondence only grows. Under lexical scopes, a binding ends with the scope that made it, and
//! hides outer bindings until then.

use std::collections::hash_map::Entry;
#[cfg(feature = "rayon")]
use std::sync::Arc;

use crate::object::{DefRegionKind, ObjectView};
use crate::structural::options::Scopes;
use crate::structural::scope::facts::FactLog;
#[cfg(feature = "rayon")]
use crate::structural::scope::facts::Facts;
use crate::structural::scope::relations::{Place, Related, Relation, RememberedPair};
use crate::structural::scope::scope_stack::{EnteredAt, FREE, ScopeStack};
use crate::table::{AddressTable, Table};

/// The correspondence between objects of the left side and objects of the right side.
#[derive(Clone, Default)]
pub(crate) struct Bindings<'a> {
    lhs: AddressTable<Bound<'a>>,
    /// The bound objects of the right side, if scopes are persistent. The table has no values, so that it is small.
    rhs: AddressTable<()>,
    /// The bindings of the right side, under lexical scopes.
    rhs_in_scope: AddressTable<Bound<'a>>,
    /// The objects of the left side in the order of their binding, also those that are not bound any more.
    log: Vec<ObjectView<'a>>,
    /// Under lexical scopes: the objects of the right side in the order of their binding.
    rhs_log: Vec<ObjectView<'a>>,
    pub(crate) scope_stack: ScopeStack<Change<'a>>,
    /// Under lexical scopes: the facts that the walk used so far.
    pub(crate) facts: FactLog<Related>,
    /// Under lexical scopes: the results about pairs of objects.
    remembered: Table<(usize, usize, DefRegionKind), RememberedPair>,
    /// Whether bindings end with scopes.
    in_scopes: bool,
    /// The number of facts that were checked or recorded.
    pub(crate) fact_steps: u32,
}

/// The binding of an object.
#[derive(Clone, Copy)]
pub(crate) struct Bound<'a> {
    /// The object of the other side.
    pub(crate) other: ObjectView<'a>,
    /// The number of bindings that were made before this one.
    pub(crate) order: u32,
    /// The level of the scope that made it.
    level: u32,
    /// Under lexical scopes: the number of the binding among the bindings of the [`ScopeStack`].
    number: u64,
}

/// A binding that a scope made, with the bindings that it hides.
#[derive(Clone)]
pub(crate) struct Change<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    lhs_before: Option<Bound<'a>>,
    rhs_before: Option<Bound<'a>>,
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
    pub(crate) fn new(scopes: Scopes) -> Self {
        Bindings { in_scopes: scopes == Scopes::Lexical, ..Bindings::default() }
    }

    /// Whether two objects are bound to each other, under persistent scopes.
    #[inline]
    pub(crate) fn are_bound(&self, a: ObjectView<'a>, b: ObjectView<'a>) -> bool {
        self.lhs.get(&a.address()).is_some_and(|bound| bound.other.ptr_eq(b))
    }

    /// The binding state of two objects. If neither is bound and `may_bind`, binds them to each other.
    #[inline]
    pub(crate) fn relate(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, may_bind: bool) -> Binding {
        // Growing the table rehashes all entries. Growing by a factor of four makes that rare.
        if self.log.len() == self.lhs.capacity() {
            let more = (3 * self.log.len()).max(28);
            self.lhs.reserve(more);
            self.rhs.reserve(more);
        }
        let order = narrow(self.log.len());
        let lhs = match self.lhs.entry(a.address()) {
            Entry::Occupied(bound) if bound.get().other.ptr_eq(b) => return Binding::Matched,
            Entry::Occupied(_) => return Binding::Conflict,
            Entry::Vacant(lhs) => lhs,
        };
        match self.rhs.entry(b.address()) {
            Entry::Occupied(_) => return Binding::Conflict,
            Entry::Vacant(rhs) if may_bind => rhs.insert(()),
            Entry::Vacant(_) => return Binding::Unbound,
        };
        lhs.insert(Bound { other: b, order, level: 0, number: 0 });
        self.log.push(a);
        Binding::Unbound
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
            self.facts.push(related);
            return if related.relation == Relation::Matched { Binding::Matched } else { Binding::Conflict };
        }
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
        self.bind_at(level, a, b);
        // The next occurrences of free variables have the same result as the first one.
        let is_free = level == FREE;
        self.facts.push(if is_free { self.related(a.address(), b.address(), Place::Use) } else { related });
        Binding::Unbound
    }

    /// The present relation of two objects at a place.
    fn related(&self, a: usize, b: usize, place: Place) -> Related {
        let (lhs, rhs) = (self.lhs.get(&a), self.rhs_in_scope.get(&b));
        let depth = self.scope_stack.depth();
        let is_new = |bound: Option<&Bound<'_>>| place.binds_anew(bound.map(|bound| bound.level), depth);
        let relation = match (lhs, rhs) {
            (None, None) => Relation::New,
            _ if is_new(lhs) && is_new(rhs) => Relation::New,
            (Some(lhs), Some(rhs)) if lhs.other.address() == b && rhs.other.address() == a => Relation::Matched,
            _ => Relation::Conflict,
        };
        // The bindings of free variables outlast every object, so no object contains them.
        let number = |bound: Option<&Bound<'_>>| bound.filter(|it| it.level != FREE).map_or(0, |bound| bound.number);
        Related { a, b, relation, place, order: number(lhs).min(number(rhs)) }
    }

    /// The present state of a fact.
    fn state_of(&self, fact: &Related) -> Related {
        match fact.relation {
            Relation::ExactlyBound(_) => self.exactly_bound(fact.a, fact.b),
            _ => self.related(fact.a, fact.b, fact.place),
        }
    }

    /// The present binding of the object at `a`, to which the one at `b` was bound, as a fact.
    fn exactly_bound(&self, a: usize, b: usize) -> Related {
        let order = self.lhs.get(&a).map_or(0, |bound| bound.number);
        Related { a, b, relation: Relation::ExactlyBound(order), place: Place::Use, order }
    }

    /// The remembered result about two objects, if it is valid here: whether they differ.
    pub(crate) fn recall(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> Option<bool> {
        let key = (a.address(), b.address(), region);
        // The look at the facts needs the bindings, so the result leaves the table meanwhile.
        let mut found = self.remembered.remove(&key)?;
        let (mut facts, mut steps) = (std::mem::take(&mut self.facts), self.fact_steps);
        let differs = found.reuse(self.scope_stack.version(), &mut facts, &mut steps, |fact| self.state_of(fact));
        (self.facts, self.fact_steps) = (facts, steps);
        self.remembered.insert(key, found);
        differs
    }

    /// Begins the walk over a pair of objects: the state for [`leave`](Self::leave).
    pub(crate) fn enter(&mut self) -> (EnteredAt, usize) {
        (self.scope_stack.state(), self.facts.begin())
    }

    /// Ends the walk over a scope or over a pair of objects that the walk entered in the state `entered`, after it had
    /// used `facts` facts. Returns the result for [`remember`](Self::remember), unless bindings that the pair made are
    /// still in force.
    pub(crate) fn leave(
        &mut self,
        (entered, facts): (EnteredAt, usize),
        closes: bool,
        differs: bool,
    ) -> Option<RememberedPair> {
        if closes {
            self.close();
        }
        if !self.in_scopes {
            return None;
        }
        let facts = self.facts.take_outer(facts, entered.made, closes, &mut self.fact_steps);
        let version = self.scope_stack.version();
        let holds = version == entered.version || facts.all.iter().all(|fact| self.state_of(fact) == *fact);
        let found = RememberedPair::new(differs, facts, holds.then_some(version));
        (!self.scope_stack.has_escaped(entered)).then_some(found)
    }

    /// Remembers a result about two objects.
    pub(crate) fn remember(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        region: DefRegionKind,
        found: RememberedPair,
    ) {
        self.remembered.insert((a.address(), b.address(), region), found);
    }

    fn bind_at(&mut self, level: u32, a: ObjectView<'a>, b: ObjectView<'a>) {
        let (order, number) = (narrow(self.log.len()), self.scope_stack.count_binding());
        let lhs_before = self.lhs.insert(a.address(), Bound { other: b, order, level, number });
        let rhs_before = self.rhs_in_scope.insert(b.address(), Bound { other: a, order, level, number });
        self.log.push(a);
        self.rhs_log.push(b);
        match level {
            FREE => self.scope_stack.record_lasting(),
            _ => self.scope_stack.push_undo(Change { a, b, lhs_before, rhs_before }),
        }
    }

    /// Closes the innermost scope: its bindings end.
    pub(crate) fn close(&mut self) {
        let (lhs, rhs) = (&mut self.lhs, &mut self.rhs_in_scope);
        self.scope_stack.close(|change| {
            restore(lhs, change.a, change.lhs_before);
            restore(rhs, change.b, change.rhs_before);
        });
    }

    /// The binding state of two objects.
    #[cfg(feature = "rayon")]
    fn of(&self, a: ObjectView<'a>, b: ObjectView<'a>) -> Binding {
        match self.get(a) {
            Some(bound) if bound.other.ptr_eq(b) => Binding::Matched,
            None if !self.is_bound_rhs(b) => Binding::Unbound,
            _ => Binding::Conflict,
        }
    }

    /// The facts on which the walk depends that bindings up to the one with number `made` decide.
    #[cfg(feature = "rayon")]
    pub(crate) fn facts_since(&mut self, facts: usize, made: u64) -> Arc<Facts<Related>> {
        self.facts.take_outer(facts, made, false, &mut self.fact_steps)
    }

    /// The bindings that were made after the first `before` ones and have not ended.
    #[cfg(feature = "rayon")]
    pub(crate) fn made_since(&self, before: usize) -> Vec<(ObjectView<'a>, Bound<'a>)> {
        self.log[before..].iter().filter_map(|object| Some((*object, self.get(*object)?))).collect()
    }

    /// Makes the bindings `made` by another walk, outside of all scopes, if all of them agree with the bindings here.
    #[cfg(feature = "rayon")]
    pub(crate) fn adopt(&mut self, made: &[(ObjectView<'a>, Bound<'a>)]) -> bool {
        if made.iter().any(|(a, bound)| self.of(*a, bound.other) == Binding::Conflict) {
            return false;
        }
        for (a, bound) in made {
            if self.of(*a, bound.other) == Binding::Unbound {
                match self.in_scopes {
                    true => self.bind_at(bound.level, *a, bound.other),
                    false => drop(self.relate(*a, bound.other, true)),
                }
            }
        }
        true
    }

    /// The object on the right that `a` is bound to; the inner `None` if that object now has another binding, the outer
    /// `None` if `a` is not bound. `a` is the key of a map, and `decides_order` says whether the map has further keys
    /// that bindings put in order.
    pub(crate) fn refer_to(&mut self, a: ObjectView<'a>, decides_order: bool) -> Option<Option<ObjectView<'a>>> {
        let bound = self.get(a);
        let (address, other) = (a.address(), bound.map_or(a.address(), |bound| bound.other.address()));
        if self.in_scopes && a.type_info().plan.compare_rule.has_counterpart() {
            self.facts.push(match decides_order {
                true => self.exactly_bound(address, other),
                false => self.related(address, other, Place::Use),
            });
        }
        let other = bound?.other;
        let is_hidden = self.rhs_in_scope.get(&other.address()).is_some_and(|back| !back.other.ptr_eq(a));
        Some((!is_hidden).then_some(other))
    }

    /// The binding of `a`.
    pub(crate) fn get(&self, a: ObjectView<'a>) -> Option<Bound<'a>> {
        self.lhs.get(&a.address()).copied()
    }

    /// The number of bindings before the binding of `a`, if `a` is bound.
    pub(crate) fn order(&self, a: ObjectView<'a>) -> Option<usize> {
        self.get(a).map(|bound| bound.order as usize)
    }

    /// As [`order`](Self::order), for `b` of the right side, under lexical scopes.
    pub(crate) fn order_of_rhs(&self, b: ObjectView<'a>) -> Option<usize> {
        self.get_rhs(b).map(|bound| bound.order as usize)
    }

    /// Under lexical scopes: the binding of `b`.
    fn get_rhs(&self, b: ObjectView<'a>) -> Option<Bound<'a>> {
        self.rhs_in_scope.get(&b.address()).copied()
    }

    /// Whether an object of the left side is bound to `b`.
    pub(crate) fn is_bound_rhs(&self, b: ObjectView<'a>) -> bool {
        self.rhs.contains_key(&b.address()) || self.rhs_in_scope.contains_key(&b.address())
    }

    /// The objects of the left side in the order of their binding, including those whose binding has ended.
    pub(crate) fn log(&self) -> &[ObjectView<'a>] {
        &self.log
    }

    /// Under lexical scopes: the objects of the right side in the order of their binding.
    pub(crate) fn rhs_log(&self) -> &[ObjectView<'a>] {
        &self.rhs_log
    }
}

fn restore<'a>(table: &mut AddressTable<Bound<'a>>, object: ObjectView<'a>, before: Option<Bound<'a>>) {
    match before {
        Some(before) => drop(table.insert(object.address(), before)),
        None => drop(table.remove(&object.address())),
    }
}

/// The number of objects in memory fits.
fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
