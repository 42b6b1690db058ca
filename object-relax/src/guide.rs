//! The chapters of the guide about the meaning of Relax, and the index of the rules of the checker, in the documentation of this crate. Definitions before a chapter replace
//! the links of the book, because the first definition of a link counts.

#[doc = include_str!("../docs/5_types_and_shapes.md")]
pub mod types_and_shapes {}

/// [rules of values]: https://docs.rs/object-core/latest/object_core/guide/binders/#rewrite-rules
/// [index of rules]: crate::guide::rule_index
///
#[doc = include_str!("../docs/6_checks_and_changes.md")]
pub mod checks_and_changes {}

#[doc = include_str!("../docs/rule_index.md")]
pub mod rule_index {}
