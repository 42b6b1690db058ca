//! Bindings: one variable gets one value.

use object_core::prelude::*;

use crate::ir::expr::RelaxExpr;
use crate::ir::function::Function;
use crate::ir::span::Span;
use crate::ir::struct_info::StructInfo;
use crate::ir::var::Var;

/// Base of bindings.
///
/// TVM 0.25 `relax.expr.Binding`; spec: `Binding`.
#[derive(Object)]
#[object(type_key = "relax.expr.Binding", base)]
#[structural_eq(tree)]
pub struct BindingNode {
    /// Where the binding was written.
    #[field(ignore)]
    pub span: Option<Span>,
    /// The variable that is defined here.
    #[field(def)]
    pub var: Var,
}

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
