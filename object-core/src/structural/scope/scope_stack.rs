//! [`ScopeStack`]: the open scopes of a walk, and the changes to undo at their ends.
//!
//! A result about an object holds as long as the variables that it refers to mean the same. Each walk notes at which
//! levels these were bound. A result that refers to no scope around the object holds everywhere; any other one while the
//! innermost scope that it refers to is open, and no binding in force has been hidden since.

use crate::object::{CompareRule, DefRegionKind, ObjectView};
use crate::table::AddressTable;

/// The level of free variables, which stand outside of every scope and have no binding to refer to.
pub(crate) const FREE: u32 = u32::MAX;

/// The levels of the scopes that something refers to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LevelSet {
    /// One bit for each of the levels up to 63.
    low: u64,
    /// The lowest of those above, or zero.
    deep: u32,
}

impl LevelSet {
    /// One level.
    #[inline]
    pub(crate) fn of(level: u32) -> Self {
        match level {
            FREE => LevelSet { low: 1, deep: 0 },
            0..64 => LevelSet { low: 1 << level, deep: 0 },
            _ => LevelSet { low: 0, deep: level },
        }
    }

    /// All levels below one.
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

    /// Removes `level`, whose scope ends. It is the innermost one.
    fn close(&mut self, level: u32) {
        match level {
            0..64 => self.low &= !(1 << level),
            _ if self.deep >= level => self.deep = 0,
            _ => {}
        }
    }
}

/// The condition under which a result holds: the scope `instance` is open at `level`, and no further binding is hidden.
#[derive(Clone, Copy)]
pub(crate) struct ValidIn {
    pub(crate) used: LevelSet,
    /// The level of the innermost scope that the result refers to, or of the innermost scope of all.
    level: u32,
    instance: u32,
    hidden: u32,
    depth: u32,
}

/// The scopes that are open. A `U` undoes one change.
#[derive(Clone)]
pub(crate) struct ScopeStack<U> {
    open: Vec<OpenScope>,
    changes: Vec<U>,
    /// Stands for the bindings that are hidden.
    hidden: u32,
    /// How many scopes were opened, and how often something was hidden.
    count: u32,
    /// The objects that were bound in some scope because they were not bound around it: binding one elsewhere hides
    /// that.
    assumed_unbound: AddressTable<()>,
    /// The levels of the scopes that were referred to since this was last cleared.
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
    /// How many scopes are open: the level of the innermost one, where zero stands for none.
    #[inline]
    pub(crate) fn depth(&self) -> u32 {
        self.open.len() as u32
    }

    /// Whether any scope was ever opened.
    #[inline]
    pub(crate) fn are_there_scopes(&self) -> bool {
        self.count > 0
    }

    /// Stands for the bindings that are hidden. A result is remembered only if that was the same before and after it was
    /// found: else looking again may come out differently.
    pub(crate) fn hidden(&self) -> u32 {
        self.hidden
    }

    /// The condition under which a result that was found here and refers to these levels holds.
    pub(crate) fn valid_in(&self, used: LevelSet) -> ValidIn {
        let depth = self.depth();
        let level = if used.deep == 0 { 63 - used.low.max(1).leading_zeros() } else { depth };
        let instance = self.instance(level).unwrap_or_default();
        ValidIn { used, level, instance, hidden: self.hidden, depth }
    }

    /// Whether a result holds here.
    #[inline]
    pub(crate) fn is_valid(&self, valid_in: &ValidIn) -> bool {
        valid_in.used.is_none()
            || (valid_in.hidden == self.hidden && self.instance(valid_in.level) == Some(valid_in.instance))
    }

    /// As [`is_valid`](Self::is_valid), for results that say how far out each scope is.
    #[inline]
    pub(crate) fn is_valid_at_depth(&self, valid_in: &ValidIn) -> bool {
        valid_in.used.is_none() || (valid_in.depth == self.depth() && self.is_valid(valid_in))
    }

    /// Which scope is open at a level.
    #[inline]
    fn instance(&self, level: u32) -> Option<u32> {
        match level.checked_sub(1) {
            None => Some(0),
            Some(index) => self.open.get(index as usize).map(|level| level.instance),
        }
    }

    /// Whether bindings in the fields of an object in this region end with the fields, because the object is a variable that
    /// is free in a scope. A walk takes its fields once, so the result must not depend on which occurrence comes first.
    #[inline]
    pub(crate) fn confines(&self, object: ObjectView<'_>, region: DefRegionKind) -> bool {
        self.depth() > 0 && object.type_info().plan.compare_rule == CompareRule::Var && region.is_free()
    }

    pub(crate) fn open(&mut self) {
        self.count = self.count.wrapping_add(1);
        let changes_before = self.changes.len();
        self.open.push(OpenScope { instance: self.count, hidden_before: self.hidden, changes_before });
    }

    /// Closes the innermost scope: `undo` takes back its changes, the last one first.
    pub(crate) fn close(&mut self, undo: impl FnMut(U)) {
        let level = self.depth();
        if let Some(closed) = self.open.pop() {
            self.changes.drain(closed.changes_before..).rev().for_each(undo);
            self.hidden = closed.hidden_before;
            self.used.close(level);
        }
    }

    /// Notes how to take back a change made by the innermost scope.
    pub(crate) fn changed(&mut self, undo: U) {
        self.changes.push(undo);
    }

    /// Notes that an object is bound, or begins to mean something else than it meant; whether it hides a binding that
    /// there was.
    pub(crate) fn bound(&mut self, object: ObjectView<'_>, hides: bool) {
        if hides || self.assumed_unbound.contains_key(&object.address()) {
            self.count = self.count.wrapping_add(1);
            self.hidden = self.count;
        }
    }

    /// Notes that an object is bound in the innermost scope for the only reason that no scope around it does.
    pub(crate) fn assume_unbound(&mut self, object: ObjectView<'_>) {
        self.assumed_unbound.insert(object.address(), ());
        // The result depends on all scopes further out.
        self.used.add(LevelSet::below(self.depth()));
    }
}
