//! Where and how two values differ.

pub(crate) mod diff;
pub(crate) mod mismatch;
