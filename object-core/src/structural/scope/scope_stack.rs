//! [`ScopeStack`]: the open scopes of a walk, and the changes to undo when they close.
//!
//! A result about an object is valid as long as the variables in the object have the same bindings. Each walk records
//! the levels at which these variables were bound. A result that refers to no scope around the object is valid
//! everywhere. Any other result is valid while the innermost scope that it refers to is open, and until a binding in
//! force is hidden.

use crate::object::{CompareRule, DefRegionKind, ObjectView};
use crate::table::AddressTable;

/// The level of free variables, which are outside of every scope and have no binding.
pub(crate) const FREE: u32 = u32::MAX;

/// The levels of the scopes that a value refers to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LevelSet {
    /// One bit for each of the levels up to 63.
    low: u64,
    /// The lowest of the levels above 63, or zero.
    deep: u32,
}

impl LevelSet {
    /// The set with one level.
    #[inline]
    pub(crate) fn of(level: u32) -> Self {
        match level {
            FREE => LevelSet { low: 1, deep: 0 },
            0..64 => LevelSet { low: 1 << level, deep: 0 },
            _ => LevelSet { low: 0, deep: level },
        }
    }

    /// The set of all levels below `level`.
    fn below(level: u32) -> Self {
        match level {
            0..64 => LevelSet { low: (1 << level) - 1, deep: 0 },
            _ => LevelSet { low: u64::MAX, deep: if level > 64 { 64 } else { 0 } },
        }
    }

    #[inline]
    pub(crate) fn is_none(self) -> bool {
        self.low == 0 && self.deep == 0
    }

    #[inline]
    pub(crate) fn add(&mut self, other: LevelSet) {
        self.low |= other.low;
        if other.deep != 0 && (self.deep == 0 || other.deep < self.deep) {
            self.deep = other.deep;
        }
    }

    /// Removes `level` when its scope closes. It is the innermost level.
    fn close(&mut self, level: u32) {
        match level {
            0..64 => self.low &= !(1 << level),
            _ if self.deep >= level => self.deep = 0,
            _ => {}
        }
    }
}

/// The condition under which a result is valid: the scope `instance` is open at `level`, and no further binding is
/// hidden.
#[derive(Clone, Copy)]
pub(crate) struct ValidIn {
    pub(crate) used: LevelSet,
    /// The level of the innermost scope that the result refers to. If that is above 63, the level of the innermost open
    /// scope.
    level: u32,
    instance: u32,
    hidden: u32,
    depth: u32,
}

/// The open scopes. A `U` undoes one change.
#[derive(Clone)]
pub(crate) struct ScopeStack<U> {
    open: Vec<OpenScope>,
    changes: Vec<U>,
    /// A number that identifies the set of hidden bindings.
    hidden: u32,
    /// A counter that opening a scope and hiding a binding increment.
    count: u32,
    /// The objects that an inner scope bound only because no outer scope did. If a walk binds one of them later, that
    /// hides the earlier binding.
    assumed_unbound: AddressTable<()>,
    /// The levels of the scopes that were referred to since this set was last cleared.
    pub(crate) used: LevelSet,
}

#[derive(Clone)]
struct OpenScope {
    instance: u32,
    hidden_before: u32,
    changes_before: usize,
}

impl<U> Default for ScopeStack<U> {
    fn default() -> Self {
        ScopeStack {
            open: Vec::new(),
            changes: Vec::new(),
            hidden: 0,
            count: 0,
            assumed_unbound: AddressTable::default(),
            used: LevelSet::default(),
        }
    }
}

impl<U> ScopeStack<U> {
    /// The number of open scopes, which is the level of the innermost one. Zero means that no scope is open.
    #[inline]
    pub(crate) fn depth(&self) -> u32 {
        self.open.len() as u32
    }

    /// Whether a scope was ever opened.
    #[inline]
    pub(crate) fn has_opened_scopes(&self) -> bool {
        self.count > 0
    }

    /// A number that identifies the set of hidden bindings. A walk remembers a result only if the number was the same
    /// before and after: otherwise a second walk could have another result.
    pub(crate) fn hidden(&self) -> u32 {
        self.hidden
    }

    /// The condition under which a result is valid that was found here and refers to these levels.
    pub(crate) fn valid_in(&self, used: LevelSet) -> ValidIn {
        let depth = self.depth();
        let level = if used.deep == 0 { 63 - used.low.max(1).leading_zeros() } else { depth };
        let instance = self.instance(level).unwrap_or_default();
        ValidIn { used, level, instance, hidden: self.hidden, depth }
    }

    /// Whether a result with this condition is valid here.
    #[inline]
    pub(crate) fn is_valid(&self, valid_in: &ValidIn) -> bool {
        valid_in.used.is_none()
            || (valid_in.hidden == self.hidden && self.instance(valid_in.level) == Some(valid_in.instance))
    }

    /// As [`is_valid`](Self::is_valid), for results that include the distance to each scope.
    #[inline]
    pub(crate) fn is_valid_at_depth(&self, valid_in: &ValidIn) -> bool {
        valid_in.used.is_none() || (valid_in.depth == self.depth() && self.is_valid(valid_in))
    }

    /// The scope that is open at a level.
    #[inline]
    fn instance(&self, level: u32) -> Option<u32> {
        match level.checked_sub(1) {
            None => Some(0),
            Some(index) => self.open.get(index as usize).map(|level| level.instance),
        }
    }

    /// Whether bindings in the fields of an object in this region end with the fields, because the object is a variable
    /// that is free in a scope. A walk enters its fields once, so the result must not depend on which occurrence comes
    /// first.
    #[inline]
    pub(crate) fn isolates_fields(&self, object: ObjectView<'_>, region: DefRegionKind) -> bool {
        self.depth() > 0 && object.type_info().plan.compare_rule == CompareRule::Var && region.is_free()
    }

    pub(crate) fn open(&mut self) {
        self.count = self.count.wrapping_add(1);
        let changes_before = self.changes.len();
        self.open.push(OpenScope { instance: self.count, hidden_before: self.hidden, changes_before });
    }

    /// Closes the innermost scope: `undo` undoes its changes, the last one first.
    pub(crate) fn close(&mut self, undo: impl FnMut(U)) {
        let level = self.depth();
        if let Some(closed) = self.open.pop() {
            self.changes.drain(closed.changes_before..).rev().for_each(undo);
            self.hidden = closed.hidden_before;
            self.used.close(level);
        }
    }

    /// Records how to undo a change that the innermost scope made.
    pub(crate) fn push_undo(&mut self, undo: U) {
        self.changes.push(undo);
    }

    /// Records that an object is bound or rebound. `hides` says whether that hides an earlier binding.
    pub(crate) fn record_binding(&mut self, object: ObjectView<'_>, hides: bool) {
        if hides || self.assumed_unbound.contains_key(&object.address()) {
            self.count = self.count.wrapping_add(1);
            self.hidden = self.count;
        }
    }

    /// Records that the innermost scope bound an object only because no outer scope binds it.
    pub(crate) fn assume_unbound(&mut self, object: ObjectView<'_>) {
        self.assumed_unbound.insert(object.address(), ());
        // The result depends on all outer scopes.
        self.used.add(LevelSet::below(self.depth()));
    }
}
