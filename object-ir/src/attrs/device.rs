//! Attributes of moving data between devices.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;
use crate::ir::global_info::VDevice;

/// Of `hint_on_device`: a wish for where a value lives.
///
/// TVM 0.25 `relax.attrs.HintOnDeviceAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.HintOnDeviceAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
pub struct HintOnDeviceAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The DLPack device type.
    pub device_type: i64,
    /// Which device of this type.
    pub index: i64,
    /// The memory on it, such as `global`.
    pub memory_scope: Str,
}

/// Of `to_vdevice`: a copy to another device.
///
/// TVM 0.25 `relax.attrs.ToVDeviceAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.ToVDeviceAttrs", parent = AttrsNode)]
#[structural_eq(tree)]
pub struct ToVDeviceAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// Where to.
    pub dst_vdevice: VDevice,
}
