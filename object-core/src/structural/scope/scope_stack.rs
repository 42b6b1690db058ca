//! [`ScopeStack`]: the open scopes of a walk, and the changes to undo when they close.

use crate::object::{CompareRule, DefRegionKind, ObjectView};

/// The level of free variables, which are outside of every scope and have no binding.
pub(crate) const FREE: u32 = u32::MAX;

/// The bit of the level of a binding that a scope which has ended exports. A definition region of the scope around it binds
/// the variable anew, because this scope did not bind it itself.
pub(crate) const EXPORTED: u32 = 1 << 31;

/// The open scopes. A `U` undoes one change.
#[derive(Clone)]
pub(crate) struct ScopeStack<U> {
    open: Vec<OpenScope>,
    /// The changes that end with a scope, and the changes outside of all scopes.
    changes: Vec<U>,
    /// The number of bindings so far.
    made: u64,
    /// The number of changes so far that no scope ends.
    lasting: u64,
    /// A number that identifies the bindings in force.
    version: u64,
    /// The number of versions so far.
    versions: u64,
}

/// The state before a scope was opened.
#[derive(Clone, Copy)]
struct OpenScope {
    changes: usize,
    /// The number of changes before the current field.
    field: usize,
    lasting: u64,
    version: u64,
}

/// The state of the walk when it entered an object.
#[derive(Clone, Copy)]
pub(crate) struct EnteredAt {
    pub(crate) changes: usize,
    pub(crate) made: u64,
    pub(crate) version: u64,
}

impl<U> Default for ScopeStack<U> {
    fn default() -> Self {
        ScopeStack { open: Vec::new(), changes: Vec::new(), made: 0, lasting: 0, version: 0, versions: 0 }
    }
}

impl<U> ScopeStack<U> {
    /// The number of open scopes, which is the level of the innermost one. Zero means that no scope is open.
    #[inline]
    pub(crate) fn depth(&self) -> u32 {
        self.open.len() as u32
    }

    /// The present state.
    pub(crate) fn state(&self) -> EnteredAt {
        EnteredAt { changes: self.changes.len(), made: self.made, version: self.version }
    }

    /// A number that identifies the bindings in force and the open scopes. The same number means the same facts.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Whether bindings after `entered` are in force that end with a scope around the object.
    pub(crate) fn has_escaped(&self, entered: EnteredAt) -> bool {
        self.changes.len() > entered.changes
    }

    /// The changes since there were `before` of them.
    pub(crate) fn changes_since(&self, before: usize) -> &[U] {
        &self.changes[before..]
    }

    /// The changes that have not been undone.
    pub(crate) fn changes_mut(&mut self) -> &mut [U] {
        &mut self.changes
    }

    /// Whether bindings in the fields of an object in this region end with the fields, because the object is a variable
    /// that is free in a scope. A walk enters its fields once, so the result must not depend on which occurrence comes
    /// first.
    #[inline]
    pub(crate) fn isolates_fields(&self, object: ObjectView<'_>, region: DefRegionKind) -> bool {
        self.depth() > 0 && object.type_info().plan.compare_rule == CompareRule::Var && region.is_free()
    }

    pub(crate) fn open(&mut self) {
        let changes = self.changes.len();
        self.open.push(OpenScope { changes, field: changes, lasting: self.lasting, version: self.version });
        self.change_version();
    }

    /// Ends the current field of the innermost scope, and returns the changes that the field made.
    pub(crate) fn end_field(&mut self) -> &[U] {
        let now = self.changes.len();
        let start = self.open.last_mut().map_or(now, |scope| std::mem::replace(&mut scope.field, now));
        &self.changes[start.min(now)..]
    }

    /// Closes the innermost scope: `undo` undoes its changes, the last one first.
    pub(crate) fn close(&mut self, undo: impl FnMut(U)) {
        if let Some(before) = self.open.pop() {
            self.undo_since(before.changes, undo);
            if self.lasting == before.lasting {
                self.version = before.version;
            }
        }
    }

    /// Undoes the changes since there were `before` of them, the last one first.
    pub(crate) fn undo_since(&mut self, before: usize, undo: impl FnMut(U)) {
        self.changes.drain(before..).rev().for_each(undo);
        self.change_version();
    }

    /// Counts a binding, and returns its number. The first one has the number one.
    pub(crate) fn count_binding(&mut self) -> u64 {
        self.change_version();
        self.made += 1;
        self.made
    }

    /// Counts an event that is not a binding, and returns its number among the bindings.
    pub(crate) fn count_event(&mut self) -> u64 {
        self.made += 1;
        self.made
    }

    /// Records how to undo the last binding, which ends with the innermost scope.
    pub(crate) fn push_undo(&mut self, undo: U) {
        self.changes.push(undo);
    }

    /// Records that the last binding outlasts all scopes.
    pub(crate) fn record_lasting(&mut self) {
        self.lasting += 1;
    }

    /// Records that the bindings in force are others than before.
    pub(crate) fn change_version(&mut self) {
        self.versions += 1;
        self.version = self.versions;
    }
}
