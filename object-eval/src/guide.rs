//! The chapter of the guide about runs of modules, in the documentation of this crate. Definitions before a chapter replace
//! the links of the book, because the first definition of a link counts.

/// [functions of Python]: https://github.com/object-ir/object-ir/blob/main/docs/14_operations_by_name.md#functions-of-python-in-a-module
///
#[doc = include_str!("../docs/8_running_a_module.md")]
pub mod running_a_module {}
