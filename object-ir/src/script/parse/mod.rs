//! Graphs from TVMScript.
//!
//! Reading has two stages. The module `syntax` makes the tree of Python of a text, with the parser of Ruff, which knows
//! all of Python, recovers from errors and keeps the place of every node. The second stage evaluates the tree: statements
//! of modules, of Relax and of TIR, and expressions, which they share.

mod diagnostic;
mod value;
mod syntax;
mod state;
mod expr;
mod ir;
mod relax;
mod tir;
mod table;
mod entry;

pub use diagnostic::{Diagnostic, Errors};
pub use entry::{ScriptParser, parse};
