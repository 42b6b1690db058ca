//! [`OneLine`]: a shortened value on one line: `relax.expr.Call(op=ir.Op("relax.add"), args=[...])`.

use std::fmt::{self, Write};

use object_core::access_path::PathKey;
use object_core::object::{Body, FieldRole, JsonForm};
use object_core::{AnyView, FieldInfo, ObjectView};

/// The depth of the shown objects.
const MAX_DEPTH: usize = 3;
/// The number of shown elements, entries or fields of one object.
const MAX_ITEMS: usize = 6;
/// The number of shown characters of a text, and of the whole line.
const MAX_TEXT: usize = 60;
const MAX_LINE: usize = 200;

/// Displays a value on one line of limited length. It omits empty and ignored fields.
pub struct OneLine<'a>(pub AnyView<'a>);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line { text: String::new(), left: MAX_LINE };
        // An error means that the line is full.
        let ended = write_value(&mut line, self.0, MAX_DEPTH);
        f.write_str(&line.text)?;
        if ended.is_err() { f.write_str("...") } else { Ok(()) }
    }
}

/// A text with room for `left` more characters.
struct Line {
    text: String,
    left: usize,
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(c);
        }
        Ok(())
    }
}

/// Writes `value` with at most `depth` levels of objects.
fn write_value(line: &mut Line, value: AnyView<'_>, depth: usize) -> fmt::Result {
    match value.as_object() {
        Some(object) => write_object(line, object, depth),
        None => write!(line, "{value:?}"),
    }
}

/// Writes the value of a field.
fn write_field(line: &mut Line, field: &FieldInfo, value: AnyView<'_>, depth: usize) -> fmt::Result {
    match field.variant(value) {
        Some(variant) => write!(line, "{variant}"),
        None => write_value(line, value, depth),
    }
}

fn write_object(line: &mut Line, object: ObjectView<'_>, depth: usize) -> fmt::Result {
    if let Some(text) = object.as_str() {
        return write_text(line, text);
    }
    let Some(depth) = depth.checked_sub(1) else {
        return match object.type_info().body() {
            Body::Array => write!(line, "[...]"),
            Body::Map => write!(line, "{{...}}"),
            _ => write!(line, "{}(...)", object.type_key()),
        };
    };
    if let Some(array) = object.as_array() {
        return write_items(line, ["[", "]"], array.iter(), |line, item| write_value(line, item, depth));
    }
    if let Some(map) = object.as_map() {
        return write_items(line, ["{", "}"], map.iter(), |line, (key, value)| {
            write_value(line, key, depth)?;
            line.write_str(": ")?;
            write_value(line, value, depth)
        });
    }
    match (object.type_info().body(), object.type_info().json()) {
        (Body::Node, JsonForm::Field(index)) => {
            write!(line, "{}(", object.type_key())?;
            if let Some((field, value)) = object.fields().nth(index) {
                write_field(line, field, value, depth)?;
            }
            line.write_str(")")
        }
        (Body::Node, JsonForm::Fields) => {
            line.write_str(object.type_key())?;
            let is_shown = |value| !matches!(value, AnyView::None);
            let fields =
                object.fields().filter(|(field, value)| field.meta().role != FieldRole::Ignore && is_shown(*value));
            write_items(line, ["(", ")"], fields, |line, (field, value)| {
                write!(line, "{}=", field.name())?;
                write_field(line, field, value, depth)
            })
        }
        _ => write!(line, "{object:?}"),
    }
}

/// Writes the first items between brackets, and the number of the other items.
fn write_items<T>(
    line: &mut Line,
    [open, close]: [&str; 2],
    items: impl Iterator<Item = T>,
    mut write_item: impl FnMut(&mut Line, T) -> fmt::Result,
) -> fmt::Result {
    line.write_str(open)?;
    let mut items = items.enumerate();
    for (index, item) in items.by_ref().take(MAX_ITEMS) {
        line.write_str(if index > 0 { ", " } else { "" })?;
        write_item(line, item)?;
    }
    match items.count() {
        0 => line.write_str(close),
        more => write!(line, ", and {more} more{close}"),
    }
}

/// Writes the beginning of a text, quoted like the keys of paths.
fn write_text(line: &mut Line, text: &str) -> fmt::Result {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => write!(line, "{}...", PathKey::Str(text[..end].to_owned())),
        None => write!(line, "{}", PathKey::Str(text.to_owned())),
    }
}
