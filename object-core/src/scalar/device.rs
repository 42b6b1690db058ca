//! [`Device`]: the device of a tensor, as DLPack's `DLDevice`.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind};
use crate::text::brief::brief;
use crate::text::did_you_mean::did_you_mean;

/// A device: a kind and an ordinal, with the numbers of DLPack's `DLDevice` (dlpack.h, version 1).
///
/// ```
/// use object_core::Device;
/// let device: Device = "cuda:1".parse()?;
/// assert_eq!((device.device_type, device.device_id), (2, 1));
/// assert_eq!(Device::cpu(0).to_string(), "cpu:0");
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Device {
    /// The kind of the device: 1 for the CPU, 2 for CUDA and so on.
    pub device_type: i32,
    /// The ordinal among the devices of this kind.
    pub device_id: i32,
}

/// The kinds that have a name, by number.
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

impl FromStr for Device {
    type Err = Error;

    /// Parses the output of [`Display`](fmt::Display): `cuda:1`, or `device_type(20):1` for a kind without a name.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for an unknown kind, for text that is not a number where one is expected, and for
    /// numbers that do not fit 32 bits.
    fn from_str(text: &str) -> Result<Self, Error> {
        let malformed = |what: &str| {
            Error::new(ErrorKind::Malformed, format!("`{}` is not a device such as `cuda:0`: {what}", brief(text)))
        };
        let (kind, id) = text.rsplit_once(':').ok_or_else(|| malformed("it has no `:`"))?;
        let number = |digits: &str| digits.parse().map_err(|_| malformed("its numbers are integers of 32 bits"));
        let device_type = match NAMES.iter().find(|(_, name)| *name == kind) {
            Some((number, _)) => *number,
            None => match kind.strip_prefix("device_type(").and_then(|rest| rest.strip_suffix(')')) {
                Some(digits) => number(digits)?,
                None => {
                    let hint = did_you_mean(kind, NAMES.iter().map(|(_, name)| *name));
                    return Err(malformed(&format!("`{}` is not a kind of device{hint}", brief(kind))));
                }
            },
        };
        Ok(Device { device_type, device_id: number(id)? })
    }
}
