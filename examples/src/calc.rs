//! `calc`, the language of the guide: numbers, sums, variables, functions, calls and `let`.

use std::fmt::{self, Write};

use object_core::prelude::*;
use object_core::print::Printer;
use object_core::register_impl;

// ANCHOR: language
/// An expression.
#[derive(Object)]
#[object(type_key = "calc.Expr", base, display = none)]
pub struct ExprNode {}

/// A number.
#[derive(Object)]
#[object(type_key = "calc.Int", parent = ExprNode)]
#[structural_eq(tree)]
pub struct IntNode {
    base: ExprNode,
    /// The number.
    pub value: i64,
}

/// A sum.
#[derive(Object)]
#[object(type_key = "calc.Add", parent = ExprNode)]
#[structural_eq(tree)]
pub struct AddNode {
    base: ExprNode,
    /// The left term.
    pub a: Expr,
    /// The right term.
    pub b: Expr,
}

/// A variable, which is equal to another one if both are bound at the same place.
#[derive(Object)]
#[object(type_key = "calc.Var", parent = ExprNode)]
#[structural_eq(var)]
pub struct VarNode {
    base: ExprNode,
    /// The name, which means nothing.
    #[field(ignore)]
    pub name: Str,
}

/// A function. The binding of its parameter ends with it.
#[derive(Object)]
#[object(type_key = "calc.Lambda", parent = ExprNode)]
#[structural_eq(tree, scope)]
pub struct LambdaNode {
    base: ExprNode,
    /// The parameter.
    #[field(def)]
    pub param: Var,
    /// The result.
    pub body: Expr,
}

/// A call.
#[derive(Object)]
#[object(type_key = "calc.Call", parent = ExprNode)]
#[structural_eq(tree)]
pub struct CallNode {
    base: ExprNode,
    /// The function.
    pub callee: Expr,
    /// The argument.
    pub arg: Expr,
}

/// `let var = value in body`, in which the value does not see the variable.
#[derive(Object)]
#[object(type_key = "calc.Let", parent = ExprNode)]
#[structural_eq(tree, scope)]
pub struct LetNode {
    base: ExprNode,
    /// The value.
    #[field(outer)]
    pub value: Expr,
    /// The variable.
    #[field(def)]
    pub var: Var,
    /// The result.
    pub body: Expr,
}

object_core::variants_of! {
    /// All expressions.
    pub enum ExprKind of Expr { Int, Add, Var, Lambda, Call, Let }
}
// ANCHOR_END: language

// ANCHOR: print
fn write_expr(expr: &Expr, out: &mut Printer) -> fmt::Result {
    match ExprKind::of(expr) {
        ExprKind::Int(int) => write!(out, "{}", int.value),
        ExprKind::Var(var) => out.write_str(&var.name),
        ExprKind::Add(add) => {
            out.write_char('(')?;
            out.field("a", |out| write_expr(&add.a, out))?;
            out.write_str(" + ")?;
            out.field("b", |out| write_expr(&add.b, out))?;
            out.write_char(')')
        }
        ExprKind::Lambda(lambda) => {
            write!(out, "(λ{}. ", lambda.param.name)?;
            out.field("body", |out| write_expr(&lambda.body, out))?;
            out.write_char(')')
        }
        ExprKind::Call(call) => {
            out.field("callee", |out| write_expr(&call.callee, out))?;
            out.write_char(' ')?;
            // Calls associate to the left.
            let nested = call.arg.is::<Call>();
            out.write_str(if nested { "(" } else { "" })?;
            out.field("arg", |out| write_expr(&call.arg, out))?;
            out.write_str(if nested { ")" } else { "" })
        }
        ExprKind::Let(binding) => {
            write!(out, "let {} = ", binding.var.name)?;
            out.field("value", |out| write_expr(&binding.value, out))?;
            out.write_str(" in ")?;
            out.field("body", |out| write_expr(&binding.body, out))
        }
        ExprKind::Other(other) => write!(out, "{other:?}"),
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Printer::print(|out| write_expr(self, out)).text())
    }
}

register_impl!(Expr as dyn fmt::Display);
// ANCHOR_END: print
