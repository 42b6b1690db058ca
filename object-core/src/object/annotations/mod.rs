//! What the compiler checks about annotations: rules that need the tables of several types.

pub(crate) mod rules;
