//! Attributes: named constants of an operator call, a function or a module.

use object_core::prelude::*;

/// Base of attributes; each operator family has its own child type.
///
/// TVM 0.25 `ir.Attrs`.
#[derive(Object)]
#[object(type_key = "ir.Attrs", files = tvm, base)]
#[structural_eq(tree)]
pub struct AttrsNode {}

/// Attributes without a fixed set of names, for functions and modules.
///
/// TVM 0.25 `ir.DictAttrs`.
#[derive(Object)]
#[object(type_key = "ir.DictAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct DictAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The values by name.
    #[field(rename = "__dict__")]
    pub dict: Map<Str, Any>,
}
