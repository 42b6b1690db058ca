//! [`ShapeScopes`]: the shape variables in scope during a walk.

use rustc_hash::FxHashSet;

use crate::analysis::walk::Region;

/// The shape variables in scope. Functions and sequences are scopes; a `MatchCast` binds a variable only if it is not in
/// scope, and checks it otherwise.
#[derive(Default)]
pub(crate) struct ShapeScopes {
    in_scope: FxHashSet<usize>,
    /// The variables in scope, in the order in which they were bound.
    order: Vec<usize>,
    /// The lengths of `order` at the begins of the scopes.
    begins: Vec<usize>,
}

impl ShapeScopes {
    /// A region begins.
    pub(crate) fn begin(&mut self, region: Region) {
        if matches!(region, Region::Function | Region::Sequence) {
            self.begins.push(self.order.len());
        }
    }

    /// A region ends.
    pub(crate) fn end(&mut self, region: Region) {
        if matches!(region, Region::Function | Region::Sequence) {
            let length = self.begins.pop().unwrap_or(0);
            for var in self.order.drain(length..) {
                self.in_scope.remove(&var);
            }
        }
    }

    /// Binds a variable, by address. Returns whether it was not in scope.
    pub(crate) fn define(&mut self, var: usize) -> bool {
        let is_new = self.in_scope.insert(var);
        if is_new {
            self.order.push(var);
        }
        is_new
    }
}
