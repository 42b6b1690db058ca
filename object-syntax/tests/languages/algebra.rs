//! An algebra of relations, as SQL has it: queries without variables, with lists and flags.

use object_core::prelude::*;

/// Base of relations.
#[derive(Object)]
#[object(type_key = "algebra.Rel", base)]
pub struct RelNode {}

/// Base of expressions over rows.
#[derive(Object)]
#[object(type_key = "algebra.Expr", base)]
pub struct ExprNode {}

/// A table.
#[derive(Object)]
#[object(type_key = "algebra.Table", parent = RelNode, format = "from ${name:word}")]
#[structural_eq(tree)]
pub struct TableNode {
    pub base: RelNode,
    pub name: Str,
}

/// The rows for which a condition holds.
#[derive(Object)]
#[object(type_key = "algebra.Filter", parent = RelNode, format = "$input where $condition")]
#[structural_eq(tree)]
pub struct FilterNode {
    pub base: RelNode,
    pub input: Rel,
    pub condition: Expr,
}

/// Some columns.
#[derive(Object)]
#[object(type_key = "algebra.Project", parent = RelNode, format = "$input select [$($columns), *]")]
#[structural_eq(tree)]
pub struct ProjectNode {
    pub base: RelNode,
    pub input: Rel,
    #[field(len = 1..)]
    pub columns: Array<Named>,
}

/// The rows of two relations for which a condition holds.
#[derive(Object)]
#[object(type_key = "algebra.Join", parent = RelNode, format = "$left $(outer${is_outer:flag})? join $right on $condition")]
#[structural_eq(tree)]
pub struct JoinNode {
    pub base: RelNode,
    pub left: Rel,
    pub right: Rel,
    pub condition: Expr,
    #[field(default)]
    pub is_outer: bool,
}

/// Columns with other names.
#[derive(Object)]
#[object(
    type_key = "algebra.Rename",
    parent = RelNode,
    same_len(columns, names),
    format = "$input rename [$($columns), *] to [$($names), *]"
)]
#[structural_eq(tree)]
pub struct RenameNode {
    pub base: RelNode,
    pub input: Rel,
    pub columns: Array<Str>,
    pub names: Array<Str>,
}

/// One row for each group.
#[derive(Object)]
#[object(type_key = "algebra.Aggregate", parent = RelNode, format = "$input group by [$($keys), *] compute [$($values), *]")]
#[structural_eq(tree)]
pub struct AggregateNode {
    pub base: RelNode,
    pub input: Rel,
    pub keys: Array<Expr>,
    pub values: Array<Named>,
}

/// The first rows in an order.
#[derive(Object)]
#[object(type_key = "algebra.Sort", parent = RelNode, format = "$input order by $key$( $order)?$( limit $limit)?")]
#[structural_eq(tree)]
pub struct SortNode {
    pub base: RelNode,
    pub input: Rel,
    pub key: Expr,
    #[field(default)]
    pub order: Order,
    #[field(default, range = 0..)]
    pub limit: Option<i64>,
}

/// An order of rows.
#[derive(Object, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    Ascending,
    Descending,
}

/// An expression with a name.
#[derive(Object)]
#[object(type_key = "algebra.Named", format = "$value$( as ${name:word})?")]
#[structural_eq(tree)]
pub struct NamedNode {
    pub value: Expr,
    #[field(default)]
    pub name: Option<Str>,
}

/// A column of a row.
#[derive(Object)]
#[object(type_key = "algebra.Column", parent = ExprNode, format = "${name:word}")]
#[structural_eq(tree)]
pub struct ColumnNode {
    pub base: ExprNode,
    pub name: Str,
}

/// A text.
#[derive(Object)]
#[object(type_key = "algebra.Text", parent = ExprNode, format = "$value")]
#[structural_eq(tree)]
pub struct TextNode {
    pub base: ExprNode,
    pub value: Str,
}

/// A number.
#[derive(Object)]
#[object(type_key = "algebra.Number", parent = ExprNode, format = "$value")]
#[structural_eq(tree)]
pub struct NumberNode {
    pub base: ExprNode,
    pub value: f64,
}

/// A call of a function.
#[derive(Object)]
#[object(type_key = "algebra.Call", parent = ExprNode, format = "${function:word}($($args), *)")]
#[structural_eq(tree)]
pub struct CallNode {
    pub base: ExprNode,
    pub function: Str,
    pub args: Array<Expr>,
}

macro_rules! operators {
    ($($node:ident $key:literal $format:literal $precedence:literal $associativity:ident;)*) => {$(
        /// An operator.
        #[derive(Object)]
        #[object(type_key = $key, parent = ExprNode, format = $format, precedence = $precedence, associativity = $associativity)]
        #[structural_eq(tree)]
        pub struct $node {
            pub base: ExprNode,
            pub lhs: Expr,
            pub rhs: Expr,
        }
    )*};
}

operators! {
    OrNode "algebra.Or" "$lhs or $rhs" 1 left;
    AndNode "algebra.And" "$lhs and $rhs" 2 left;
    EqualNode "algebra.Equal" "$lhs = $rhs" 4 none;
    LessNode "algebra.Less" "$lhs < $rhs" 4 none;
    AddNode "algebra.Add" "$lhs + $rhs" 5 left;
    MulNode "algebra.Mul" "$lhs * $rhs" 6 left;
    PowerNode "algebra.Power" "$lhs ^ $rhs" 8 right;
}

/// The opposite of a condition.
#[derive(Object)]
#[object(type_key = "algebra.Not", parent = ExprNode, format = "not $value", precedence = 3)]
#[structural_eq(tree)]
pub struct NotNode {
    pub base: ExprNode,
    pub value: Expr,
}
