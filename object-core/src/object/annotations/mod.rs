//! Rules about annotations that need the tables of several types. The compiler evaluates them in constants.

pub(crate) mod accepted_values;
pub(crate) mod contents_search;
pub(crate) mod rules;
