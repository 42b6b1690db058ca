//! Facts that a module states once and its functions refer to.

use object_core::prelude::*;

use crate::target::Target;

/// Base of the entries in a module's `global_infos`.
///
/// TVM 0.25 `ir.GlobalInfo`.
#[derive(Object)]
#[object(type_key = "ir.GlobalInfo", base)]
pub struct GlobalInfoNode {}

/// An entry without content, for tests of the machinery.
///
/// TVM 0.25 `ir.DummyGlobalInfo`.
#[derive(Object)]
#[object(type_key = "ir.DummyGlobalInfo", parent = GlobalInfoNode)]
#[structural_eq(tree)]
pub struct DummyGlobalInfoNode {
    /// The [`GlobalInfoNode`] part.
    pub base: GlobalInfoNode,
}

/// A device that code may be placed on, named before any real device is known.
///
/// TVM 0.25 `ir.VDevice`.
#[derive(Object)]
#[object(type_key = "ir.VDevice", parent = GlobalInfoNode)]
#[structural_eq(tree)]
pub struct VDeviceNode {
    /// The [`GlobalInfoNode`] part.
    pub base: GlobalInfoNode,
    /// The kind of hardware; none while undecided.
    pub target: Option<Target>,
    /// Which of several alike, counted from 0.
    pub vdevice_id: i64,
    /// The memory on the device, such as `global`.
    pub memory_scope: Str,
}
