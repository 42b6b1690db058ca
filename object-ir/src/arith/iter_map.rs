//! Index expressions as splits and sums of independent iterators.

use object_core::prelude::*;

use crate::ir::expr::{PrimExpr, PrimExprNode};

/// Base of the expressions that an index is rewritten to. None of them may occur in a function.
///
/// TVM 0.25 `arith.IterMapExpr`.
#[derive(Object)]
#[object(type_key = "arith.IterMapExpr", parent = PrimExprNode, base, base_args(dtype: DataType))]
pub struct IterMapExprNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
}

/// An expression that takes every value from 0 up to its extent: an iterator. Which of its uses are one and the same
/// object counts in structural equality.
///
/// TVM 0.25 `arith.IterMark`.
#[derive(Object)]
#[object(type_key = "arith.IterMark")]
#[structural_eq(dag)]
pub struct IterMarkNode {
    /// The expression: a variable or an [`IterSumExpr`].
    pub source: PrimExpr,
    /// How many values.
    pub extent: PrimExpr,
}

/// A part of an iterator: `floormod(floordiv(source, lower_factor), extent) * scale`.
///
/// TVM 0.25 `arith.IterSplitExpr`.
#[derive(Object)]
#[object(type_key = "arith.IterSplitExpr", parent = IterMapExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct IterSplitExprNode {
    /// The [`IterMapExprNode`] part.
    pub base: IterMapExprNode,
    /// The iterator.
    pub source: IterMark,
    /// How many values of the iterator pass before the part takes its next one.
    pub lower_factor: PrimExpr,
    /// How many values the part has.
    pub extent: PrimExpr,
    /// What the part is multiplied by.
    pub scale: PrimExpr,
}

/// A sum of parts of iterators, and an offset.
///
/// TVM 0.25 `arith.IterSumExpr`.
#[derive(Object)]
#[object(type_key = "arith.IterSumExpr", parent = IterMapExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct IterSumExprNode {
    /// The [`IterMapExprNode`] part.
    pub base: IterMapExprNode,
    /// The parts.
    pub args: Array<IterSplitExpr>,
    /// What is added to their sum.
    #[field(rename = "base")]
    pub offset: PrimExpr,
}

/// Indices as sums of iterators, or why they cannot be written so. Comparing two of them is an error.
///
/// TVM 0.25 `arith.IterMapResult`.
#[derive(Object)]
#[object(type_key = "arith.IterMapResult")]
#[structural_eq(none)]
pub struct IterMapResultNode {
    /// One per index; empty if there is no such form.
    pub indices: Array<IterSumExpr>,
    /// What stood in the way; empty if nothing did.
    pub errors: Array<Str>,
    /// True at the points that were added to make iterators whole; none if there is no such form.
    pub padding_predicate: Option<PrimExpr>,
}
