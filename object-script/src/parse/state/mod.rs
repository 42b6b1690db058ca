//! The state of the second stage: the parser, names, diagnostics, calls.

pub(crate) mod arguments;
pub(crate) mod call;
pub(crate) mod function_frame;
pub(crate) mod log;
pub(crate) mod names;
pub(crate) mod parser;
pub(crate) mod tir_frames;
