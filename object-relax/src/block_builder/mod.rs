//! A builder of modules, functions and bindings in normal form.

mod header;
mod module;
mod builder;
mod emit;
mod scopes;

pub use builder::BlockBuilder;
pub use header::FunctionHeader;
