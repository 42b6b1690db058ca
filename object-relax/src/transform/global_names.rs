//! [`normalize_global_vars`]: modules whose functions have the names by which others call them.

use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
use object_core::table::Set;
use object_ir::ir::{BaseFunc, GlobalVar, IRModule};
use rustc_hash::FxHashMap;

use crate::analysis::walk::view;
use crate::transform::dead_functions::global_symbol;

/// The module in which the global variable of each function with a `global_symbol` has the name of the symbol. Another function
/// of that name gets the first free name with a number after it. (TVM 0.25 `relax.transform.NormalizeGlobalVar`)
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) if two functions have the same `global_symbol`.
///
/// ```
/// use object_core::prelude::*;
/// use object_ir::ir::IRModule;
/// use object_relax::transform::normalize_global_vars;
///
/// /// Whether the function `name` can be called from outside by this name.
/// fn is_public(module: &IRModule, name: &str) -> Result<bool, Error> {
///     let module = normalize_global_vars(module)?;
///     let function = module.functions.iter().find(|(var, _)| var.name_hint.as_str() == name);
///     Ok(function.is_some_and(|(_, function)| function.attrs.dict.contains_key("global_symbol")))
/// }
/// ```
pub fn normalize_global_vars(module: &IRModule) -> Result<IRModule, Error> {
    let mut taken: Set<String> = Set::default();
    for (_, function) in &module.functions {
        let Some(symbol) = global_symbol(function) else { continue };
        if !taken.insert(symbol.to_string()) {
            let message = format!("two functions of the module have the `global_symbol` `{symbol}`");
            return Err(Error::new(ErrorKind::Malformed, message));
        }
    }
    let mut renamed: FxHashMap<usize, GlobalVar> = FxHashMap::default();
    for (var, function) in &module.functions {
        let name = match global_symbol(function) {
            Some(symbol) => symbol.to_string(),
            None => free_name(&var.name_hint, &mut taken),
        };
        if name != var.name_hint.as_str() {
            let mut other = var.clone();
            other.make_mut().name_hint = name.into();
            renamed.insert(view(var).address(), other);
        }
    }
    if renamed.is_empty() {
        return Ok(module.clone());
    }
    let new = |var: &GlobalVar| renamed.get(&view(var).address()).unwrap_or(var).clone();
    let replaced = |function: &BaseFunc| {
        let replace =
            |var: &GlobalVar| renamed.get(&view(var).address()).map(|new| Mutation::Replace(new.clone().into()));
        Mutate::new().enter(|var: &GlobalVar, _| replace(var).unwrap_or_default()).run(function.clone())
    };
    let functions: Result<Vec<_>, Error> =
        module.functions.iter().map(|(var, function)| Ok((new(&var), replaced(&function)?))).collect();
    let names = module.global_var_map.iter().map(|(_, var)| (new(&var).name_hint.clone(), new(&var)));
    let names: Vec<(Str, GlobalVar)> = names.collect();
    let mut module = module.clone();
    let node = module.make_mut();
    node.functions = Map::new(functions?);
    node.global_var_map = Map::new(names);
    Ok(module)
}

/// `name`, or the first of `name1`, `name2` and so on that no other function has.
fn free_name(name: &str, taken: &mut Set<String>) -> String {
    let numbered = (1..).map(|number: u64| format!("{name}{number}"));
    let free = std::iter::once(name.to_owned()).chain(numbered).find(|it| !taken.contains(it)).unwrap_or_default();
    taken.insert(free.clone());
    free
}
