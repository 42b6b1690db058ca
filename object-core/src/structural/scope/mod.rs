//! The bindings of variables, their scopes, and their numbers in hashes.

pub(crate) mod bindings;
pub(crate) mod dependencies;
pub(crate) mod scope_stack;
pub(crate) mod numbering;
