//! The first stage: text as a syntax tree of Python.

pub(crate) mod nesting;
pub(crate) mod tree;
