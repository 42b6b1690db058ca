//! [`Scope`]: the variables that are visible at a place, while a derivation goes through a program.

use object_core::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::binding::{MatchCast, VarBinding};
use crate::ir::expr::{PrimExpr, RelaxExpr};
use crate::ir::var::{DataflowVar, Var};
use crate::struct_info::Meaning;
use crate::tir::expr::Var as ShapeVar;

/// The visible variables, by the addresses of their identities. The program keeps the objects at these addresses.
#[derive(Debug, Default)]
pub(super) struct Scope<'e> {
    /// The variables around the program.
    outer: Option<&'e Scope<'e>>,
    vars: FxHashMap<usize, Visible<'e>>,
    shape_vars: FxHashSet<usize>,
    /// The variables in the order in which they became visible.
    order: Vec<Entry>,
}

/// A visible variable, with its structural information.
#[derive(Debug)]
enum Visible<'e> {
    /// A variable as the program states it.
    Given(&'e Var),
    /// The variable of a derived binding.
    Bound(VarBinding),
    /// A variable that the scope keeps, with the value that it is bound to.
    Kept(Var, Option<RelaxExpr>),
}

impl Visible<'_> {
    fn var(&self) -> &Var {
        match self {
            Visible::Given(var) => var,
            Visible::Bound(binding) => &binding.var,
            Visible::Kept(var, _) => var,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Entry {
    Var(usize),
    ShapeVar(usize),
}

/// The number of variables that were visible.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark(usize);

fn address(handle: &impl ObjectHandle) -> usize {
    handle.as_object().view().address()
}

impl<'e> Scope<'e> {
    /// A scope in which the variables of `outer` are visible too.
    pub(super) fn inside(outer: &'e Scope<'e>) -> Self {
        Scope { outer: Some(outer), ..Scope::default() }
    }

    /// The present variables, for [`end`](Self::end).
    pub(super) fn mark(&self) -> Mark {
        Mark(self.order.len())
    }

    /// Removes the variables that became visible after `mark`.
    pub(super) fn end(&mut self, mark: Mark) {
        for entry in self.order.drain(mark.0..) {
            match entry {
                Entry::Var(id) => drop(self.vars.remove(&id)),
                Entry::ShapeVar(var) => drop(self.shape_vars.remove(&var)),
            }
        }
    }

    /// Removes the variables that became visible after `mark` and are visible in their block only.
    pub(super) fn end_block(&mut self, mark: Mark) {
        let (vars, mut kept) = (&mut self.vars, mark.0);
        for place in mark.0..self.order.len() {
            let entry = self.order[place];
            if let Entry::Var(id) = entry
                && vars.get(&id).is_some_and(|it| it.var().is::<DataflowVar>())
            {
                vars.remove(&id);
            } else {
                self.order[kept] = entry;
                kept += 1;
            }
        }
        self.order.truncate(kept);
    }

    /// Makes room for `count` more variables.
    pub(super) fn reserve(&mut self, count: usize) {
        self.vars.reserve(count);
        self.order.reserve(count);
    }

    fn insert(&mut self, id: usize, visible: Visible<'e>) {
        if self.vars.insert(id, visible).is_none() {
            self.order.push(Entry::Var(id));
        }
    }

    /// Makes a variable of the program visible.
    pub(super) fn add(&mut self, var: &'e Var) {
        self.insert(address(&var.vid), Visible::Given(var));
    }

    /// Makes the variable of a derived binding visible.
    pub(super) fn bind(&mut self, binding: &VarBinding) {
        self.insert(address(&binding.var.vid), Visible::Bound(binding.clone()));
    }

    /// Makes the variable of a derived cast visible.
    pub(super) fn bind_cast(&mut self, cast: &MatchCast) {
        self.insert(address(&cast.var.vid), Visible::Kept(cast.var.clone(), None));
    }

    /// Makes a variable visible that the scope keeps, with the value that it is bound to.
    pub(super) fn keep(&mut self, var: &Var, value: Option<RelaxExpr>) {
        self.insert(address(&var.vid), Visible::Kept(var.clone(), value));
    }

    /// Removes a variable before the end of its scope.
    pub(super) fn remove(&mut self, var: &Var) {
        self.vars.remove(&address(&var.vid));
    }

    /// The entry of a variable, here or around the program.
    fn visible(&self, var: &Var) -> Option<&Visible<'e>> {
        let around = || self.outer.and_then(|outer| outer.visible(var));
        self.vars.get(&address(&var.vid)).or_else(around)
    }

    /// The value that a visible variable is bound to.
    pub(super) fn value(&self, var: &Var) -> Option<RelaxExpr> {
        match self.visible(var)? {
            Visible::Bound(binding) => Some(binding.value.clone()),
            Visible::Kept(_, value) => value.clone(),
            Visible::Given(_) => None,
        }
    }

    /// Makes a shape variable visible. The program or the caller keeps it.
    pub(super) fn add_shape_var(&mut self, var: &ShapeVar) {
        if self.shape_vars.insert(address(var)) {
            self.order.push(Entry::ShapeVar(address(var)));
        }
    }

    /// The visible variable with the identity of `var`, with its structural information.
    pub(super) fn get(&self, var: &Var) -> Option<&Var> {
        self.visible(var).map(Visible::var)
    }
}

impl Meaning for Scope<'_> {
    fn shape_var(&self, var: &ShapeVar) -> Option<PrimExpr> {
        let around = || self.outer.and_then(|outer| outer.shape_var(var));
        if self.shape_vars.contains(&address(var)) { Some(var.into()) } else { around() }
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
