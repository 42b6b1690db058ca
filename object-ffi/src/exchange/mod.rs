//! Values, objects, functions and types in both directions. The modules use each other: values are objects, objects have types,
//! types have fields and functions, and fields and arguments of functions are values.

pub(crate) mod arrays;
pub(crate) mod attributes;
pub(crate) mod compared_type;
pub(crate) mod comparison;
pub(crate) mod constructor;
pub(crate) mod difference;
pub(crate) mod draft;
pub(crate) mod field_form;
pub(crate) mod fields;
pub(crate) mod foreign_type;
pub(crate) mod from_peer;
pub(crate) mod functions;
pub(crate) mod hook_callback;
pub(crate) mod hooks;
pub(crate) mod lent;
pub(crate) mod maps;
pub(crate) mod reader;
pub(crate) mod to_peer;
pub(crate) mod types;
pub(crate) mod writer;
