//! TVMScript: modules as text in the syntax of Python, as TVM shows them to people.
//!
//! [`mod@print`] writes the text, and [`mod@parse`] reads it. Each piece of a printed text knows the place of its
//! object in the graph, so a diagnostic can underline an [`AccessPath`](object_core::access_path::AccessPath), and `SourcePlaces`
//! finds the piece in the text that somebody wrote. [`page`] shows scripts in a browser, and [`rendering`] violations
//! and differences as text. [`mod@file`] reads files of
//! graphs and scripts, and [`trace`] shows what passes did.

#![forbid(unsafe_code)]

pub mod parse;
pub mod print;
pub mod page;
pub mod rendering;
pub mod format;
pub mod file;
pub mod editor;
pub mod trace;
mod source_places;
mod statements;
mod exact;

mod lines;
mod intrinsics;
mod llvm_intrinsics;
mod memory;
mod words;
// Nobody calls functions of a module of WebAssembly by name, and their table would keep all of them in it.
#[cfg(not(target_family = "wasm"))]
mod functions;
#[cfg(test)]
mod version_names;
// Tests of the workspace run its examples.
#[cfg(all(doc, not(doctest)))]
pub mod guide;

pub use source_places::SourcePlaces;
