//! The second stage, modules: definitions, attributes, global infos.

pub(crate) mod decorator;
pub(crate) mod functions;
pub(crate) mod global_infos;
pub(crate) mod logged;
pub(crate) mod module;
pub(crate) mod target;
