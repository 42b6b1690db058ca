//! The syntax tree of a text, and its text.

pub(crate) mod operator;
pub(crate) mod tree;
pub(crate) mod quote;
pub(crate) mod rendered;
pub(crate) mod render;
