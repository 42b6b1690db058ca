//! The functions of a module: found by name, and replaced.

use object_core::prelude::*;
use object_ir::ir::{BaseFunc, Function, GlobalVar, IRModule};
use rustc_hash::FxHashMap;

use crate::analysis::CallGraph;
use crate::analysis::walk::view;
use crate::arith::Analyzer;
use crate::derivation::{signature, with_signatures};

/// The function with a name.
///
/// # Errors
/// [`UnknownFunction`](ErrorKind::UnknownFunction) if the module has none.
pub(super) fn function_named(module: &IRModule, name: &str) -> Result<(GlobalVar, BaseFunc), Error> {
    module.functions.iter().find(|(var, _)| var.name_hint.as_str() == name).ok_or_else(|| {
        let names: Vec<String> = module.functions.iter().map(|(var, _)| var.name_hint.to_string()).collect();
        let message = format!("the module has no function `{name}`; its functions are {}", names.join(", "));
        Error::new(ErrorKind::UnknownFunction, message)
    })
}

/// The module with other functions, by the addresses of their global variables. The functions and global variables get the
/// structural information of their parameters and results.
///
/// # Errors
/// [`MissingField`](ErrorKind::MissingField) for a parameter without an annotation.
pub(crate) fn with_functions(module: &IRModule, changed: &FxHashMap<usize, Function>) -> Result<IRModule, Error> {
    if changed.is_empty() {
        return Ok(module.clone());
    }
    let analyzer = Analyzer::for_shapes();
    let mut functions: Vec<(GlobalVar, BaseFunc)> = Vec::with_capacity(module.functions.len());
    for (var, old) in &module.functions {
        let Some(new) = changed.get(&view(var).address()) else {
            functions.push((var.clone(), old.clone()));
            continue;
        };
        let info = signature(&new.into(), &analyzer)
            .map_err(|error| error.context(format!("function `{}`", var.name_hint)))?;
        functions.push((var.clone(), new.clone().with_changes(|node| node.struct_info = info).into()));
    }
    let module = module.clone().with_changes(|node| node.functions = Map::new(functions));
    with_signatures(&module, &analyzer, false)
}

/// Refuses a function whose parameters change and that functions of the module use.
///
/// # Errors
/// [`BadReference`](ErrorKind::BadReference) with the name of a function that uses it.
pub(super) fn refuse_callers(module: &IRModule, var: &GlobalVar) -> Result<(), Error> {
    let callers = CallGraph::of(module).callers(var);
    let Some(caller) = callers.first() else { return Ok(()) };
    let message = format!(
        "expected a function that no function of the module uses, got `{}`, which `{}` uses and calls with other parameters",
        var.name_hint, caller.name_hint
    );
    Err(Error::new(ErrorKind::BadReference, message))
}

/// The module without the functions whose global variables `is_removed` accepts. A name without a function stays.
pub(crate) fn without_functions(module: &IRModule, is_removed: impl Fn(&GlobalVar) -> bool) -> IRModule {
    let functions: Vec<(GlobalVar, BaseFunc)> = module.functions.iter().filter(|(var, _)| !is_removed(var)).collect();
    if functions.len() == module.functions.len() {
        return module.clone();
    }
    let has_function = |var: &GlobalVar| module.functions.contains_key(var);
    let names = module.global_var_map.iter().filter(|(_, var)| !(is_removed(var) && has_function(var)));
    let names: Vec<(Str, GlobalVar)> = names.collect();
    module.clone().with_changes(|node| {
        node.functions = Map::new(functions);
        node.global_var_map = Map::new(names);
    })
}

/// The module with further functions of Relax.
///
/// # Errors
/// [`MissingField`](ErrorKind::MissingField) for a parameter without an annotation.
pub(super) fn with_new_functions(module: &IRModule, new: Vec<(GlobalVar, Function)>) -> Result<IRModule, Error> {
    let functions = new.iter().map(|(var, function)| (var.clone(), function.into()));
    let functions: Vec<(GlobalVar, BaseFunc)> = module.functions.iter().chain(functions).collect();
    let names = new.iter().map(|(var, _)| (var.name_hint.clone(), var.clone()));
    let names: Vec<(Str, GlobalVar)> = module.global_var_map.iter().chain(names).collect();
    let module = module.clone().with_changes(|node| {
        node.functions = Map::new(functions);
        node.global_var_map = Map::new(names);
    });
    with_functions(&module, &new.into_iter().map(|(var, function)| (view(&var).address(), function)).collect())
}
