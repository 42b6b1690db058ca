//! Generates C++, Python and Rust from schemas: one declaration of a type, and the same type in three languages.
//!
//! A [`Schema`](object_core::dynamic::Schema) is the model of all inputs and outputs. It comes from linked types, from
//! a schema file, or from Python declarations ([`python_input`]).

#![forbid(unsafe_code)]

pub mod checksum;
mod class_context;
mod cpp;
pub mod custom_parts;
pub mod diagnostic;
mod documentation;
mod enum_context;
mod field_default;
pub mod files;
mod generate;
mod hierarchy;
mod language;
pub mod model;
mod module_context;
mod names;
mod namespaces;
mod needs;
mod plain_value;
mod python;
pub mod python_input;
pub mod regions;
mod reserved;
mod rust;
mod rust_contents;
mod target;
mod templates;
pub mod unified_diff;
// Tests of the workspace run its examples.
#[cfg(all(doc, not(doctest)))]
pub mod guide;

pub use generate::generate;
pub use namespaces::{rename_keys, rename_namespaces};
pub use target::Target;
