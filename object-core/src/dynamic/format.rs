//! The name and the version of the format of schemas.

/// The value of `format`.
pub(super) const FORMAT: &str = "object-schema";

/// The value of `version`. Version 2 added `enums`, `functions`, `methods`, the names of classes, `hand_written`, `meta` of
/// types, and `width`, `enum` and `export` of fields. A reader of version 1 rejects version 2, and this program reads both.
pub(super) const VERSION: u64 = 2;
