//! The work of the page in `site`: requests in JSON over files in memory, answered in JSON.
//!
//! [`answer`] is all that the page calls. In WebAssembly, `abi` exports it as plain C functions; the worker of the page
//! (`site/worker.js`) is the other side.
//!
//! | request | files | answer |
//! |---|---|---|
//! | `print` | a program | its script |
//! | `check` | a program | the violations, with their places in a text |
//! | `infer` | a program | the script with structural information, and findings |
//! | `diff` | two programs | the differences as text and as a page |
//! | `hash` | a graph | the structural hash and counts |
//! | `language` | a schema, two values | equality, hashes, the first mismatch |
//! | `functions` | a module | the functions that a run can begin with; with the feature `run` |
//! | `run` | a module | the result of a function for random arguments; with the feature `run` |
//!
//! A program is a JSON graph, a binary graph or a script, gzipped or not.

#![deny(unsafe_code)]

mod place;
mod failure;
mod program;
mod print;
mod check;
mod infer;
mod diff;
mod hash;
mod language;
#[cfg(feature = "run")]
mod run;
mod request;
#[cfg(target_family = "wasm")]
mod abi;

pub use request::answer;
