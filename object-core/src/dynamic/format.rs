//! The name and the version of the format of schemas.

/// The value of `format`.
pub(super) const FORMAT: &str = "object-schema";

/// The value of `version`.
pub(super) const VERSION: u64 = 1;
