//! Helpers for text in names, labels and messages. They use no other module of the crate.

pub(crate) mod brief;
pub(crate) mod const_message;
pub(crate) mod counted;
pub(crate) mod did_you_mean;
pub(crate) mod inert;
pub(crate) mod line_index;
pub(crate) mod names;
pub(crate) mod placeholders;
pub(crate) mod quote;
