//! The chapter of the guide about generated code, in the documentation of this crate.

#[doc = include_str!("../docs/9_one_schema_three_languages.md")]
pub mod one_schema_three_languages {}
