//! Rust types as nodes, handles and fields, and structural hooks.

pub(crate) mod as_any_view;
pub(crate) mod builtin;
pub(crate) mod conversions;
pub(crate) mod hook;
pub(crate) mod skipped_ops;
pub(crate) mod field_ops;
pub(crate) mod field_place;
pub(crate) mod field_type;
pub(crate) mod handle;
pub(crate) mod no_new;
pub(crate) mod upcast;
