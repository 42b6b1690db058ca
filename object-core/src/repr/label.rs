//! How objects are written as map keys in access paths.

use super::Repr;
use crate::access_path::{AccessStep, PathKey};
use crate::graph::ChildSlot;
use crate::object::{AnyView, ObjectView};

/// A text for `value` alone, without marks of what is shared.
fn plain(value: AnyView<'_>) -> String {
    Repr::of(value).sharing(false).to_string()
}

/// How `object` is written as a map key in an access path: by the `label` of its type, by the key of a singleton, or
/// by its repr.
fn label(object: ObjectView<'_>) -> String {
    let info = object.type_info();
    let Some(mut rest) = info.label else {
        return object.singleton_key().map_or_else(|| plain(AnyView::Object(object)), str::to_owned);
    };
    let mut text = String::new();
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let (name, tail) = after.split_once('}').unwrap_or((after, ""));
        let (name, quoted) = name.strip_suffix(":?").map_or((name, false), |name| (name, true));
        match object.get(name).unwrap_or_default() {
            value if quoted => text.push_str(&plain(value)),
            value => text.push_str(&value.as_str().map_or_else(|| plain(value), str::to_owned)),
        }
        rest = tail;
    }
    text + rest
}

/// How a key is written in a path.
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

/// The step to the child at `slot`. A key of a map has that of its value.
pub(crate) fn path_step(slot: ChildSlot<'_>) -> AccessStep {
    match slot {
        ChildSlot::Field(field) => AccessStep::Attr(field.name.to_owned()),
        ChildSlot::Item(index) => AccessStep::ArrayItem(index),
        ChildSlot::Key(key) | ChildSlot::Value(key) => AccessStep::MapItem(path_key(key)),
    }
}
