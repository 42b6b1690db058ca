//! Bindings: one variable gets one value.

use object_core::prelude::*;

use crate::ir::expr::RelaxExpr;
use crate::ir::expr::StructInfo;
use crate::ir::function::Function;
use crate::ir::seq::BindingNode;
use crate::ir::var::Var;

/// Binds a variable to the value of an expression. A variable bound to a function is visible inside of it, so that
/// local functions can recurse.
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

/// The value comes first, so that the variable is unknown in it, unless it is a function, which may call itself.
impl StructuralHook for VarBindingNode {
    fn structural_equal<'a>(&'a self, other: &'a Self, children: &mut EqualChildren<'a>) {
        if self.is_recursive() {
            children.require("var", &self.base.var, &other.base.var, Region::Def);
            children.require("value", &self.value, &other.value, Region::Inherit);
        } else {
            children.require("value", &self.value, &other.value, Region::Inherit);
            children.require("var", &self.base.var, &other.base.var, Region::Def);
        }
    }

    fn structural_hash<'a>(&'a self, children: &mut HashChildren<'a>) {
        if self.is_recursive() {
            children.add_in(&self.base.var, Region::Def);
            children.add(&self.value);
        } else {
            children.add(&self.value);
            children.add_in(&self.base.var, Region::Def);
        }
    }
}

/// Binds a variable to a value after a check, at run time, that the value fits; shape variables alone in a
/// dimension get their values by the match.
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
    /// What the value must fit.
    #[field(def)]
    pub struct_info: StructInfo,
}
