//! Allocation of objects, and the layouts of their memory.

pub(crate) mod alloc;
pub(crate) mod slice;
pub(crate) mod type_table;
pub(crate) mod node_box;
