//! The bindings, results and parameters of functions.

use object_core::prelude::*;
use object_core::reduce::Reducer;
use object_ir::ir::{DictAttrs, Function, Var};
use rustc_hash::FxHashSet;

use crate::analysis::used_vars;
use crate::analysis::walk::view;
use crate::reduce::cut::{bindings_of, cut, members, with_result};
use crate::reduce::module_parts::{functions_of, with_function};

/// Drops bindings.
pub(super) fn bindings(reducer: &mut Reducer<'_>) -> Result<bool, Error> {
    parts(reducer, |function| {
        let vars: Vec<Var> = bindings_of(function).into_iter().map(|binding| binding.var).collect();
        let function = function.clone();
        (vars.len(), move |is_removed: &[bool]| {
            let removed = vars.iter().zip(is_removed).filter(|(_, is_removed)| **is_removed);
            let removed: FxHashSet<usize> = removed.map(|(var, _)| view(var).address()).collect();
            cut(&function, &removed)
        })
    })
}

/// Drops members of a tuple that is the result, except one.
pub(super) fn outputs(reducer: &mut Reducer<'_>) -> Result<bool, Error> {
    parts(reducer, |function| {
        let results = members(&function.body.body);
        let function = function.clone();
        let count = if results.len() > 1 { results.len() } else { 0 };
        (count, move |is_removed: &[bool]| {
            let kept = kept(&results, is_removed);
            if kept.is_empty() { None } else { with_result(&function, kept) }
        })
    })
}

/// Drops parameters that nothing uses.
pub(super) fn parameters(reducer: &mut Reducer<'_>) -> Result<bool, Error> {
    parts(reducer, |function| {
        let used = used_vars(&(&function.body).into());
        let used: FxHashSet<usize> = used.iter().map(|var| view(var).address()).collect();
        let params: Vec<Var> = function.params.iter().collect();
        let unused: Vec<usize> = (0..params.len()).filter(|at| !used.contains(&view(&params[*at]).address())).collect();
        let function = function.clone();
        (unused.len(), move |is_removed: &[bool]| {
            let mut is_gone = vec![false; params.len()];
            unused.iter().zip(is_removed).for_each(|(at, is_removed)| is_gone[*at] = *is_removed);
            let kept = kept(&params, &is_gone);
            Some(function.clone().with_changes(|node| node.params = kept.into()))
        })
    })
}

/// Drops attributes, except the name by which programs outside of the module call the function.
pub(super) fn attributes(reducer: &mut Reducer<'_>) -> Result<bool, Error> {
    parts(reducer, |function| {
        let (symbol, entries) = function.attrs.dict.iter().partition::<Vec<_>, _>(|(name, _)| *name == "global_symbol");
        let function = function.clone();
        (entries.len(), move |is_removed: &[bool]| {
            let rest = symbol.iter().cloned().chain(kept(&entries, is_removed));
            let dict = Map::new(rest.collect::<Vec<(Str, Any)>>());
            Some(function.clone().with_changes(|node| node.base.attrs = DictAttrs::new(dict)))
        })
    })
}

/// The items whose flag is not set.
fn kept<T: Clone>(items: &[T], is_removed: &[bool]) -> Vec<T> {
    items.iter().zip(is_removed).filter(|(_, is_removed)| !**is_removed).map(|(item, _)| item.clone()).collect()
}

/// Drops parts of each function. `of` says how many a function has, and makes the function without some of them.
fn parts<W: Fn(&[bool]) -> Option<Function>>(
    reducer: &mut Reducer<'_>,
    of: impl Fn(&Function) -> (usize, W),
) -> Result<bool, Error> {
    let mut is_smaller = false;
    for number in 0..functions_of(reducer.value()).len() {
        let root = reducer.value().clone();
        // The functions keep their order.
        let Some((var, function)) = functions_of(&root).into_iter().nth(number) else { continue };
        let (count, without) = of(&function);
        is_smaller |=
            reducer.remove_parts(count, |is_removed| with_function(&root, var.as_ref(), without(is_removed)?))?;
    }
    Ok(is_smaller)
}
