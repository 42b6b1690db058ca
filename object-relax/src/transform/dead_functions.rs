//! [`remove_unused_functions`]: modules without functions that nothing can call, and [`eliminate_dead_code`].

use object_core::prelude::*;
use object_ir::ir::{BaseFunc, ExternFunc, GlobalVar, IRModule};
use rustc_hash::FxHashSet;

use crate::analysis::CallGraph;
use crate::analysis::walk::view;
use crate::transform::remove_unused::remove_all_unused;

/// The name by which programs outside of the module call a function.
pub(super) fn global_symbol(function: &BaseFunc) -> Option<Str> {
    function.attrs.dict.get("global_symbol")?.cast().ok()
}

/// Whether programs outside of the module can call a function.
fn is_visible(function: &BaseFunc) -> bool {
    function.is::<ExternFunc>() || function.attrs.dict.contains_key("global_symbol")
}

/// The module without the functions that no entry leads to. Entries are the functions with a `global_symbol`, external
/// functions, and the functions named in `entries`. Functions of all languages count.
///
/// # Errors
/// [`UnknownFunction`](ErrorKind::UnknownFunction) if the module has no function of a given name.
///
/// ```
/// use object_core::prelude::*;
/// use object_ir::ir::IRModule;
/// use object_relax::transform::remove_unused_functions;
///
/// /// The functions that `name` needs.
/// fn needed_by(module: &IRModule, name: &str) -> Result<usize, Error> {
///     Ok(remove_unused_functions(module, &[name])?.functions.len())
/// }
/// ```
pub fn remove_unused_functions(module: &IRModule, entries: &[&str]) -> Result<IRModule, Error> {
    let visible = module.functions.iter().filter(|(_, function)| is_visible(function)).map(|(var, _)| var);
    let mut roots: Vec<GlobalVar> = visible.collect();
    for name in entries {
        let found = module.functions.iter().find(|(var, _)| var.name_hint.as_str() == *name);
        let (var, _) = found.ok_or_else(|| {
            let names: Vec<String> = module.functions.iter().map(|(var, _)| var.name_hint.to_string()).collect();
            let message = format!("the module has no function `{name}`; its functions are {}", names.join(", "));
            Error::new(ErrorKind::UnknownFunction, message)
        })?;
        roots.push(var);
    }
    let reachable: FxHashSet<usize> =
        CallGraph::of(module).reachable(&roots).iter().map(|var| view(var).address()).collect();
    if reachable.len() == module.functions.len() {
        return Ok(module.clone());
    }
    let is_kept = |var: &GlobalVar| reachable.contains(&view(var).address());
    let mut module = module.clone();
    let functions: Vec<(GlobalVar, BaseFunc)> = module.functions.iter().filter(|(var, _)| is_kept(var)).collect();
    // A name without a function stays, because removing it is not the job of this transform.
    let removed: FxHashSet<usize> =
        module.functions.iter().map(|(var, _)| view(&var).address()).filter(|it| !reachable.contains(it)).collect();
    let names: Vec<(Str, GlobalVar)> =
        module.global_var_map.iter().filter(|(_, var)| !removed.contains(&view(var).address())).collect();
    let node = module.make_mut();
    node.functions = Map::new(functions);
    node.global_var_map = Map::new(names);
    Ok(module)
}

/// [`remove_unused_functions`] and [`remove_all_unused`], so that the functions go too that only unused bindings call.
/// (TVM 0.25 `relax.transform.DeadCodeElimination`)
///
/// # Errors
/// As the two transforms.
pub fn eliminate_dead_code(module: &IRModule, entries: &[&str]) -> Result<IRModule, Error> {
    let module = remove_all_unused(&remove_unused_functions(module, entries)?)?;
    remove_unused_functions(&module, entries)
}
