//! Entries of a module's `global_infos`, which its functions refer to.

use object_core::prelude::*;

use crate::target::Target;

/// Base of the entries in a module's `global_infos`.
///
/// TVM 0.25 `ir.GlobalInfo`.
#[derive(Object)]
#[object(type_key = "ir.GlobalInfo", files = tvm, base)]
pub struct GlobalInfoNode {}

/// An entry without content, for tests.
///
/// TVM 0.25 `ir.DummyGlobalInfo`.
#[derive(Object)]
#[object(type_key = "ir.DummyGlobalInfo", files = tvm, parent = GlobalInfoNode)]
#[structural_eq(tree)]
pub struct DummyGlobalInfoNode {
    /// The [`GlobalInfoNode`] part.
    pub base: GlobalInfoNode,
}

/// A virtual device. Passes place values on it before a pass chooses the real device.
///
/// TVM 0.25 `ir.VDevice`.
#[derive(Object)]
#[object(type_key = "ir.VDevice", files = tvm, parent = GlobalInfoNode)]
#[structural_eq(tree)]
pub struct VDeviceNode {
    /// The [`GlobalInfoNode`] part.
    pub base: GlobalInfoNode,
    /// The target of the device; none if undecided.
    pub target: Option<Target>,
    /// The number of the device among the devices of the target, counted from 0.
    pub vdevice_id: i64,
    /// The memory on the device, such as `global`.
    pub memory_scope: Str,
}
