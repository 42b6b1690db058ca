//! Annotated types in a crate with strict lints, so that `cargo clippy` checks the expansion.
#![forbid(unsafe_code)]
#![deny(missing_docs, warnings, clippy::pedantic, clippy::undocumented_unsafe_blocks)]
#![deny(unreachable_pub, missing_debug_implementations, unused_qualifications, single_use_lifetimes)]
#![deny(clippy::allow_attributes_without_reason, clippy::unwrap_used, clippy::panic)]

use object_core::prelude::*;

/// Base.
#[derive(Object, Debug)]
#[object(type_key = "strict.Expr", base, may_contain(var))]
pub struct ExprNode {
    /// Place.
    #[field(ignore, meta(unit = "bytes"))]
    pub span: Option<Str>,
    /// Type.
    pub dtype: DataType,
}

/// Variable.
#[derive(Object, Debug)]
#[object(type_key = "strict.Var", parent = ExprNode, base_args(dtype: DataType))]
#[structural_eq(var)]
pub struct VarNode {
    /// Parent's part.
    pub base: ExprNode,
    /// Name.
    #[field(ignore)]
    pub name: Str,
}

/// Binder with many fields.
#[derive(Object, Debug)]
#[object(type_key = "strict.Let", parent = ExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct LetNode {
    /// Parent's part.
    pub base: ExprNode,
    /// Value.
    #[field(outer)]
    pub value: Expr,
    /// Variable.
    #[field(def)]
    pub var: Var,
    /// Body.
    pub body: Expr,
    /// Literal.
    pub literal: Literal,
    /// Order.
    #[field(default = Order::Row)]
    pub order: Order,
    /// Numbers.
    pub numbers: Map<Str, Array<i64>>,
    /// More.
    pub a: i64,
    /// More.
    pub b: i64,
    /// More.
    pub c: i64,
}

/// Operator.
#[derive(Object, Debug)]
#[object(type_key = "strict.Op")]
#[structural_eq(singleton, key = name)]
pub struct OpNode {
    /// Name.
    pub name: Str,
    /// Level.
    #[field(default = 10)]
    pub level: i64,
}

/// Order.
#[derive(Object, Debug, Clone, Copy)]
pub enum Order {
    /// By row.
    Row,
    /// By column.
    Column = 4,
}

/// Number or name.
#[derive(Object, Debug, Clone)]
pub enum Literal {
    /// A number.
    Number(i64),
    /// An operator.
    Op(Op),
}

object_core::variants_of! {
    /// The expressions.
    pub enum ExprKind of Expr {
        Var,
        /// A binder.
        Binding(Let),
    }
}

fn main() {}
