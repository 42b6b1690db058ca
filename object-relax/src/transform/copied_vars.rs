//! [`with_copied_vars`]: programs with variables of their own.

use object_core::FieldType;
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
use object_ir::ir::{Id, RelaxExpr};
use object_ir::tir;
use rustc_hash::FxHashSet;

use crate::analysis::walk::view;
use crate::analysis::{bound_vars, defined_shape_vars, free_shape_vars};

/// The expression with a copy of each variable that it binds, with the same name, so that it can stand beside the original.
pub(super) fn with_copied_vars<T: FieldType + Into<RelaxExpr> + Clone>(expr: T) -> Result<T, Error> {
    let program: RelaxExpr = expr.clone().into();
    let ids: FxHashSet<usize> = bound_vars(&program).iter().map(|var| view(&var.vid).address()).collect();
    let mut dims: FxHashSet<usize> = defined_shape_vars(&program).iter().map(|dim| view(dim).address()).collect();
    free_shape_vars(&program).iter().for_each(|dim| _ = dims.remove(&view(dim).address()));
    Mutate::new()
        .enter(|id: &Id, _| match ids.contains(&view(id).address()) {
            true => Mutation::Replace(Id::new(id.name_hint.clone()).into()),
            false => Mutation::Keep,
        })
        .enter(|dim: &tir::Var, _| match dims.contains(&view(dim).address()) {
            true => Mutation::Replace(dim.clone().with_changes(|_| ()).into()),
            false => Mutation::Keep,
        })
        .run(expr)
}
