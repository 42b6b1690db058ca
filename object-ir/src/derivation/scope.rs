//! [`Scope`]: the variables that are visible at a place, while a derivation goes through a program.

use rustc_hash::FxHashMap;

use crate::ir::expr::{PrimExpr, RelaxExpr};
use crate::ir::var::{Id, Var};
use crate::recursive_rule::ById;
use crate::struct_info::Meaning;
use crate::tir::expr::Var as ShapeVar;

/// The visible variables. Variables of Relax have their structural information.
#[derive(Debug, Default)]
pub(super) struct Scope {
    vars: FxHashMap<ById<Id>, Var>,
    /// The values that variables are bound to.
    values: FxHashMap<ById<Id>, RelaxExpr>,
    shape_vars: FxHashMap<ById<ShapeVar>, ()>,
    /// The variables in the order in which they became visible.
    order: Vec<Entry>,
}

#[derive(Debug)]
enum Entry {
    Var(ById<Id>),
    ShapeVar(ById<ShapeVar>),
}

/// The number of variables that were visible.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark(usize);

impl Scope {
    /// The present variables, for [`end`](Self::end).
    pub(super) fn mark(&self) -> Mark {
        Mark(self.order.len())
    }

    /// Removes the variables that became visible after `mark`.
    pub(super) fn end(&mut self, mark: Mark) {
        for entry in self.order.drain(mark.0..) {
            match entry {
                Entry::Var(id) => {
                    self.vars.remove(&id);
                    self.values.remove(&id);
                }
                Entry::ShapeVar(var) => drop(self.shape_vars.remove(&var)),
            }
        }
    }

    /// Makes a variable visible.
    pub(super) fn add(&mut self, var: &Var) {
        let id = ById(var.vid.clone());
        if self.vars.insert(id.clone(), var.clone()).is_none() {
            self.order.push(Entry::Var(id));
        }
    }

    /// Makes a variable visible that is bound to a value.
    pub(super) fn bind(&mut self, var: &Var, value: &RelaxExpr) {
        self.add(var);
        self.values.insert(ById(var.vid.clone()), value.clone());
    }

    /// The value that a visible variable is bound to.
    pub(super) fn value(&self, var: &Var) -> Option<RelaxExpr> {
        self.values.get(&ById(var.vid.clone())).cloned()
    }

    /// Removes a variable before the end of its scope.
    pub(super) fn remove(&mut self, var: &Var) {
        let id = ById(var.vid.clone());
        self.vars.remove(&id);
        self.values.remove(&id);
    }

    /// Makes a shape variable visible.
    pub(super) fn add_shape_var(&mut self, var: &ShapeVar) {
        let var = ById(var.clone());
        if self.shape_vars.insert(var.clone(), ()).is_none() {
            self.order.push(Entry::ShapeVar(var));
        }
    }

    /// The visible variable with the identity of `var`, with its structural information.
    pub(super) fn get(&self, var: &Var) -> Option<&Var> {
        self.vars.get(&ById(var.vid.clone()))
    }
}

impl Meaning for Scope {
    fn shape_var(&self, var: &ShapeVar) -> Option<PrimExpr> {
        self.shape_vars.contains_key(&ById(var.clone())).then(|| var.into())
    }

    fn var(&self, var: &Var) -> Option<RelaxExpr> {
        self.get(var).map(|_| var.into())
    }

    fn is_in_values(&self, _: &ShapeVar) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use object_core::ObjectHandle;

    use super::*;

    #[test]
    fn a_scope_ends_with_its_variables() {
        let (x, y, n) = (Var::named("x"), Var::named("y"), ShapeVar::dim("n"));
        let mut scope = Scope::default();
        scope.add(&x);
        let mark = scope.mark();
        scope.add(&x);
        scope.add(&y);
        scope.add_shape_var(&n);
        assert!(scope.get(&y).is_some_and(|it| it.ptr_eq(&y)) && scope.shape_var(&n).is_some());
        scope.end(mark);
        assert!(scope.get(&x).is_some() && scope.get(&y).is_none() && scope.shape_var(&n).is_none());
    }
}
