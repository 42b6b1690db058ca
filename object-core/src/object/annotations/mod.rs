//! What the compiler checks about annotations: rules that need the tables of several types.

pub(crate) mod contents_search;
pub(crate) mod message;
pub(crate) mod rules;
