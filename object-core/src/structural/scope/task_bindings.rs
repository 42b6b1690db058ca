//! The bindings of a comparison in another thread, and their adoption.

use std::sync::Arc;

use crate::object::ObjectView;
use crate::structural::scope::bindings::{Binding, Bindings, FactsAt};
use crate::structural::scope::changes::Bound;
use crate::structural::scope::facts::Facts;
use crate::structural::scope::matches::ExportedMatches;
use crate::structural::scope::relations::Related;

/// The bindings that a task made.
pub(crate) enum TaskBindings<'a> {
    /// Under persistent scopes: the pairs. The task has no other bindings any more.
    Persistent(Vec<(ObjectView<'a>, ObjectView<'a>)>),
    /// Under lexical scopes: the bindings that have not ended, and the facts on which the verdict of the task depends.
    Lexical(Vec<(ObjectView<'a>, Bound<'a>)>, TaskFacts<'a>),
}

impl TaskBindings<'_> {
    /// Whether the task has taken its bindings back.
    pub(crate) fn are_taken_back(&self) -> bool {
        matches!(self, TaskBindings::Persistent(_))
    }

    /// The number of bindings.
    pub(crate) fn len(&self) -> usize {
        match self {
            TaskBindings::Persistent(made) => made.len(),
            TaskBindings::Lexical(made, _) => made.len(),
        }
    }
}

/// The facts on which the result of a task depends.
pub(crate) struct TaskFacts<'a> {
    matches: ExportedMatches<ObjectView<'a>>,
    other: Arc<Facts<Related>>,
}

impl<'a> Bindings<'a> {
    /// The bindings of a task, which began with `before` bindings and the facts before `facts`. `made` is the number of
    /// the last binding under lexical scopes before the task.
    pub(crate) fn task_bindings(&mut self, before: usize, facts: FactsAt, made: u64) -> TaskBindings<'a> {
        match self.in_scopes {
            true => {
                let facts = self.facts_since(facts, made);
                TaskBindings::Lexical(self.made_since(before), facts)
            }
            false => TaskBindings::Persistent(self.split_off(before)),
        }
    }

    /// The facts since `facts` on which the walk depends and that bindings up to the one with number `made` decide.
    fn facts_since(&mut self, facts: FactsAt, made: u64) -> TaskFacts<'a> {
        let matches = self.matches.take(facts.matches, made, false).facts;
        TaskFacts {
            other: self.facts.take_outer(facts.facts, made, false, &mut self.fact_steps),
            matches: self.matches.export(matches),
        }
    }

    /// The bindings that were made after the first `before` ones and have not ended.
    fn made_since(&mut self, before: usize) -> Vec<(ObjectView<'a>, Bound<'a>)> {
        self.list_all();
        self.log[before..].iter().filter_map(|object| Some((*object, self.get(*object)?))).collect()
    }

    /// Makes the bindings of a task if all of them agree with the bindings here, and if the facts on which the task
    /// depends hold here. No scope is open.
    pub(crate) fn adopt(&mut self, found: &TaskBindings<'a>) -> bool {
        match found {
            TaskBindings::Persistent(made) => self.adopt_persistent(made),
            TaskBindings::Lexical(made, facts) => self.adopt_lexical(made, facts),
        }
    }

    /// As [`adopt`](Self::adopt), under persistent scopes.
    fn adopt_persistent(&mut self, made: &[(ObjectView<'a>, ObjectView<'a>)]) -> bool {
        let before = self.log.len();
        let agree = made.iter().all(|(a, b)| self.relate(*a, *b, true) != Binding::Conflict);
        if !agree {
            self.split_off(before);
        }
        agree
    }

    /// As [`adopt`](Self::adopt), under lexical scopes. The bindings that were made since the task began could change the
    /// facts: a `dag` node that the task bound in one of its scopes may be bound outside of it by now.
    fn adopt_lexical(&mut self, made: &[(ObjectView<'a>, Bound<'a>)], facts: &TaskFacts<'a>) -> bool {
        if made.iter().any(|(a, bound)| self.of(*a, bound.other) == Binding::Conflict) {
            return false;
        }
        let sets = self.matches.import(&facts.matches);
        if !facts.other.all.iter().all(|fact| self.state_of(fact).relation == fact.relation) {
            return false;
        }
        let Some(missing) = self.matches.missing(sets) else { return false };
        // The task made the bindings of free variables that are missing here.
        let is_made = |a: ObjectView<'a>, b| made.iter().any(|(it, bound)| it.ptr_eq(a) && bound.other.ptr_eq(b));
        if !self.matches.pairs(missing).all(|(a, b): (ObjectView<'a>, ObjectView<'a>)| is_made(a, b)) {
            return false;
        }
        for (a, bound) in made {
            if self.of(*a, bound.other) == Binding::Unbound {
                self.bind_at(bound.level, *a, bound.other, false);
            }
        }
        self.facts.push_all(&facts.other);
        self.matches.use_all(sets);
        true
    }

    /// The binding state of two objects, under lexical scopes.
    fn of(&self, a: ObjectView<'a>, b: ObjectView<'a>) -> Binding {
        match self.get(a) {
            Some(bound) if bound.other.ptr_eq(b) => Binding::Matched,
            None if !self.is_bound_rhs(b) => Binding::Unbound,
            _ => Binding::Conflict,
        }
    }
}
