//! Which variables are bound where, and how they are numbered.

pub(crate) mod bindings;
pub(crate) mod scope_stack;
pub(crate) mod numbering;
