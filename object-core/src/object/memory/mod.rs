//! Memory of objects: allocation, layouts, release and copies, and the type tables that describe them.

pub(crate) mod alloc;
mod generated;
pub(crate) mod slice;
pub(crate) mod type_table;
pub(crate) mod node_box;
