//! [`Statuses`]: which variables and `dag` nodes are bound at the current position of a hash under lexical scopes, and
//! the questions about them on which a remembered result depends.

use std::collections::hash_map::Entry;

use crate::structural::scope::facts::Fact;
use crate::structural::scope::occurrences::Occurrences;
use crate::structural::scope::positions::{Positions, Residue};
use crate::structural::scope::scope_stack::{FREE, ScopeStack};
use crate::table::AddressTable;

/// A binding that is in force.
#[derive(Clone, Copy)]
struct BoundAt {
    /// The level of the scope that made the binding, or `FREE`.
    level: u32,
    /// One more than the number of bindings that were made before.
    order: u64,
}

/// A change of the status of an object, with the status before.
#[derive(Clone, Copy)]
pub(crate) struct Change {
    address: usize,
    before: Option<BoundAt>,
}

impl Change {
    fn undo(self, bound: &mut AddressTable<BoundAt>) {
        match self.before {
            Some(before) => drop(bound.insert(self.address, before)),
            None => drop(bound.remove(&self.address)),
        }
    }
}

/// A question about an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Question {
    /// Whether the object is neither bound nor a free variable that occurred before. Its fields may be objects.
    Unbound,
    /// The same question about a variable without objects in its fields.
    UnboundLeaf,
    /// Whether the innermost scope binds the object.
    BoundHere,
    /// Whether the object is bound, and not only free.
    Bound,
    /// Whether no scope is open. The question is about no object.
    Outermost,
}

/// An answer that a walk used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Asked {
    pub(crate) address: usize,
    pub(crate) question: Question,
    pub(crate) answer: bool,
    /// The order of the binding in force, or zero.
    pub(crate) order: u64,
}

/// A place to which [`Statuses::roll_back`] returns.
#[derive(Clone, Copy)]
pub(crate) struct Checkpoint {
    changes: usize,
    free: usize,
}

/// The status of a variable or `dag` node, to give again after a roll-back.
#[derive(Clone, Copy)]
pub(crate) struct Given {
    address: usize,
    is_free: bool,
}

impl Fact for Asked {
    fn order(self) -> u64 {
        self.order
    }

    fn outside(self) -> Option<Self> {
        (self.question != Question::BoundHere).then_some(self)
    }
}

/// The variables and `dag` nodes that are bound, and the free variables that occurred.
#[derive(Clone, Default)]
pub(crate) struct Statuses {
    bound: AddressTable<BoundAt>,
    pub(crate) scopes: ScopeStack<Change>,
    /// The free variables with objects in their fields, in the order of their first occurrence.
    free: Vec<usize>,
    pub(crate) occurrences: Occurrences,
    /// Whether an answer depends on the occurrences of variables without objects in their fields.
    depends_on_occurrences: bool,
}

impl Statuses {
    /// The answer to a question about the object at `address`.
    pub(crate) fn ask(&mut self, address: usize, question: Question) -> Asked {
        let bound = self.bound.get(&address);
        let level = bound.map(|bound| bound.level);
        if question == Question::UnboundLeaf && bound.is_none() {
            self.depends_on_occurrences = true;
            let first = self.occurrences.first(address);
            return Asked { address, question, answer: first.is_none(), order: first.unwrap_or_default() };
        }
        let answer = match question {
            Question::Unbound | Question::UnboundLeaf => level.is_none(),
            Question::Outermost => self.scopes.depth() == 0,
            Question::BoundHere => level == Some(self.scopes.depth()),
            Question::Bound => level.is_some_and(|level| level != FREE),
        };
        Asked { address, question, answer, order: bound.map_or(0, |bound| bound.order) }
    }

    /// Binds an object in the innermost scope.
    pub(crate) fn bind(&mut self, address: usize) {
        let bound = BoundAt { level: self.scopes.depth(), order: self.scopes.count_binding() };
        let before = self.bound.insert(address, bound);
        self.scopes.push_undo(Change { address, before });
        self.occurrences.push_bound(address);
    }

    /// The number of the next occurrence.
    fn count_occurrence(&mut self) -> u64 {
        match self.depends_on_occurrences {
            true => self.scopes.count_binding(),
            false => self.scopes.count_event(),
        }
    }

    /// Records an occurrence of an object at a position.
    pub(crate) fn add_occurrence(&mut self, address: usize, position: Residue) {
        let number = self.count_occurrence();
        self.occurrences.push_one(address, position, number);
    }

    /// Records the occurrences in an object.
    pub(crate) fn add_occurrences(&mut self, positions: Positions) {
        let number = self.count_occurrence();
        self.occurrences.push_many(positions, number);
    }

    /// Multiplies the positions of the occurrences since `start` by `factor`, at the end of a scope.
    pub(crate) fn scale_occurrences(&mut self, start: usize, factor: Residue, steps: &mut u32) {
        let number = self.count_occurrence();
        self.occurrences.scale(start, factor, number, steps);
    }

    /// The statuses for a walk in another thread.
    #[cfg(feature = "rayon")]
    pub(crate) fn continued(&mut self) -> Self {
        let occurrences = self.occurrences.continued();
        let all = std::mem::take(&mut self.occurrences);
        let statuses = Statuses { occurrences, ..self.clone() };
        self.occurrences = all;
        statuses
    }

    /// Records an occurrence of a variable with objects in its fields, which is free if no scope binds it.
    pub(crate) fn occurs(&mut self, address: usize) {
        if let Entry::Vacant(vacant) = self.bound.entry(address) {
            vacant.insert(BoundAt { level: FREE, order: self.scopes.count_binding() });
            self.scopes.record_lasting();
            self.free.push(address);
        }
    }

    /// Closes the innermost scope: its bindings end.
    pub(crate) fn close(&mut self) {
        let bound = &mut self.bound;
        self.scopes.close(|change| change.undo(bound));
    }

    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint { changes: self.scopes.state().changes, free: self.free.len() }
    }

    /// Undoes everything since `checkpoint`, and appends it to `given`.
    pub(crate) fn roll_back(&mut self, checkpoint: Checkpoint, given: &mut Vec<Given>) {
        let changes = self.scopes.changes_since(checkpoint.changes).iter();
        let bound = changes.map(|it| Given { address: it.address, is_free: false });
        let free = self.free[checkpoint.free..].iter().map(|address| Given { address: *address, is_free: true });
        given.extend(bound.chain(free));
        let bound = &mut self.bound;
        self.scopes.undo_since(checkpoint.changes, |change| change.undo(bound));
        // A variable becomes free only where nothing binds it, so no status was hidden.
        for address in self.free.drain(checkpoint.free..) {
            self.bound.remove(&address);
        }
    }

    /// Gives the objects the status that they had before a roll-back.
    pub(crate) fn give_again(&mut self, given: &[Given]) {
        for given in given {
            match given.is_free {
                true => self.occurs(given.address),
                false if self.ask(given.address, Question::BoundHere).answer => {}
                false => self.bind(given.address),
            }
        }
    }
}
