//! Modules, types, attributes and global infos.

pub(crate) mod header;
pub(crate) mod types;
pub(crate) mod global;
pub(crate) mod module;
pub(crate) mod functions;
pub(crate) mod scalar;
pub(crate) mod tensor;
