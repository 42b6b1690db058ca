//! Attributes of moving data between devices.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;
use crate::ir::global_info::VDevice;

/// Attributes of `hint_on_device`: a hint for the device of a value.
///
/// TVM 0.25 `relax.attrs.HintOnDeviceAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.HintOnDeviceAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct HintOnDeviceAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The DLPack device type.
    pub device_type: i64,
    /// The number of the device among the devices of this type.
    pub index: i64,
    /// The memory of the device, such as `global`.
    pub memory_scope: Str,
}

/// Attributes of `to_vdevice`, which copies a value to another device.
///
/// TVM 0.25 `relax.attrs.ToVDeviceAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.ToVDeviceAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct ToVDeviceAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The destination.
    pub dst_vdevice: VDevice,
}

impl From<VDevice> for ToVDeviceAttrs {
    fn from(destination: VDevice) -> Self {
        ToVDeviceAttrs::new(destination)
    }
}
