//! Plain values that fit into eight bytes: [`DataType`] and [`Device`].

mod device;
mod dtype;

pub use device::Device;
pub use dtype::{DataType, TypeCode};
