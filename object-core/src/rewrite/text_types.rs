//! Whether places of types can hold the parts of a rule text, checked when the rule is made.

use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, Body, FieldInfo, TypeInfo, TypeSchema};
use crate::registry::Types;
use crate::value::Str;

/// The value as a field holds it.
pub(super) fn held(value: &Any, field: Option<&'static FieldInfo>) -> Result<Any> {
    let Some(field) = field else { return Ok(value.clone()) };
    let as_float = if let Any::Int(value) = value { Any::Float(*value as f64) } else { Any::None };
    for value in [value, &as_float] {
        if field.accepts(value.view()) {
            return Ok(value.clone());
        }
    }
    let message = format!(
        "field `{}` holds values of the type `{}`, got {value:?}, so no value matches",
        field.name,
        field.schema()
    );
    Err(Error::new(ErrorKind::TypeMismatch, message))
}

/// The type without `Optional`; `None` for types that say nothing about their values.
fn narrowed(schema: Option<&TypeSchema>) -> Option<&TypeSchema> {
    let schema = schema?;
    match schema.name {
        "Optional" => narrowed(schema.args.first()),
        "Any" | "ffi.Object" | "Variant" => None,
        _ => Some(schema),
    }
}

/// Checks that a place of the type `schema` can hold an object of the type `info`.
pub(super) fn check_type(info: &TypeInfo, schema: Option<&TypeSchema>) -> Result<()> {
    let Some(schema) = narrowed(schema) else { return Ok(()) };
    match Types::linked().get(schema.name) {
        Ok(expected) if info.is_or_extends(expected) => Ok(()),
        _ => {
            let message = format!(
                "expected a value of the type `{schema}`, got a `{}`, which this place cannot hold",
                info.type_key
            );
            Err(Error::new(ErrorKind::TypeMismatch, message))
        }
    }
}

/// The types of the parts of a container of the type `info`, an array or a map, at a place of the type `schema`: of the
/// elements, or of the keys and the values.
pub(super) fn parts_of(info: &TypeInfo, schema: Option<&TypeSchema>) -> Result<[Option<TypeSchema>; 2]> {
    match narrowed(schema) {
        None => Ok([None, None]),
        Some(schema) if schema.name == info.type_key => Ok([0, 1].map(|number| schema.args.get(number).cloned())),
        Some(schema) => {
            let given = if info.body == Body::Map { "a map" } else { "an array" };
            let message = format!("expected a value of the type `{schema}`, got {given}, which this place cannot hold");
            Err(Error::new(ErrorKind::TypeMismatch, message))
        }
    }
}

/// Checks that some value has the types of two places of a hole.
pub(super) fn check_hole(name: &Str, first: Option<&TypeSchema>, again: Option<&TypeSchema>) -> Result<()> {
    let (Some(first), Some(again)) = (narrowed(first), narrowed(again)) else { return Ok(()) };
    let is_related = match (Types::linked().get(first.name), Types::linked().get(again.name)) {
        (Ok(a), Ok(b)) => a.is_or_extends(b) || b.is_or_extends(a),
        _ => first.name == again.name,
    };
    if is_related {
        return Ok(());
    }
    let message = format!(
        "the hole `?{name}` stands for a value of the type `{first}`, got a place of the type `{again}`, which holds none"
    );
    Err(Error::new(ErrorKind::TypeMismatch, message))
}

/// The error for a field without a default that a text leaves out.
pub(super) fn missing(info: &TypeInfo, field: &FieldInfo, or: &str) -> Error {
    let message = format!("the field `{}` of `{}` has no default; state it{or}", field.name, info.type_key);
    Error::new(ErrorKind::MissingField, message)
}
