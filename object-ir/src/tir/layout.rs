//! Layouts: where the elements of a tile are, in memory and over threads.

use object_core::prelude::*;

use crate::ir::expr::PrimExpr;

/// Base of layouts.
///
/// TVM 0.25 `tirx.Layout`.
#[derive(Object)]
#[object(type_key = "tirx.Layout", files = tvm, base)]
pub struct LayoutNode {}

/// A dimension of the hardware that elements are laid out over, such as memory or threads. JSON has only
/// the name.
///
/// TVM 0.25 `tirx.Axis`.
#[derive(Object)]
#[object(type_key = "tirx.Axis", files = tvm, json = name, label = "{name}")]
#[structural_eq(tree)]
pub struct AxisNode {
    /// The name, such as `m` for memory.
    pub name: Str,
}

/// One factor of a layout: an extent, spaced along an axis.
///
/// TVM 0.25 `tirx.Iter`.
#[derive(Object)]
#[object(type_key = "tirx.Iter", files = tvm)]
#[structural_eq(tree)]
pub struct IterNode {
    /// The number of positions.
    pub extent: PrimExpr,
    /// The distance between neighbours along the axis.
    pub stride: PrimExpr,
    /// The axis.
    pub axis: Axis,
}

/// A layout by factors: the index is split into `shard`, each element is repeated over `replica`, and everything is
/// moved by `offset`.
///
/// TVM 0.25 `tirx.TileLayout`.
#[derive(Object)]
#[object(type_key = "tirx.TileLayout", files = tvm, parent = LayoutNode)]
#[structural_eq(tree)]
pub struct TileLayoutNode {
    /// The [`LayoutNode`] part.
    pub base: LayoutNode,
    /// The factors that the index is split into, outermost first.
    pub shard: Array<Iter>,
    /// The factors over which elements are repeated.
    pub replica: Array<Iter>,
    /// How far the first element is moved, per axis.
    pub offset: Map<Axis, PrimExpr>,
}

/// A permutation of memory by exclusive-or of address bits, which avoids bank conflicts. Elements form units of
/// `2^per_element`; the permutation combines some bits of a unit's number with others.
///
/// TVM 0.25 `tirx.SwizzleLayout`.
#[derive(Object)]
#[object(type_key = "tirx.SwizzleLayout", files = tvm, parent = LayoutNode)]
#[structural_eq(tree)]
pub struct SwizzleLayoutNode {
    /// The [`LayoutNode`] part.
    pub base: LayoutNode,
    /// The logarithm of the number of elements in a unit.
    pub per_element: i64,
    /// How many bits of the unit number are combined.
    pub swizzle_len: i64,
    /// The distance from the inner bits to the outer bits, in bits.
    pub atom_len: i64,
    /// Whether the inner bits change; otherwise the outer ones do.
    pub swizzle_inner: bool,
    /// The inner bits of the unit number, as a mask.
    pub inner_mask: i64,
    /// The outer bits of the unit number, as a mask.
    pub outer_mask: i64,
}

/// A tile layout whose memory addresses are swizzled.
///
/// TVM 0.25 `tirx.ComposeLayout`.
#[derive(Object)]
#[object(type_key = "tirx.ComposeLayout", files = tvm, parent = LayoutNode)]
#[structural_eq(tree)]
pub struct ComposeLayoutNode {
    /// The [`LayoutNode`] part.
    pub base: LayoutNode,
    /// Applied last.
    pub swizzle: SwizzleLayout,
    /// Applied first.
    pub tile_layout: TileLayout,
}
