//! The chapter of the guide about scripts, in the documentation of this crate.

#[doc = include_str!("../docs/7_scripts.md")]
pub mod scripts {}
