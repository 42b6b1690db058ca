//! Texts and pictures of values.

#![allow(missing_docs, reason = "the types of a test explain themselves")]

#[path = "../demo/mod.rs"]
mod demo;

mod page;
mod picture;
#[cfg(feature = "inventory")]
mod print;
#[cfg(feature = "inventory")]
mod repr_indent;
#[cfg(feature = "inventory")]
mod repr_parse;
