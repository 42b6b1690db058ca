//! Allocation of objects, and the layouts of their memory.

pub(crate) mod slice;
pub(crate) mod node_box;
