//! Tables that compare their keys by structure.

pub(crate) mod by_structure;
pub(crate) mod collections;
pub(crate) mod free_var_key;
pub(crate) mod intern_table;
pub(crate) mod interner;
pub(crate) mod key;
pub(crate) mod probe;
pub(crate) mod shallow;
pub(crate) mod share_parts;
