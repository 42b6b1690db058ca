//! The types of scalars and the devices of tensors: [`DataType`] and [`Device`], as DLPack defines them.

mod device;
mod dtype;

pub use device::Device;
pub use dtype::{DataType, TypeCode};
