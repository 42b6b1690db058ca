//! [`remove_unused_functions`]: modules without functions that nothing can call, and [`eliminate_dead_code`].

use object_core::prelude::*;
use object_ir::ir::{BaseFunc, ExternFunc, GlobalVar, IRModule};
use rustc_hash::FxHashSet;

use crate::analysis::CallGraph;
use crate::analysis::walk::view;
use crate::transform::module_functions::{function_named, without_functions};
use crate::transform::remove_unused::remove_all_unused;

/// The name by which programs outside of the module call a function.
pub(super) fn global_symbol(function: &BaseFunc) -> Option<Str> {
    function.attrs.dict.get("global_symbol")?.cast().ok()
}

/// Whether programs outside of the module can call a function.
pub(super) fn is_visible(function: &BaseFunc) -> bool {
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
        roots.push(function_named(module, name)?.0);
    }
    let reachable: FxHashSet<usize> =
        CallGraph::of(module).reachable(&roots).iter().map(|var| view(var).address()).collect();
    Ok(without_functions(module, |var| !reachable.contains(&view(var).address())))
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
