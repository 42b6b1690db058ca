//! [`with_copied_vars`]: programs with variables of their own.

use object_core::FieldType;
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
use object_core::visit::{bound_vars, free_vars};
use object_ir::ir::Id;
use object_ir::tir;
use rustc_hash::FxHashSet;

use crate::analysis::walk::view;

/// The program with a copy of each variable that it binds, with the same name, so that it can stand beside the original.
pub(super) fn with_copied_vars<T: FieldType + ObjectHandle>(program: T) -> Result<T, Error> {
    let mut bound: FxHashSet<usize> = bound_vars(&program).iter().map(|var| view(var).address()).collect();
    // The annotation of a variable that stays mentions shape variables in places that bind them elsewhere.
    free_vars(&program).iter().for_each(|var| _ = bound.remove(&view(var).address()));
    let is_bound = |address: usize| bound.contains(&address);
    Mutate::new()
        .enter(|id: &Id, _| match is_bound(view(id).address()) {
            true => Mutation::Replace(Id::new(id.name_hint.clone()).into()),
            false => Mutation::Keep,
        })
        .enter(|dim: &tir::Var, _| match is_bound(view(dim).address()) {
            true => Mutation::Replace(dim.clone().with_changes(|_| ()).into()),
            false => Mutation::Keep,
        })
        .run(program)
}
