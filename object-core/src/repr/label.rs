//! Map keys and steps in access paths.

use std::fmt::Write as _;

use super::write::Repr;
use crate::access_path::{AccessStep, PathKey};
use crate::graph::ChildSlot;
use crate::object::{AnyView, ObjectView};
use crate::text::placeholders::{LabelPart, TextForm, label_parts};
use crate::text::quote::{Charset, write_quoted, write_word};

/// The repr of `value` without numbers of shared objects.
fn plain(value: AnyView<'_>) -> String {
    Repr::new(&value).sharing(false).to_string()
}

/// The text of `object` as a map key in an access path: the `label` of its type, else the key of a singleton, else the
/// repr.
fn label(object: ObjectView<'_>) -> String {
    let info = object.type_info();
    let Some(label) = info.label else {
        return object.singleton_key().map_or_else(|| plain(AnyView::Object(object)), str::to_owned);
    };
    let mut text = String::new();
    // The derive and the schema loader have checked the label.
    for part in label_parts(label).unwrap_or_default() {
        match part {
            LabelPart::Text(part) => text.push_str(part),
            LabelPart::Field { path, form } => {
                let value =
                    path.split('.').try_fold(AnyView::Object(object), |value, name| value.as_object()?.get(name));
                let value = value.unwrap_or_default();
                // Writing to a string cannot fail.
                let _ = match (value.as_str(), form) {
                    (Some(value), TextForm::Plain) => text.write_str(value),
                    (Some(value), TextForm::Quoted) => write_quoted(&mut text, value, Charset::Bytes),
                    (Some(value), TextForm::Word) => write_word(&mut text, value),
                    (None, _) => text.write_str(&plain(value)),
                };
            }
        }
    }
    text
}

/// A map key for an access path.
pub(crate) fn path_key(key: AnyView<'_>) -> PathKey {
    match key {
        AnyView::Int(value) => PathKey::Int(value),
        AnyView::Object(object) => match object.as_str() {
            Some(text) => PathKey::Str(text.to_owned()),
            None => PathKey::Other { type_key: object.type_key(), label: label(object) },
        },
        other => PathKey::Other { type_key: other.type_key(), label: plain(other) },
    }
}

impl PathKey {
    /// The key of a map entry as plain data.
    #[must_use]
    pub fn of(key: AnyView<'_>) -> Self {
        path_key(key)
    }
}

/// The step to the child at `slot`. A key of a map has the step of its value.
pub(crate) fn path_step(slot: ChildSlot<'_>) -> AccessStep {
    match slot {
        ChildSlot::Field(field) => AccessStep::Attr(field.name.to_owned()),
        ChildSlot::Item(index) => AccessStep::ArrayItem(index),
        ChildSlot::Key(key) | ChildSlot::Value(key) => AccessStep::MapItem(path_key(key)),
    }
}
