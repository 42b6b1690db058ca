//! Attributes of operators that rearrange elements.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;
use crate::ir::constant::PrimValue;
use crate::ir::expr::IntImm;
use crate::tir::function::IndexMap;

/// Attributes of `concat`.
///
/// TVM 0.25 `relax.attrs.ConcatAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.ConcatAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct ConcatAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimension along which tensors are joined; none flattens them first.
    pub axis: Option<i64>,
}

/// Attributes of `stack`.
///
/// TVM 0.25 `relax.attrs.StackAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.StackAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct StackAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The position of the new dimension; none means 0.
    pub axis: Option<i64>,
}

/// Attributes of `expand_dims`.
///
/// TVM 0.25 `relax.attrs.ExpandDimsAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.ExpandDimsAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct ExpandDimsAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The positions of the new dimensions of extent 1 in the result; negative counts from the end.
    pub axis: Array<i64>,
}

/// Attributes of `squeeze`.
///
/// TVM 0.25 `relax.attrs.SqueezeAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.SqueezeAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct SqueezeAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// Which dimensions of extent 1 to drop; none for all.
    pub axis: Option<Array<i64>>,
}

/// Attributes of `permute_dims`.
///
/// TVM 0.25 `relax.attrs.PermuteDimsAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.PermuteDimsAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct PermuteDimsAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// For each dimension of the result the dimension of the argument; none reverses the order.
    pub axes: Option<Array<i64>>,
}

/// Attributes of `split`.
///
/// TVM 0.25 `relax.attrs.SplitAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.SplitAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct SplitAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// An [`IntImm`] for equal parts, or an array of them for the positions to cut at.
    pub indices_or_sections: ObjectRef,
    /// The dimension to cut.
    pub axis: i64,
}

/// Attributes of `repeat`: each element several times in a row.
///
/// TVM 0.25 `relax.attrs.RepeatAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.RepeatAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct RepeatAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The number of repetitions.
    pub repeats: i64,
    /// The dimension that grows; none flattens first.
    pub axis: Option<i64>,
}

/// Attributes of `tile`: the whole tensor several times.
///
/// TVM 0.25 `relax.attrs.TileAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.TileAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct TileAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The number of repetitions per dimension, aligned at the last dimension.
    pub repeats: Array<i64>,
}

/// Attributes of `flip`.
///
/// TVM 0.25 `relax.attrs.FlipAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.FlipAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct FlipAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimension to reverse.
    pub axis: i64,
}

/// Attributes of `gather_elements`: one element per element of the indices.
///
/// TVM 0.25 `relax.attrs.GatherElementsAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.GatherElementsAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct GatherElementsAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimension that the indices select in.
    #[field(default = 0)]
    pub axis: i64,
}

/// Attributes of `gather_nd`: one slice per index tuple.
///
/// TVM 0.25 `relax.attrs.GatherNDAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.GatherNDAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct GatherNDAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The number of leading batch dimensions of data and indices.
    #[field(default = 0)]
    pub batch_dims: i64,
}

/// Attributes of `index_put`: writing at index tuples.
///
/// TVM 0.25 `relax.attrs.IndexPutAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.IndexPutAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct IndexPutAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// Whether values are added to the old values instead of replacing them.
    #[field(default = false)]
    pub accumulate: bool,
}

/// Attributes of `meshgrid`.
///
/// TVM 0.25 `relax.attrs.MeshgridAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.MeshgridAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct MeshgridAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// `ij` for matrix order, `xy` for Cartesian order; none means `ij`.
    pub indexing: Option<Str>,
}

/// Attributes of `scatter_elements`: one write per element of the indices.
///
/// TVM 0.25 `relax.attrs.ScatterElementsAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.ScatterElementsAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct ScatterElementsAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimension that the indices select in.
    #[field(default = 0)]
    pub axis: i64,
    /// How a write combines with the old value: `update`, `add`, `mul`, `mean`, `max` or `min`.
    #[field(default = "update")]
    pub reduction: Str,
}

/// Attributes of `scatter_nd`: one write per index tuple.
///
/// TVM 0.25 `relax.attrs.ScatterNDAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.ScatterNDAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct ScatterNDAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// How a write combines with the old value: `update`, `add`, `mul`, `max` or `min`.
    #[field(default = "update")]
    pub reduction: Str,
}

/// Attributes of `slice_scatter`: writing a strided slice.
///
/// TVM 0.25 `relax.attrs.SliceScatterAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.SliceScatterAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct SliceScatterAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimension that is sliced.
    #[field(default = 0)]
    pub axis: i64,
}

/// Attributes of `one_hot`.
///
/// TVM 0.25 `relax.attrs.OneHotAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.OneHotAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct OneHotAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The extent of the new dimension.
    pub depth: i64,
    /// The position of the new dimension; -1 for the end.
    #[field(default = -1)]
    pub axis: i64,
}

/// Attributes of `layout_transform`.
///
/// TVM 0.25 `relax.attrs.LayoutTransformAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.LayoutTransformAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct LayoutTransformAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The map from indices of the argument to indices of the result.
    pub index_map: IndexMap,
    /// The value of elements of the result that no element maps to; none if it does not matter.
    pub pad_value: Option<PrimValue>,
    /// How the dimensions of the result are grouped into physical ones.
    pub axis_separators: Option<Array<IntImm>>,
    /// How the dimensions of the argument are grouped into physical ones.
    pub input_axis_separators: Option<Array<IntImm>>,
}

impl Default for ConcatAttrs {
    /// The axis 0.
    fn default() -> Self {
        ConcatAttrs::new(Some(0))
    }
}

impl Default for StackAttrs {
    /// The axis 0.
    fn default() -> Self {
        StackAttrs::new(Some(0))
    }
}

impl Default for SqueezeAttrs {
    /// All dimensions of size 1.
    fn default() -> Self {
        SqueezeAttrs::new(None)
    }
}

impl Default for PermuteDimsAttrs {
    /// The reverse order.
    fn default() -> Self {
        PermuteDimsAttrs::new(None)
    }
}

impl Default for GatherElementsAttrs {
    /// The axis 0.
    fn default() -> Self {
        GatherElementsAttrs::new()
    }
}

impl Default for GatherNDAttrs {
    /// No batch dimensions.
    fn default() -> Self {
        GatherNDAttrs::new()
    }
}

impl Default for IndexPutAttrs {
    /// Elements are replaced.
    fn default() -> Self {
        IndexPutAttrs::new()
    }
}

impl Default for MeshgridAttrs {
    /// Matrix indices.
    fn default() -> Self {
        MeshgridAttrs::new(Some("ij".into()))
    }
}

impl Default for ScatterElementsAttrs {
    /// The axis 0; elements are replaced.
    fn default() -> Self {
        ScatterElementsAttrs::new()
    }
}

impl Default for ScatterNDAttrs {
    /// Elements are replaced.
    fn default() -> Self {
        ScatterNDAttrs::new()
    }
}

impl Default for SliceScatterAttrs {
    /// The axis 0.
    fn default() -> Self {
        SliceScatterAttrs::new()
    }
}

/// The places of the new dimensions.
impl<const N: usize> From<[i64; N]> for ExpandDimsAttrs {
    fn from(axis: [i64; N]) -> Self {
        ExpandDimsAttrs::new(axis)
    }
}

/// The repetitions of each dimension.
impl<const N: usize> From<[i64; N]> for TileAttrs {
    fn from(repeats: [i64; N]) -> Self {
        TileAttrs::new(repeats)
    }
}

/// The axis.
impl From<i64> for FlipAttrs {
    fn from(axis: i64) -> Self {
        FlipAttrs::new(axis)
    }
}
