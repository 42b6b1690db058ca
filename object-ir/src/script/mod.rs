//! TVMScript: modules as text in the syntax of Python, as TVM shows them to people.
//!
//! [`mod@print`] writes the text, and `parse` reads it, with the feature `script`. Each piece of a printed text knows the place of its
//! object in the graph, so a diagnostic can underline an [`AccessPath`](object_core::access_path::AccessPath), and `SourcePlaces`
//! finds the piece in the text that somebody wrote. [`page`] shows scripts in a browser.

#[cfg(feature = "script")]
pub mod parse;
pub mod print;
pub mod page;
#[cfg(feature = "script")]
pub mod format;
#[cfg(feature = "script")]
mod source_places;
#[cfg(feature = "script")]
mod statements;
#[cfg(feature = "script")]
mod exact;

// The parser uses more of these modules than the printer.
#[cfg_attr(not(feature = "script"), allow(dead_code, reason = "the rest is for the parser"))]
mod fold;
#[cfg_attr(not(feature = "script"), allow(dead_code, reason = "the rest is for the parser"))]
mod intrinsics;
mod llvm_intrinsics;
mod memory;
mod pairing;
#[cfg_attr(not(feature = "script"), allow(dead_code, reason = "the rest is for the parser"))]
mod words;

#[cfg(feature = "script")]
pub use source_places::SourcePlaces;
