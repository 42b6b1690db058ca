//! The facts about buffers and functions that scripts leave out: the layout, the alignment and the memory by default, and
//! the attributes of functions (TVM 0.25 src/tirx/ir/layout/tile_core.cc).

use object_core::{Map, ObjectHandle, structural_equal};
use object_ir::ir::{IntImm, PointerTypeNode, PrimExpr};
use object_ir::tir::fold;
use object_ir::tir::{Axis, AxisNode, BufferNode, Iter, Layout, TileLayout, TileLayoutNode};

/// The comment at the start of an exact text.
pub(super) const EXACT: &str = "# exact script";

/// The comment without its sign that ends a text without the metadata that it refers to.
pub(super) const METADATA_OMITTED: &str = "Metadata omitted. Use show_meta=True in script() method to show it.";

/// The alignment of buffers that the text leaves out, in bytes (TVM's `kAllocAlignment`).
pub(super) const DEFAULT_ALIGNMENT: i64 = 64;

/// The attribute of functions in the language of the scheduler.
pub(super) const S_TIR: &str = "s_tir";

/// The attribute that names the symbol of a function in the compiled module.
pub(crate) const GLOBAL_SYMBOL: &str = "global_symbol";

/// The attribute of functions that run as long as the kernel.
pub(super) const PERSISTENT: &str = "tirx.persistent_kernel";

/// The axes that number threads; the others are in memory.
const THREAD_AXES: &[&str] =
    &["bx", "by", "bz", "cbx", "cby", "cbz", "tx", "warpid", "laneid", "wgid", "tid_in_wg", "wid_in_wg"];

/// Whether the axis numbers threads.
pub(super) fn is_thread_axis(axis: &AxisNode) -> bool {
    THREAD_AXES.contains(&&*axis.name)
}

/// The layout in memory in the order of the rows, without padding.
pub(super) fn default_layout(shape: &[PrimExpr]) -> Layout {
    let mut stride = shape.first().map(|extent| PrimExpr::from(IntImm::new(extent.dtype, 1)));
    let mut iters = Vec::with_capacity(shape.len());
    for extent in shape.iter().rev() {
        let Some(current) = stride.take() else { break };
        stride = Some(fold::mul(&current, extent));
        iters.push(Iter::new(extent.clone(), current, Axis::new("m")));
    }
    iters.reverse();
    TileLayout::new(iters, Vec::<Iter>::new(), Map::<Axis, PrimExpr>::default()).into()
}

/// Whether the layout is the default one of the shape.
pub(super) fn is_default(layout: &Layout, shape: &[PrimExpr]) -> bool {
    has_constant_strides(layout, shape) || structural_equal(layout, &default_layout(shape))
}

/// Whether the layout is the default one of the shape, and its strides are constants of one type. Most layouts are, and need
/// no comparison of graphs.
fn has_constant_strides(layout: &Layout, shape: &[PrimExpr]) -> bool {
    let Some(tile) = layout.as_object().view().node::<TileLayoutNode>() else { return false };
    let Some(dtype) = shape.first().map(|extent| extent.dtype) else { return false };
    let shard = tile.shard.as_slice();
    if shard.len() != shape.len() || !tile.replica.is_empty() || !tile.offset.is_empty() {
        return false;
    }
    let is = |expr: &PrimExpr, value: i64| expr.dtype == dtype && fold::int(expr) == Some(value);
    let mut stride = Some(1_i64);
    for (iter, extent) in shard.iter().zip(shape).rev() {
        let Some(current) = stride else { return false };
        if !fold::same_scalar(&iter.extent, extent) || !is(&iter.stride, current) || &*iter.axis.name != "m" {
            return false;
        }
        let next = fold::int(extent).and_then(|extent| current.checked_mul(extent));
        stride = next.filter(|stride| i32::try_from(*stride).is_ok());
    }
    shape.iter().all(|extent| extent.dtype == dtype)
}

/// The memory of a buffer.
pub(crate) fn scope(buffer: &BufferNode) -> &str {
    let pointer = buffer.data.type_annotation.as_object().view().node::<PointerTypeNode>();
    pointer.map_or("global", |pointer| if pointer.storage_scope.is_empty() { "global" } else { &pointer.storage_scope })
}
