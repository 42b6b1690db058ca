//! Memory of objects: allocation, layouts, release and copies, and the type tables that describe them.
//!
//! An object is a header of 16 bytes (a reference count and a mark of 32 bits each, the address of its `TypeInfo`) and
//! its node: the struct of the user, in the layout that rustc chooses. A handle is one pointer to the header, and so is
//! `Option` of a handle. All handles have one layout, so a reference to a handle is also a reference to the handle of
//! each ancestor (`AsRef`, `Array::upcast`). The field `base` may lie anywhere in the struct: the table has its offset,
//! which the dereference of a handle of an open type looks up.
//!
//! Texts, bytes, shapes and arrays hold their elements after the header, in the same allocation; an array of objects
//! holds bare pointers. Arrays and maps store a bound of the types of their elements, so the check of a typed handle
//! takes constant time in almost all cases.
//!
//! # Order in memory
//!
//! Operations on graphs that are not in the caches wait for memory, so the order of the objects counts. The JSON reader
//! (`json/fast.rs`) and deep copies allocate in the order of a traversal. A release begins with the last child of an
//! object, because an allocator returns the memory first that it took back last: in the opposite order, the next graph
//! would lie in memory backwards.

pub(crate) mod alloc;
mod generated;
pub(crate) mod slice;
pub(crate) mod type_table;
pub(crate) mod node_box;
