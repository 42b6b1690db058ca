//! [`bind_symbolic_vars`]: programs for given sizes of symbolic dimensions.

use object_core::prelude::*;
use object_core::table::Set;
use object_ir::ir::{Function, IRModule, IntImm};

use crate::analysis::definable_shape_vars;
use crate::analysis::walk::view;
use crate::transform::known_dims::Known;
use crate::transform::program::Program;

/// The module with the values in `sizes` in place of the shape variables of these names that parameters of functions of
/// Relax bind, and the shapes around them simplified. (TVM 0.25 `relax.transform.BindSymbolicVars`)
///
/// # Errors
/// [`BadReference`](ErrorKind::BadReference) if no parameter binds a variable of a given name.
///
/// ```
/// use object_core::Error;
/// use object_ir::ir::IRModule;
/// use object_relax::transform::bind_symbolic_vars;
///
/// /// The module for batches of 16.
/// fn for_batches(module: &IRModule) -> Result<IRModule, Error> {
///     bind_symbolic_vars(module, &[("batch", 16)])
/// }
/// ```
pub fn bind_symbolic_vars(module: &IRModule, sizes: &[(&str, i64)]) -> Result<IRModule, Error> {
    let mut unused: Set<&str> = sizes.iter().map(|(name, _)| *name).collect();
    let mut known = Known::default();
    let functions = module.functions.iter().filter_map(|(_, function)| function.downcast::<Function>().ok());
    for info in functions.flat_map(|function| function.params.to_vec()).filter_map(|param| param.struct_info.clone()) {
        for dim in definable_shape_vars(&info) {
            if let Some((name, size)) = sizes.iter().find(|(name, _)| *name == dim.name.as_str()) {
                unused.remove(name);
                known.values.insert(view(&dim).address(), IntImm::new(dim.dtype, *size).into());
            }
        }
    }
    if let Some((name, _)) = sizes.iter().find(|(name, _)| unused.contains(name)) {
        let message = format!("no parameter of a function binds a shape variable `{name}`");
        return Err(Error::new(ErrorKind::BadReference, message));
    }
    module.change(&|function| known.apply(function))
}
