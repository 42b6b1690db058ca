//! A builder of modules, functions and bindings in normal form.
//!
//! The builder keeps the state of one walk of `normal_form` open. Each method that can fail begins with a
//! checkpoint, and returns to it after an error.

mod header;
mod module;
mod builder;
mod emit;
mod scopes;

pub use builder::BlockBuilder;
pub use header::FunctionHeader;
