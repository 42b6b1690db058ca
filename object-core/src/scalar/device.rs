//! [`Device`]: where a tensor lives, as DLPack's `DLDevice`.

use std::fmt;

/// A device: a kind and an ordinal, with the numbers of DLPack's `DLDevice` (dlpack.h, version 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Device {
    /// The kind of device: 1 is the CPU, 2 CUDA, ...
    pub device_type: i32,
    /// Which of the devices of that kind.
    pub device_id: i32,
}

/// Kinds with a name, by number.
const NAMES: &[(i32, &str)] = &[
    (1, "cpu"),
    (2, "cuda"),
    (3, "cuda_host"),
    (4, "opencl"),
    (7, "vulkan"),
    (8, "metal"),
    (9, "vpi"),
    (10, "rocm"),
    (11, "rocm_host"),
    (12, "ext_dev"),
    (13, "cuda_managed"),
    (14, "oneapi"),
    (15, "webgpu"),
    (16, "hexagon"),
];

impl Device {
    /// The CPU with the given ordinal.
    #[must_use]
    pub const fn cpu(device_id: i32) -> Self {
        Device { device_type: 1, device_id }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.iter().find(|(number, _)| *number == self.device_type) {
            Some((_, name)) => write!(f, "{name}:{}", self.device_id),
            None => write!(f, "device_type({}):{}", self.device_type, self.device_id),
        }
    }
}
