//! The bindings of variables, their scopes, and their numbers in hashes.

pub(crate) mod bindings;
pub(crate) mod facts;
pub(crate) mod scope_stack;
pub(crate) mod numbering;
pub(crate) mod positions;
pub(crate) mod relations;
pub(crate) mod statuses;
