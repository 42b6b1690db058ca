//! The bindings of variables, their scopes, and their numbers and positions in hashes.

pub(crate) mod bindings;
pub(crate) mod changes;
pub(crate) mod dependencies;
pub(crate) mod facts;
pub(crate) mod matches;
pub(crate) mod numbering;
pub(crate) mod occurrences;
pub(crate) mod positions;
pub(crate) mod relations;
pub(crate) mod scope_stack;
pub(crate) mod statuses;
