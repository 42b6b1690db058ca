//! The chapters of the guide about languages of your own, and the index of the errors of the derive, in the documentation of this crate. Definitions before a chapter replace
//! the links of the book, because the first definition of a link counts.

/// [Binders]: crate::guide::binders
/// [memory]: https://raw.githubusercontent.com/object-ir/object-ir/main/docs/pictures/memory.svg
/// [binding]: https://raw.githubusercontent.com/object-ir/object-ir/main/docs/pictures/binding.svg
/// [sharing]: https://raw.githubusercontent.com/object-ir/object-ir/main/docs/pictures/sharing.svg
/// [crates]: https://raw.githubusercontent.com/object-ir/object-ir/main/docs/pictures/crates.svg
///
#[doc = include_str!("../docs/what_the_derive_generates.md")]
pub mod what_the_derive_generates {}

/// [reference]: https://docs.rs/object-derive/latest/object_derive/derive.Object.html
/// [error index]: crate::guide::error_index
///
#[doc = include_str!("../docs/1_first_ir.md")]
pub mod first_ir {}

/// [Rules]: crate::guide::rules
/// [rules over bindings]: crate::guide::rules#rules-over-bindings
/// [first]: crate::guide::first_ir
///
#[doc = include_str!("../docs/2_binders.md")]
pub mod binders {}

#[doc = include_str!("../docs/3_custom_hooks.md")]
pub mod custom_hooks {}

#[doc = include_str!("../docs/4_handles.md")]
pub mod handles {}

/// [rules of values]: crate::guide::binders#rewrite-rules
/// [uses]: crate::guide::uses_and_edits
///
#[doc = include_str!("../docs/10_rules.md")]
pub mod rules {}

#[doc = include_str!("../docs/11_plug_ins.md")]
pub mod plug_ins {}

#[doc = include_str!("../docs/12_uses_and_edits.md")]
pub mod uses_and_edits {}

#[doc = include_str!("../docs/15_texts_of_a_language.md")]
pub mod texts_of_a_language {}

#[doc = include_str!("../docs/17_declarations_that_change.md")]
pub mod declarations_that_change {}

#[doc = include_str!("../docs/18_binary_graphs.md")]
pub mod binary_graphs {}

#[doc = include_str!("../docs/21_operations_at_a_glance.md")]
pub mod operations_at_a_glance {}

#[doc = include_str!("../docs/error_index.md")]
pub mod error_index {}
