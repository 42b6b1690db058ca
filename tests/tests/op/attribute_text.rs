//! Attributes in tables: `{axis: [0], keepdims: true}`; fields that are left out have their defaults.

use object_core::prelude::*;
use object_core::{Any, ObjectBuilder};
use object_ir::ir::Attrs;
use object_ir::op::Signature;

use crate::tokens::split;

/// The attributes of a call: the defaults of the operator with the given fields, or none without fields and defaults.
pub(crate) fn attributes(signature: &Signature, text: &str) -> Option<Attrs> {
    let type_info = signature.attributes()?;
    let default = signature.default_attributes();
    let fields = split(text, ",");
    let mut builder = match &default {
        Some(default) => ObjectBuilder::from_object(default.as_object().view()),
        None if text.is_empty() => return None,
        None => ObjectBuilder::new(type_info),
    }
    .unwrap_or_else(|error| panic!("{error}"));
    for field in fields {
        let (name, value) = field.split_once(':').unwrap_or_else(|| panic!("`{field}`: expected `name: value`"));
        builder.set(name.trim(), self::value(value.trim())).unwrap_or_else(|error| panic!("`{field}`: {error}"));
    }
    let object = builder.build().unwrap_or_else(|error| panic!("{}: {error}", signature.name));
    Some(Any::from(object).cast().unwrap_or_else(|error| panic!("{error}")))
}

fn value(text: &str) -> Any {
    if let Some(items) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        return Array::from_anys(split(items, ",").into_iter().map(value).collect()).into();
    }
    if let Some(quoted) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        return Str::from(quoted).into();
    }
    match text {
        "none" => return Any::None,
        "{}" => return Map::<Any, Any>::new([]).into(),
        "true" | "false" => return (text == "true").into(),
        _ => {}
    }
    if let Ok(int) = text.parse::<i64>() {
        return int.into();
    }
    if let Ok(float) = text.parse::<f64>() {
        return float.into();
    }
    let dtype: DataType = text.parse().unwrap_or_else(|error| panic!("`{text}`: {error}"));
    dtype.into()
}
