//! The functions of a program: read, replaced and dropped.

use object_core::prelude::*;
use object_core::reduce::Reducer;
use object_ir::ir::{Function, GlobalVar, IRModule, RelaxExpr};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::all_global_vars;
use crate::analysis::walk::view;
use crate::arith::Analyzer;
use crate::derivation::signature;
use crate::reduce::cut::{bindings_of, cut};
use crate::transform::{with_functions, without_functions};

/// The functions of Relax in a program: the ones of a module, or the program itself.
pub(super) fn functions_of(root: &Any) -> Vec<(Option<GlobalVar>, Function)> {
    let Ok(module) = root.clone().cast::<IRModule>() else {
        return root.clone().cast::<Function>().map(|function| (None, function)).into_iter().collect();
    };
    let functions = module.functions.iter();
    functions.filter_map(|(var, it)| Some((Some(var), it.downcast_ref::<Function>()?.clone()))).collect()
}

/// The program with another function in place of the one that a global variable names.
pub(super) fn with_function(root: &Any, var: Option<&GlobalVar>, function: Function) -> Option<Any> {
    let Some(var) = var else {
        let info = signature(&function.clone().into(), &Analyzer::for_shapes()).ok()?;
        return Some(function.with_changes(|node| node.base.base.struct_info = info).into());
    };
    let module: IRModule = root.clone().cast().ok()?;
    Some(with_functions(&module, &FxHashMap::from_iter([(view(var).address(), function)])).ok()?.into())
}

/// Drops functions of a module, with the bindings of other functions that mention them.
pub(super) fn functions(reducer: &mut Reducer<'_>) -> Result<bool, Error> {
    let Ok(module) = reducer.value().clone().cast::<IRModule>() else { return Ok(false) };
    let vars: Vec<GlobalVar> = module.functions.iter().map(|(var, _)| var).collect();
    reducer.remove_parts(vars.len(), |is_removed| {
        let removed = vars.iter().zip(is_removed).filter(|(_, is_removed)| **is_removed);
        let removed: FxHashSet<usize> = removed.map(|(var, _)| view(var).address()).collect();
        without(&module, &removed)
    })
}

/// The module without the functions at these addresses of global variables.
fn without(module: &IRModule, removed: &FxHashSet<usize>) -> Option<Any> {
    let module = without_functions(module, |var| removed.contains(&view(var).address()));
    let mut changed = FxHashMap::default();
    for (var, function) in &module.functions {
        let Some(function) = function.downcast_ref::<Function>() else { continue };
        let is_cut = |value: &RelaxExpr| all_global_vars(value).iter().any(|it| removed.contains(&view(it).address()));
        let bindings = bindings_of(function).into_iter().filter(|binding| is_cut(&binding.value));
        let cut_vars: FxHashSet<usize> = bindings.map(|binding| view(&binding.var).address()).collect();
        if !cut_vars.is_empty() {
            changed.insert(view(var).address(), cut(function, &cut_vars)?);
        }
    }
    Some(with_functions(&module, &changed).ok()?.into())
}
