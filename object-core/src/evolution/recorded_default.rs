//! Defaults of fields as files record them: JSON values.

use serde_json::Value;

use crate::object::{Any, AnyView, FieldInfo};

/// The levels of arrays and maps in a recorded default.
pub(crate) const MAX_LEVELS: usize = 8;

/// The default of a field, if it has a form in JSON. A variant of an enum is its name.
pub(super) fn default_of(field: &FieldInfo) -> Option<Value> {
    match (field.default()?, field.enumeration()) {
        (Any::Int(number), Some(enumeration)) => Some(enumeration.name_of(number)?.into()),
        (default, _) => json_of(default.view(), MAX_LEVELS),
    }
}

/// The form of a value in JSON, if it is a plain value, a text, or an array or a map from texts of such values.
pub(crate) fn json_of(value: AnyView<'_>, levels: usize) -> Option<Value> {
    Some(match value {
        AnyView::None => Value::Null,
        AnyView::Bool(value) => value.into(),
        AnyView::Int(number) => number.into(),
        AnyView::Float(value) if value.is_finite() => value.into(),
        AnyView::Object(object) => {
            if let Some(text) = value.as_str() {
                return Some(text.into());
            }
            let levels = levels.checked_sub(1)?;
            match (object.as_array(), object.as_map()) {
                (Some(items), _) => {
                    Value::Array(items.iter().map(|item| json_of(item, levels)).collect::<Option<_>>()?)
                }
                (_, Some(map)) => {
                    let entry = |(key, value): (AnyView<'_>, AnyView<'_>)| {
                        Some((key.as_str()?.to_owned(), json_of(value, levels)?))
                    };
                    Value::Object(map.iter().map(entry).collect::<Option<_>>()?)
                }
                (None, None) => return None,
            }
        }
        AnyView::Float(_) | AnyView::DataType(_) | AnyView::Device(_) => return None,
    })
}

/// Whether a value is the recorded default. The work is in proportion to the default.
pub(super) fn is_recorded(value: AnyView<'_>, default: &Value) -> bool {
    match (value, default) {
        (AnyView::None, Value::Null) => true,
        (AnyView::Bool(value), Value::Bool(default)) => value == *default,
        (AnyView::Int(value), Value::Number(default)) => default.as_i64() == Some(value),
        // The bits, because 0 and -0 are two values.
        (AnyView::Float(value), Value::Number(default)) => {
            default.is_f64() && default.as_f64().is_some_and(|default| default.to_bits() == value.to_bits())
        }
        (AnyView::Object(object), Value::Array(defaults)) => object.as_array().is_some_and(|items| {
            items.len() == defaults.len()
                && items.iter().zip(defaults).all(|(item, default)| is_recorded(item, default))
        }),
        (AnyView::Object(object), Value::Object(defaults)) => object.as_map().is_some_and(|map| {
            let is_default = |(key, value): (AnyView<'_>, AnyView<'_>)| {
                let default = key.as_str().and_then(|key| defaults.get(key));
                default.is_some_and(|default| is_recorded(value, default))
            };
            map.len() == defaults.len() && map.iter().all(is_default)
        }),
        (value, Value::String(default)) => value.as_str() == Some(default),
        _ => false,
    }
}
