//! Index expressions as splits and sums of independent iterators.

use object_core::prelude::*;

use crate::ir::expr::{PrimExpr, PrimExprNode};

/// Base of the normal forms of an index. No function contains one.
///
/// TVM 0.25 `arith.IterMapExpr`.
#[derive(Object)]
#[object(type_key = "arith.IterMapExpr", files = tvm, parent = PrimExprNode, base, base_args(dtype: DataType))]
pub struct IterMapExprNode {
    /// The [`PrimExprNode`] part.
    pub base: PrimExprNode,
}

/// An iterator: an expression that takes every value from 0 up to its extent. Structural equality compares which uses
/// are the same object.
///
/// TVM 0.25 `arith.IterMark`.
#[derive(Object)]
#[object(type_key = "arith.IterMark", files = tvm)]
#[structural_eq(dag)]
pub struct IterMarkNode {
    /// The expression: a variable or an [`IterSumExpr`].
    pub source: PrimExpr,
    /// The number of values.
    pub extent: PrimExpr,
}

/// A part of an iterator: `floormod(floordiv(source, lower_factor), extent) * scale`.
///
/// TVM 0.25 `arith.IterSplitExpr`.
#[derive(Object)]
#[object(type_key = "arith.IterSplitExpr", files = tvm, parent = IterMapExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct IterSplitExprNode {
    /// The [`IterMapExprNode`] part.
    pub base: IterMapExprNode,
    /// The iterator.
    pub source: IterMark,
    /// The number of values of the iterator for each value of the part.
    pub lower_factor: PrimExpr,
    /// The number of values of the part.
    pub extent: PrimExpr,
    /// The factor of the part.
    pub scale: PrimExpr,
}

/// A sum of parts of iterators, and an offset.
///
/// TVM 0.25 `arith.IterSumExpr`.
#[derive(Object)]
#[object(type_key = "arith.IterSumExpr", files = tvm, parent = IterMapExprNode, base_args(dtype: DataType))]
#[structural_eq(tree)]
pub struct IterSumExprNode {
    /// The [`IterMapExprNode`] part.
    pub base: IterMapExprNode,
    /// The parts.
    pub args: Array<IterSplitExpr>,
    /// The offset.
    #[field(rename = "base")]
    pub offset: PrimExpr,
}

/// The result of an analysis: indices as sums of iterators, or the reasons for its failure. Comparing two of them is an
/// error.
///
/// TVM 0.25 `arith.IterMapResult`.
#[derive(Object)]
#[object(type_key = "arith.IterMapResult", files = tvm)]
#[structural_eq(none)]
pub struct IterMapResultNode {
    /// One per index; empty if the analysis failed.
    pub indices: Array<IterSumExpr>,
    /// The reasons for a failure; empty if the analysis succeeded.
    pub errors: Array<Str>,
    /// True at the points that padding added to complete iterators; none if the analysis failed.
    pub padding_predicate: Option<PrimExpr>,
}
