//! Data of the scheduler of loop programs: layouts by the names of axes, and the arguments of a tuned function.

use object_core::prelude::*;

use crate::ir::expr::PrimExpr;
use crate::tir::reduce::IterVar;

/// The order of a tensor's dimensions in memory, such as `NCHW16c`. Upper-case letters are the dimensions; a lower-case
/// letter with a number is a part of that size, split off the dimension of the same letter; parts in brackets are
/// fused into one axis. Comparing two of them is an error.
///
/// TVM 0.25 `s_tir.SLayout`.
#[derive(Object)]
#[object(type_key = "s_tir.SLayout")]
#[structural_eq(none)]
pub struct SLayoutNode {
    /// The layout as text.
    pub name: Str,
    /// The axes from the outermost inwards, each with a variable of its name (`N`, `16c`, `4h8w`) and a range from 0.
    /// The extent is a variable for a dimension and a constant for a part.
    pub axes: Array<IterVar>,
}

/// Two layouts of the same elements, with rules over the variables of the axes that take indices and shapes from one
/// to the other. Comparing two of them is an error.
///
/// TVM 0.25 `s_tir.SBijectiveLayout`.
#[derive(Object)]
#[object(type_key = "s_tir.SBijectiveLayout")]
#[structural_eq(none)]
pub struct SBijectiveLayoutNode {
    /// The layout before.
    pub src_layout: SLayout,
    /// The layout after.
    pub dst_layout: SLayout,
    /// The indices after, over the indices before: `[N, C // 16, C % 16]` from `NC` to `NC16c`.
    pub index_forward_rule: Array<PrimExpr>,
    /// The indices before, over the indices after.
    pub index_backward_rule: Array<PrimExpr>,
    /// The extents after, over the extents before, one per axis. Only those of dimensions count: the extent of a part
    /// is that of its axis in the layout.
    pub shape_forward_rule: Array<PrimExpr>,
    /// The extents before, over the extents after, likewise.
    pub shape_backward_rule: Array<PrimExpr>,
}

/// Base of descriptions of a function's arguments.
///
/// TVM 0.25 `s_tir.meta_schedule.ArgInfo`.
#[derive(Object)]
#[object(type_key = "s_tir.meta_schedule.ArgInfo", base)]
pub struct ArgInfoNode {}

/// A tensor argument of known shape. Comparing two of them is an error.
///
/// TVM 0.25 `s_tir.meta_schedule.TensorInfo`.
#[derive(Object)]
#[object(type_key = "s_tir.meta_schedule.TensorInfo", parent = ArgInfoNode)]
#[structural_eq(none)]
pub struct TensorInfoNode {
    /// The [`ArgInfoNode`] part.
    pub base: ArgInfoNode,
    /// The element type.
    pub dtype: DataType,
    /// The extents.
    pub shape: Shape,
}
