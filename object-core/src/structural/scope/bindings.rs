//! [`Bindings`]: the one-to-one correspondence between variables and `dag` nodes of both sides.
//!
//! By default the correspondence only grows. Under lexical scopes, a binding ends with the scope that made it, and
//! hides outer bindings until then.

use std::collections::hash_map::Entry;

use crate::object::{DefRegionKind, ObjectView};
use crate::structural::scope::scope_stack::{FREE, LevelSet, ScopeStack};
use crate::table::AddressTable;

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
        lhs.insert(Bound { other: b, order, level: 0 });
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
        let (lhs, rhs) = (self.get(a), self.get_rhs(b));
        let is_binder = matches!(region, DefRegionKind::Simple | DefRegionKind::Recursive);
        let binds_anew = |bound: Option<Bound<'_>>| match (bound, region) {
            (None, _) => true,
            (Some(bound), DefRegionKind::Simple | DefRegionKind::Recursive) => bound.level != depth && depth > 0,
            (Some(bound), DefRegionKind::Annotation) => bound.level == FREE && depth > 0,
            (Some(_), DefRegionKind::None | DefRegionKind::Free) => false,
        };
        if (lhs.is_none() && rhs.is_none()) || (binds_anew(lhs) && binds_anew(rhs)) {
            let level = match region {
                DefRegionKind::Simple | DefRegionKind::Recursive | DefRegionKind::Annotation => depth,
                DefRegionKind::None | DefRegionKind::Free if is_dag => depth,
                // A free variable corresponds only to itself.
                DefRegionKind::None if !a.ptr_eq(b) => return Binding::Unbound,
                DefRegionKind::None | DefRegionKind::Free => FREE,
            };
            self.bind_at(level, a, b);
            if depth > 0 && level == depth && !is_binder {
                self.scope_stack.assume_unbound(a);
                self.scope_stack.assume_unbound(b);
            }
            return Binding::Unbound;
        }
        match (lhs, rhs) {
            (Some(lhs), Some(rhs)) if lhs.other.ptr_eq(b) && rhs.other.ptr_eq(a) => {
                self.scope_stack.used.add(LevelSet::of(lhs.level));
                Binding::Matched
            }
            _ => {
                for bound in [lhs, rhs].into_iter().flatten() {
                    self.scope_stack.used.add(LevelSet::of(bound.level));
                }
                Binding::Conflict
            }
        }
    }

    fn bind_at(&mut self, level: u32, a: ObjectView<'a>, b: ObjectView<'a>) {
        let order = narrow(self.log.len());
        let lhs_before = self.lhs.insert(a.address(), Bound { other: b, order, level });
        let rhs_before = self.rhs_in_scope.insert(b.address(), Bound { other: a, order, level });
        self.log.push(a);
        self.rhs_log.push(b);
        self.scope_stack.used.add(LevelSet::of(level));
        if level != FREE {
            self.scope_stack.record_binding(a, lhs_before.is_some());
            self.scope_stack.record_binding(b, rhs_before.is_some());
        }
        if level > 0 && level != FREE {
            self.scope_stack.push_undo(Change { a, b, lhs_before, rhs_before });
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

    /// The bindings that were made after the first `before` ones and have not ended.
    #[cfg(feature = "rayon")]
    pub(crate) fn made_since(&self, before: usize) -> Vec<(ObjectView<'a>, Bound<'a>)> {
        self.log[before..].iter().filter_map(|object| Some((*object, self.get(*object)?))).collect()
    }

    /// Makes the bindings `made` by another walk, outside of all scopes, if all of them agree with the bindings here.
    /// `in_scopes` says whether bindings end with scopes.
    #[cfg(feature = "rayon")]
    pub(crate) fn adopt(&mut self, made: &[(ObjectView<'a>, Bound<'a>)], in_scopes: bool) -> bool {
        if made.iter().any(|(a, bound)| self.of(*a, bound.other) == Binding::Conflict) {
            return false;
        }
        for (a, bound) in made {
            if self.of(*a, bound.other) == Binding::Unbound {
                match in_scopes {
                    true => self.bind_at(bound.level, *a, bound.other),
                    false => drop(self.relate(*a, bound.other, true)),
                }
            }
        }
        true
    }

    /// The object on the right that `a` is bound to; the inner `None` if that object now has another binding, the outer
    /// `None` if `a` is not bound.
    pub(crate) fn refer_to(&mut self, a: ObjectView<'a>) -> Option<Option<ObjectView<'a>>> {
        let bound = self.get(a)?;
        self.scope_stack.used.add(LevelSet::of(bound.level));
        let is_hidden = self.rhs_in_scope.get(&bound.other.address()).is_some_and(|back| !back.other.ptr_eq(a));
        Some((!is_hidden).then_some(bound.other))
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
