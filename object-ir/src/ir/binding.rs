//! Bindings: the definition of one variable.

use object_core::object::HookValue;
use object_core::prelude::*;

use crate::ir::expr::{RelaxExpr, StructInfo};
use crate::ir::function::Function;
use crate::ir::hooks::BindingValues;
use crate::ir::seq::BindingNode;
use crate::ir::var::Var;

/// Binds a variable to the value of an expression. A variable bound to a function is visible in the function, so
/// that local functions can recurse.
///
/// TVM 0.25 `relax.expr.VarBinding`; spec: `VarBinding`.
#[derive(Object)]
#[object(type_key = "relax.expr.VarBinding", files = tvm, parent = BindingNode, base_args(var: Var))]
#[structural_eq(tree, custom)]
pub struct VarBindingNode {
    /// The [`BindingNode`] part.
    pub base: BindingNode,
    /// The expression.
    pub value: RelaxExpr,
}

impl VarBindingNode {
    #[inline]
    fn values(&self) -> BindingValues<'_> {
        BindingValues {
            var: HookValue::field("var", &self.base.var),
            value: HookValue::field("value", &self.value),
            is_recursive: self.value.is::<Function>(),
        }
    }
}

impl StructuralHook for VarBindingNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        self.values().list(contents);
    }

    fn structural_pairs<'a>(&'a self, other: &'a Self, pairs: &mut HookPairs<'a>) {
        self.values().pair(other.values(), pairs);
    }
}

/// Binds a variable to a value after a check, at run time, that the value matches; the match binds shape variables that
/// are the whole expression of a dimension.
///
/// TVM 0.25 `relax.expr.MatchCast`; spec: `MatchCast`.
#[derive(Object)]
#[object(type_key = "relax.expr.MatchCast", files = tvm, parent = BindingNode, base_args(var: Var))]
#[structural_eq(tree)]
pub struct MatchCastNode {
    /// The [`BindingNode`] part.
    pub base: BindingNode,
    /// The expression.
    #[field(outer)]
    pub value: RelaxExpr,
    /// The structural information that the value must match.
    #[field(def)]
    pub struct_info: StructInfo,
}
