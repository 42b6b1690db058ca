//! [`Holes`]: the holes of a pattern.

use crate::object::ObjectRef;
use crate::table::AddressTable;
use crate::visit::ScopeTypes;

/// The holes of a pattern, and where the bindings of its language end.
#[derive(Clone, Debug, Default)]
pub(super) struct Holes {
    /// The holes in the order in which they were made.
    pub(super) vars: Vec<ObjectRef>,
    /// The number of each hole, by its address.
    pub(super) numbers: AddressTable<usize>,
    pub(super) scopes: ScopeTypes,
}

impl Holes {
    /// Adds a hole.
    pub(super) fn push(&mut self, var: &ObjectRef) {
        let next = self.vars.len();
        if *self.numbers.entry(var.view().address()).or_insert(next) == next {
            self.vars.push(var.clone());
        }
    }
}
