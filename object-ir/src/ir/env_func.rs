//! References to functions of the global registry.

use object_core::Function;
use object_core::prelude::*;

/// A reference to a function of the global registry by name. JSON has only the name.
///
/// TVM 0.25 `ir.EnvFunc`.
#[derive(Object)]
#[object(type_key = "ir.EnvFunc", files = tvm, json = name)]
#[structural_eq(tree)]
pub struct EnvFuncNode {
    /// The name in the registry.
    pub name: Str,
    /// The function, if the registry has one of this name.
    #[field(ignore, default)]
    pub func: Option<Function>,
}
