//! [`Holes`]: the holes of a pattern.

use crate::object::ObjectRef;
use crate::rewrite::substitution_plan::var_of;
use crate::table::{AddressSet, AddressTable};
use crate::visit::ScopeTypes;

/// The holes of a pattern, and where the bindings of its language end.
#[derive(Clone, Debug, Default)]
pub(super) struct Holes {
    /// The holes in the order in which they were made.
    pub(super) vars: Vec<ObjectRef>,
    /// The number of each hole, by its address.
    pub(super) numbers: AddressTable<usize>,
    pub(super) scopes: ScopeTypes,
    /// The variables that stand for themselves, by address.
    pub(super) constants: AddressSet,
}

impl Holes {
    /// Adds a hole.
    pub(super) fn push(&mut self, var: &ObjectRef) {
        let next = self.vars.len();
        if *self.numbers.entry(var.view().address()).or_insert(next) == next {
            self.vars.push(var.clone());
        }
    }

    /// The first of these free variables that is neither a hole nor a constant.
    pub(super) fn unknown_var(&self, free: Vec<ObjectRef>) -> Option<ObjectRef> {
        let holes: AddressSet = self.vars.iter().filter_map(|hole| var_of(hole.view()).ok()).collect();
        let is_known = |address: &usize| holes.contains(address) || self.constants.contains(address);
        free.into_iter().find(|var| !is_known(&var.view().address()))
    }
}
