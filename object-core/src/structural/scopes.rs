//! [`Levels`]: the open scopes of a walk, and what has to be taken back where they end.
//!
//! A result about an object holds as long as the variables that it refers to mean the same. Each walk notes at which
//! levels these were bound: a result that refers to no scope around the object holds everywhere, any other one in the
//! same *environment*: between the same ends of scopes, with no variable hidden by a new binding in between.

use crate::object::ObjectView;
use crate::table::AddressTable;

/// The level of free variables, which stand outside of every scope and are no bindings that one could refer to.
pub(super) const FREE: u32 = u32::MAX;

/// The scopes that are open. `U` is what takes one change back.
#[derive(Clone)]
pub(super) struct Levels<U> {
    open: Vec<Level>,
    changes: Vec<U>,
    environment: u32,
    environments: u32,
    /// The objects that were bound in some scope because they were not bound around it: binding one elsewhere makes
    /// another environment.
    assumed_unbound: AddressTable<()>,
    /// The levels of the scopes that were referred to since this was last cleared, one bit each; the last bit stands for
    /// all deeper ones.
    pub(super) used: u64,
}

#[derive(Clone)]
struct Level {
    environment_before: u32,
    changes_before: usize,
}

impl<U> Default for Levels<U> {
    fn default() -> Self {
        Levels {
            open: Vec::new(),
            changes: Vec::new(),
            environment: 0,
            environments: 0,
            assumed_unbound: AddressTable::default(),
            used: 0,
        }
    }
}

impl<U> Levels<U> {
    /// How many scopes are open: the level of the innermost one, where zero stands for none.
    #[inline]
    pub(super) fn depth(&self) -> u32 {
        self.open.len() as u32
    }

    /// What tells this environment from all others.
    #[inline]
    pub(super) fn environment(&self) -> u32 {
        self.environment
    }

    /// The bit of a level in [`used`](Self::used).
    #[inline]
    pub(super) fn bit(level: u32) -> u64 {
        if level == FREE { 1 } else { 1 << level.min(63) }
    }

    pub(super) fn open(&mut self) {
        self.open.push(Level { environment_before: self.environment, changes_before: self.changes.len() });
        self.enter_environment();
    }

    /// Closes the innermost scope: `undo` takes back its changes, the last one first.
    pub(super) fn close(&mut self, undo: impl FnMut(U)) {
        let level = self.depth();
        if let Some(closed) = self.open.pop() {
            self.changes.drain(closed.changes_before..).rev().for_each(undo);
            self.environment = closed.environment_before;
            if level < 63 {
                self.used &= !Self::bit(level);
            }
        }
    }

    /// Notes how to take back a change made by the innermost scope.
    pub(super) fn changed(&mut self, undo: U) {
        self.changes.push(undo);
    }

    /// Notes that an object is bound, or begins to mean something else than it meant; whether it hides a binding that
    /// there was.
    pub(super) fn bound(&mut self, object: ObjectView<'_>, hides: bool) {
        if hides || self.assumed_unbound.contains_key(&object.address()) {
            self.enter_environment();
        }
    }

    /// Notes that an object is bound in the innermost scope for the only reason that no scope around it does.
    pub(super) fn assume_unbound(&mut self, object: ObjectView<'_>) {
        self.assumed_unbound.insert(object.address(), ());
        // It refers, so to say, to all scopes further out.
        self.used |= Self::bit(self.depth()) - 1;
    }

    fn enter_environment(&mut self) {
        self.environments = self.environments.wrapping_add(1);
        self.environment = self.environments;
    }
}
