//! The name and the version of the format of schemas.

/// The value of `format`.
pub(super) const FORMAT: &str = "object-schema";

/// The value of `version`. Version 2 added `enums`, `functions`, `methods`, the names of classes, `hand_written`, `meta` of
/// types, and `width`, `enum` and `export` of fields. Version 3 added the words about files of earlier declarations:
/// `version`, `alias`, `removed`, `migrates_from` and `files` of types, `alias` and `required` of fields, and `aliases` of
/// enums. Version 4 added types as the value of `enum`, which name the enums in containers: earlier versions do not say whether the
/// numbers in containers are numbers of enums. Version 5 added the words about values and texts: `same_len`, `verify` and `syntax` of
/// types, and `range`, `len` and `one_of` of fields. A reader rejects newer versions, and this program reads all.
pub(super) const VERSION: u64 = 5;
