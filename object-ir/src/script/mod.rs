//! TVMScript: modules as text in the syntax of Python, as TVM shows them to people.
//!
//! [`mod@print`] writes the text, and [`parse`](mod@parse) reads it. Each piece of a printed text knows the place of its
//! object in the graph, so a diagnostic can underline an [`AccessPath`](object_core::access_path::AccessPath). [`page`] shows
//! scripts in a browser.

pub mod parse;
pub mod print;
pub mod page;

mod fold;
mod intrinsics;
mod memory;
mod words;
