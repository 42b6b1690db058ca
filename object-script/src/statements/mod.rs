//! The statements of a text, and the statements of two texts of one value in pairs: a text as somebody wrote it, and the text of
//! the printer.

mod tree;
mod counterparts;

pub(crate) use counterparts::counterparts;
pub(crate) use tree::{LiteralStatement, Statement, Statements};
