//! Data of the scheduler of loop programs: layouts by the names of axes, the arguments of a tuned function, and traces.

mod trace;

use object_core::prelude::*;

use crate::ir::expr::PrimExpr;
use crate::tir::reduce::IterVar;

pub use self::trace::*;

/// The order of a tensor's dimensions in memory, such as `NCHW16c`. Upper-case letters are the dimensions; a lower-case
/// letter with a number is a part of this size, split off the dimension of the same letter; parts in brackets are
/// fused into one axis. Comparing two of them is an error.
///
/// TVM 0.25 `s_tir.SLayout`.
#[derive(Object)]
#[object(type_key = "s_tir.SLayout", files = tvm)]
#[structural_eq(none)]
pub struct SLayoutNode {
    /// The layout as text.
    pub name: Str,
    /// The axes from the outermost inwards, each with a variable of its name (`N`, `16c`, `4h8w`) and a range from 0.
    /// The extent is a variable for a dimension and a constant for a part.
    pub axes: Array<IterVar>,
}

/// Two layouts of the same elements, with rules that map the indices and shapes of one to the other. Comparing two of
/// them is an error.
///
/// TVM 0.25 `s_tir.SBijectiveLayout`.
#[derive(Object)]
#[object(type_key = "s_tir.SBijectiveLayout", files = tvm)]
#[structural_eq(none)]
pub struct SBijectiveLayoutNode {
    /// The source layout.
    pub src_layout: SLayout,
    /// The destination layout.
    pub dst_layout: SLayout,
    /// The destination indices, over the source indices: `[N, C // 16, C % 16]` from `NC` to `NC16c`.
    pub index_forward_rule: Array<PrimExpr>,
    /// The source indices, over the destination indices.
    pub index_backward_rule: Array<PrimExpr>,
    /// The destination extents, over the source extents, one per axis. Only the extents of dimensions count: a part has
    /// the extent of its axis in the layout.
    pub shape_forward_rule: Array<PrimExpr>,
    /// The source extents, over the destination extents, one per axis.
    pub shape_backward_rule: Array<PrimExpr>,
}

/// Base of descriptions of a function's arguments.
///
/// TVM 0.25 `s_tir.meta_schedule.ArgInfo`.
#[derive(Object)]
#[object(type_key = "s_tir.meta_schedule.ArgInfo", files = tvm, base)]
pub struct ArgInfoNode {}

/// A tensor argument of known shape. Comparing two of them is an error.
///
/// TVM 0.25 `s_tir.meta_schedule.TensorInfo`.
#[derive(Object)]
#[object(type_key = "s_tir.meta_schedule.TensorInfo", files = tvm, parent = ArgInfoNode)]
#[structural_eq(none)]
pub struct TensorInfoNode {
    /// The [`ArgInfoNode`] part.
    pub base: ArgInfoNode,
    /// The element type.
    pub dtype: DataType,
    /// The extents.
    pub shape: Shape,
}
