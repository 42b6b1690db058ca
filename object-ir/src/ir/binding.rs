//! Bindings: the definition of one variable.

use object_core::prelude::*;

use crate::ir::expr::{RelaxExpr, StructInfo};
use crate::ir::function::Function;
use crate::ir::seq::BindingNode;
use crate::ir::var::Var;

/// Binds a variable to the value of an expression. A variable bound to a function is visible in the function, so
/// that local functions can recurse.
///
/// TVM 0.25 `relax.expr.VarBinding`; spec: `VarBinding`.
#[derive(Object)]
#[object(type_key = "relax.expr.VarBinding", parent = BindingNode, base_args(var: Var))]
#[structural_eq(tree, custom)]
pub struct VarBindingNode {
    /// The [`BindingNode`] part.
    pub base: BindingNode,
    /// The expression.
    pub value: RelaxExpr,
}

impl VarBindingNode {
    /// Whether the variable is visible in its own value.
    fn is_recursive(&self) -> bool {
        self.value.is::<Function>()
    }
}

/// The value comes first, so that the variable is not bound in it. A function comes second, because it may call itself.
impl StructuralHook for VarBindingNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        let is_recursive = self.is_recursive();
        if is_recursive {
            contents.add_in("var", &self.base.var, FieldRole::Def);
        }
        contents.add("value", &self.value);
        if !is_recursive {
            contents.add_in("var", &self.base.var, FieldRole::Def);
        }
    }

    // In the order of `self`, so that a function and another expression differ at `value` and not as whole bindings.
    fn structural_pairs<'a>(&'a self, other: &'a Self, pairs: &mut HookPairs<'a>) {
        let is_recursive = self.is_recursive();
        if is_recursive {
            pairs.require("var", &self.base.var, &other.base.var, FieldRole::Def);
        }
        pairs.require("value", &self.value, &other.value, FieldRole::Content);
        if !is_recursive {
            pairs.require("var", &self.base.var, &other.base.var, FieldRole::Def);
        }
    }
}

/// Binds a variable to a value after a check, at run time, that the value matches; the match binds shape variables that
/// are the whole expression of a dimension.
///
/// TVM 0.25 `relax.expr.MatchCast`; spec: `MatchCast`.
#[derive(Object)]
#[object(type_key = "relax.expr.MatchCast", parent = BindingNode, base_args(var: Var))]
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
