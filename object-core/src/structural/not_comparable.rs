//! [`not_comparable`]: the error for an object whose type takes no part in structural comparison.

use crate::access_path::AccessPath;
use crate::error::{Error, ErrorKind};
use crate::object::{JsonForm, ObjectView, UNKNOWN_TYPE};

/// The error for `object` at `path`.
pub(crate) fn not_comparable(object: Option<ObjectView<'_>>, path: AccessPath) -> Error {
    let type_key = object.map_or("?", ObjectView::type_key);
    let message = match object.map(|object| object.type_info().json) {
        Some(JsonForm::Kept) => format!("`{type_key}` takes no part in structural comparison: {UNKNOWN_TYPE}"),
        _ => format!(
            "`{type_key}` takes no part in structural comparison; annotate it with `#[structural_eq(...)]`, or the field \
             that leads to it with `#[field(ignore)]`",
        ),
    };
    Error::new(ErrorKind::NotComparable, message).at(path)
}
