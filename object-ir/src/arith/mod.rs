//! Arithmetic facts: what an analysis has found out about integer expressions.
//!
//! No field of a module's types holds one; they are saved on their own, as the result of an analysis.

pub mod int_set;
pub mod constraints;
pub mod iter_map;

pub use self::constraints::{
    IntConstraints, IntConstraintsNode, IntConstraintsTransform, IntConstraintsTransformNode, IntGroupBounds,
    IntGroupBoundsNode,
};
pub use self::int_set::{
    ConstIntBound, ConstIntBoundNode, IntSet, IntSetNode, IntervalSet, IntervalSetNode, ModularSet, ModularSetNode,
};
pub use self::iter_map::{
    IterMapExpr, IterMapExprNode, IterMapResult, IterMapResultNode, IterMark, IterMarkNode, IterSplitExpr,
    IterSplitExprNode, IterSumExpr, IterSumExprNode,
};
