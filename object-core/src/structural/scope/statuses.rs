//! [`Statuses`]: which variables and `dag` nodes are bound at the current position of a hash under lexical scopes, and
//! the questions about them on which a remembered result depends.

use crate::structural::scope::scope_stack::FREE;
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
struct Change {
    address: usize,
    before: Option<BoundAt>,
}

/// A question about an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Question {
    /// Whether the object is neither bound nor a free variable that occurred before.
    IsUnbound,
    /// Whether the innermost scope binds the object.
    IsBoundHere,
    /// Whether the object is bound, and not only free.
    IsBound,
    /// Whether no scope is open. The question is about no object.
    IsOutermost,
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

/// The state before a scope was opened.
#[derive(Clone, Copy)]
struct OpenedAt {
    changes: usize,
    free: usize,
    version: u64,
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

/// The variables and `dag` nodes that are bound, and the free variables that occurred.
#[derive(Clone, Default)]
pub(crate) struct Statuses {
    bound: AddressTable<BoundAt>,
    /// The changes that end with the open scopes, and the changes outside of all scopes.
    changes: Vec<Change>,
    open: Vec<OpenedAt>,
    /// The free variables, in the order of their first occurrence.
    free: Vec<usize>,
    /// The number of bindings so far.
    made: u64,
    /// A number that identifies the state of all statuses.
    version: u64,
    versions: u64,
}

impl Statuses {
    /// The number of open scopes.
    pub(crate) fn depth(&self) -> u32 {
        self.open.len() as u32
    }

    /// The number of bindings so far.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    /// The number of changes that have not ended.
    pub(crate) fn changes(&self) -> usize {
        self.changes.len()
    }

    /// A number that identifies the state of all statuses. The same number means the same answers.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    fn change_version(&mut self) {
        self.versions += 1;
        self.version = self.versions;
    }

    pub(crate) fn ask(&self, address: usize, question: Question) -> Asked {
        let bound = self.bound.get(&address);
        let level = bound.map(|bound| bound.level);
        let answer = match question {
            Question::IsUnbound => level.is_none(),
            Question::IsOutermost => self.depth() == 0,
            Question::IsBoundHere => level == Some(self.depth()),
            Question::IsBound => level.is_some_and(|level| level != FREE),
        };
        Asked { address, question, answer, order: bound.map_or(0, |bound| bound.order) }
    }

    /// Binds an object in the innermost scope.
    pub(crate) fn bind(&mut self, address: usize) {
        self.made += 1;
        let before = self.bound.insert(address, BoundAt { level: self.depth(), order: self.made });
        self.changes.push(Change { address, before });
        self.change_version();
    }

    /// Records an occurrence of a variable that is free if no scope binds it.
    pub(crate) fn occurs(&mut self, address: usize) {
        if let std::collections::hash_map::Entry::Vacant(vacant) = self.bound.entry(address) {
            self.made += 1;
            vacant.insert(BoundAt { level: FREE, order: self.made });
            self.free.push(address);
            self.change_version();
        }
    }

    pub(crate) fn open(&mut self) {
        let version = self.version;
        self.open.push(OpenedAt { changes: self.changes.len(), free: self.free.len(), version });
        self.change_version();
    }

    /// Closes the innermost scope: its bindings end.
    pub(crate) fn close(&mut self) {
        if let Some(before) = self.open.pop() {
            self.undo_changes_since(before.changes);
            if self.free.len() == before.free {
                self.version = before.version;
            }
        }
    }

    fn undo_changes_since(&mut self, before: usize) {
        for Change { address, before } in self.changes.drain(before..).rev() {
            match before {
                Some(before) => drop(self.bound.insert(address, before)),
                None => drop(self.bound.remove(&address)),
            }
        }
        self.change_version();
    }

    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint { changes: self.changes.len(), free: self.free.len() }
    }

    /// Undoes everything since `checkpoint`, and appends it to `given`.
    pub(crate) fn roll_back(&mut self, checkpoint: Checkpoint, given: &mut Vec<Given>) {
        let bound = self.changes[checkpoint.changes..].iter().map(|it| Given { address: it.address, is_free: false });
        let free = self.free[checkpoint.free..].iter().map(|address| Given { address: *address, is_free: true });
        given.extend(bound.chain(free));
        self.undo_changes_since(checkpoint.changes);
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
                false if self.ask(given.address, Question::IsBoundHere).answer => {}
                false => self.bind(given.address),
            }
        }
    }
}
