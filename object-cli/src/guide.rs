//! The chapters of the guide about the command, in the documentation of this crate. Definitions before a chapter replace the links
//! of the book, because the first definition of a link counts.

/// [`objir run --compare`]: https://docs.rs/object-eval/latest/object_eval/guide/running_a_module/index.html
/// [`objir reduce`]: https://docs.rs/object-eval/latest/object_eval/guide/running_a_module/index.html#a-small-program-with-the-same-failure
///
#[doc = include_str!("../docs/16_which_pass_broke_it.md")]
pub mod which_pass_broke_it {}

#[doc = include_str!("../docs/19_objir_in_other_tools.md")]
pub mod objir_in_other_tools {}

/// [Security]: https://github.com/object-ir/object-ir/blob/main/docs/security.md
///
#[doc = include_str!("../docs/20_commands_and_versions.md")]
pub mod commands_and_versions {}

#[doc = include_str!("../docs/14_operations_by_name.md")]
pub mod operations_by_name {}
