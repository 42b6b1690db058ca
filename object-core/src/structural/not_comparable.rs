//! [`not_comparable`]: the error for an object whose type takes no part in structural comparison.

use crate::access_path::AccessPath;
use crate::error::{Error, ErrorKind};

/// The error for an object of the type `type_key` at `path`.
pub(crate) fn not_comparable(type_key: &str, path: AccessPath) -> Error {
    let message = format!(
        "`{type_key}` takes no part in structural comparison; annotate it with `#[structural_eq(...)]`, or the field that \
         leads to it with `#[field(ignore)]`",
    );
    Error::new(ErrorKind::NotComparable, message).at(path)
}
