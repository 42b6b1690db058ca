//! The syntax tree of a Python text, with all errors of the syntax and their places.
//!
//! The parser of Ruff knows all of Python, recovers from errors and keeps the place of every node. The crate bounds the
//! depth of the tree before it parses, so that no text overflows the stack.

#![forbid(unsafe_code)]

mod nesting;
mod tree;

pub use tree::{SyntaxFault, with_expression, with_tree, with_tree_and_tokens};
