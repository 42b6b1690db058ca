//! [`Replacements`]: expressions in place of variables, whose bindings go.

use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
use object_ir::ir::{Binding, BindingBlock, RelaxExpr, SeqExpr, StructInfo, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::walk::view;
use crate::transform::blocks;

/// The changes of a program.
#[derive(Default)]
pub(super) struct Replacements {
    /// The expressions in place of variables, by the address of the variable: a variable or a constant.
    pub(super) values: FxHashMap<usize, RelaxExpr>,
    /// The addresses of the variables whose bindings go.
    pub(super) removed: FxHashSet<usize>,
}

impl Replacements {
    /// Removes the binding of a variable, and puts an expression in its place.
    pub(super) fn replace(&mut self, var: &Var, value: RelaxExpr) {
        self.removed.insert(view(var).address());
        self.values.insert(view(var).address(), value);
    }

    /// The end of the chain of replacements that begins with `expr`.
    pub(super) fn resolve(&self, expr: &RelaxExpr) -> RelaxExpr {
        let mut expr = expr.clone();
        while let Some(next) = self.values.get(&view(&expr).address()) {
            expr = next.clone();
        }
        expr
    }

    /// The value of a binding with its variables replaced. Structural information keeps its variables.
    pub(super) fn in_value(&self, value: &RelaxExpr) -> Result<RelaxExpr, Error> {
        Mutate::new()
            .enter(|_: &StructInfo, _| Mutation::Skip)
            .enter(|var: &Var, _| match self.of(var) {
                Mutation::Keep => Mutation::Skip,
                replaced => replaced,
            })
            .run(value.clone())
    }

    fn of(&self, var: &Var) -> Mutation {
        match self.values.get(&view(var).address()) {
            Some(_) => Mutation::Replace(self.resolve(&var.into()).into()),
            None => Mutation::Keep,
        }
    }

    /// The program with the changes.
    pub(super) fn apply(&self, expr: RelaxExpr) -> Result<RelaxExpr, Error> {
        let is_removed = |binding: &Binding| self.removed.contains(&view(&binding.var).address());
        Mutate::new()
            .enter(|block: &BindingBlock, _| blocks::remove(block, is_removed))
            .enter(|var: &Var, _| self.of(var))
            .leave(|sequence: &SeqExpr, _| blocks::tidy(sequence))
            .run(expr)
    }
}
