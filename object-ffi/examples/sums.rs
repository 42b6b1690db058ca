//! Sums, as a library for Python.

#![allow(clippy::needless_pass_by_value, reason = "functions of the registry own their arguments")]

use object_core::prelude::*;
use object_core::{Function, register_function};

/// Any expression.
#[derive(Object)]
#[object(type_key = "sums.Expr", base)]
pub struct ExprNode {}

/// A variable.
#[derive(Object)]
#[object(type_key = "sums.Var", parent = ExprNode)]
#[structural_eq(var)]
pub struct VarNode {
    /// The fields of every expression.
    pub base: ExprNode,
    /// The name, which comparisons ignore.
    #[field(ignore)]
    pub name: Str,
}

/// A sum.
#[derive(Object)]
#[object(type_key = "sums.Add", parent = ExprNode)]
#[structural_eq(tree)]
pub struct AddNode {
    /// The fields of every expression.
    pub base: ExprNode,
    /// The first summand.
    pub lhs: Expr,
    /// The second summand.
    pub rhs: Expr,
    /// Whether the sum may wrap around.
    #[field(default = false)]
    pub wraps: bool,
}

#[object_methods]
impl Add {
    /// The sum with exchanged summands.
    pub fn swapped(&self) -> Add {
        Add::new(self.rhs.clone(), self.lhs.clone())
    }
}

/// Replaces each side of the sum by the result of `with`.
fn replace(sum: Add, with: Function) -> Result<Add, Error> {
    let side = |expr: &Expr| with.call(&[AnyView::Object(expr.as_object().view())])?.cast::<Expr>();
    Ok(Add::new(side(&sum.lhs)?, side(&sum.rhs)?))
}

register_function!(
    /// Replaces each side of a sum by the result of a function.
    "sums.replace"(sum, with) = replace
);

object_ffi::export!();
