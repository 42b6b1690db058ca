//! The chapter of the guide about live objects in Python, in the documentation of this crate. Definitions before a chapter replace
//! the links of the book, because the first definition of a link counts.

/// [operations by name]: https://github.com/object-ir/object-ir/blob/main/docs/14_operations_by_name.md
/// [hooks]: https://docs.rs/object-core/latest/object_core/guide/custom_hooks/
///
#[doc = include_str!("../docs/13_live_objects.md")]
pub mod live_objects {}
