//! Functions that the compiler finds by name.

use object_core::Function;
use object_core::prelude::*;

/// A function of the global registry, referred to by name. JSON holds the name alone.
///
/// TVM 0.25 `ir.EnvFunc`.
#[derive(Object)]
#[object(type_key = "ir.EnvFunc", json = name)]
#[structural_eq(tree)]
pub struct EnvFuncNode {
    /// The name in the registry.
    pub name: Str,
    /// The function itself, where the registry has it.
    #[field(ignore, default)]
    pub func: Option<Function>,
}
