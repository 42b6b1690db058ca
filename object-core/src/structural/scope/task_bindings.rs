//! The bindings of a comparison in another thread, and their adoption.

use std::sync::Arc;

use crate::object::ObjectView;
use crate::structural::scope::bindings::{Binding, Bindings, FactsAt};
use crate::structural::scope::changes::Bound;
use crate::structural::scope::facts::Facts;
use crate::structural::scope::matches::ExportedMatches;
use crate::structural::scope::relations::Related;

/// The facts on which the result of a task depends.
pub(crate) struct TaskFacts<'a> {
    matches: ExportedMatches<ObjectView<'a>>,
    other: Arc<Facts<Related>>,
}

impl<'a> Bindings<'a> {
    /// The binding state of two objects.
    fn of(&self, a: ObjectView<'a>, b: ObjectView<'a>) -> Binding {
        match self.get(a) {
            Some(bound) if bound.other.ptr_eq(b) => Binding::Matched,
            None if !self.is_bound_rhs(b) => Binding::Unbound,
            _ => Binding::Conflict,
        }
    }

    /// The facts since `facts` on which the walk depends and that bindings up to the one with number `made` decide.
    pub(crate) fn facts_since(&mut self, facts: FactsAt, made: u64) -> TaskFacts<'a> {
        let matches = self.matches.take(facts.matches, made, false).facts;
        TaskFacts {
            other: self.facts.take_outer(facts.facts, made, false, &mut self.fact_steps),
            matches: self.matches.export(matches),
        }
    }

    /// The bindings that were made after the first `before` ones and have not ended.
    pub(crate) fn made_since(&mut self, before: usize) -> Vec<(ObjectView<'a>, Bound<'a>)> {
        self.list_all();
        self.log[before..].iter().filter_map(|object| Some((*object, self.get(*object)?))).collect()
    }

    /// Makes the bindings `made` by another walk, outside of all scopes, if all of them agree with the bindings here, and
    /// if the facts on which that walk depends hold here. The bindings that were made since the other walk began could
    /// change them: a `dag` node that the other walk bound in one of its scopes may be bound outside of it by now.
    pub(crate) fn adopt(&mut self, made: &[(ObjectView<'a>, Bound<'a>)], facts: &TaskFacts<'a>) -> bool {
        if made.iter().any(|(a, bound)| self.of(*a, bound.other) == Binding::Conflict) {
            return false;
        }
        let sets = self.matches.import(&facts.matches);
        if !facts.other.all.iter().all(|fact| self.state_of(fact).relation == fact.relation) {
            return false;
        }
        let Some(missing) = self.matches.missing(sets) else { return false };
        // The other walk made the bindings of free variables that are missing here.
        let is_made = |a: ObjectView<'a>, b| made.iter().any(|(it, bound)| it.ptr_eq(a) && bound.other.ptr_eq(b));
        if !self.matches.pairs(missing).all(|(a, b): (ObjectView<'a>, ObjectView<'a>)| is_made(a, b)) {
            return false;
        }
        for (a, bound) in made {
            if self.of(*a, bound.other) == Binding::Unbound {
                match self.in_scopes {
                    true => self.bind_at(bound.level, *a, bound.other, false),
                    false => drop(self.relate(*a, bound.other, true)),
                }
            }
        }
        self.facts.push_all(&facts.other);
        self.matches.use_all(sets);
        true
    }
}
