//! Graphs from TVMScript.
//!
//! Reading has two stages. The crate `object-python-syntax` makes the tree of Python of a text, with the place of every
//! node. The second stage evaluates the tree: statements
//! of modules, of Relax and of TIR, and expressions, which they share.

mod diagnostic;
mod value;
mod state;
mod expr;
mod ir;
mod relax;
mod tir;
mod table;
mod entry;
mod parts;

pub use diagnostic::{Diagnostic, Errors};
pub use entry::{ScriptParser, parse};
pub(crate) use parts::{Part, Parts, names, tokens_in, with_parts};
