//! The state of printing: options, names, frames and metadata.

pub(crate) mod options;
pub(crate) mod names;
pub(crate) mod metadata;
pub(crate) mod frame;
pub(crate) mod account;
pub(crate) mod common_prefix;
pub(crate) mod printer;
pub(crate) mod type_vars;
pub(crate) mod walk;
pub(crate) mod compose;
pub(crate) mod references;
