//! Tables with structural keys.

pub(crate) mod collections;
pub(crate) mod free_var_key;
pub(crate) mod interner;
pub(crate) mod key;
