//! Generates C++, Python and Rust from schemas: one declaration of a type, and the same type in three languages.
//!
//! A [`Schema`](object_core::dynamic::Schema) is the model of all inputs and outputs. It comes from linked types, from
//! a schema file, or from Python declarations ([`python_input`]).

#![forbid(unsafe_code)]

pub mod custom_parts;
pub mod diagnostic;
pub mod python_input;
