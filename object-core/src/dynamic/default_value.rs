//! Default values of fields in a schema: from JSON and to JSON.

use serde_json::Value;

use crate::dynamic::json_cursor::JsonCursor;
use crate::dynamic::type_text::TypeText;
use crate::error::{Error, ErrorKind, Result};
use crate::json::{self, JsonWriter};
use crate::object::Any;
use crate::text::brief::brief;
use crate::value::Str;

/// The default of a field in a schema.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum DeclaredDefault {
    /// A value.
    Value(Any),
    /// A JSON graph, whose objects may have types of the same schema.
    Graph(Value),
}

impl DeclaredDefault {
    /// The value.
    ///
    /// # Errors
    /// If the graph is malformed, or an object in it has a type that the program does not link.
    pub fn value(&self) -> Result<Any> {
        match self {
            DeclaredDefault::Value(value) => Ok(value.clone()),
            DeclaredDefault::Graph(graph) => json::from_slice(graph.to_string().as_bytes()),
        }
    }
}

impl From<Any> for DeclaredDefault {
    fn from(value: Any) -> Self {
        DeclaredDefault::Value(value)
    }
}

/// Reads a default: a plain value, or a JSON graph for any other value.
pub(super) fn parse_default(cursor: &JsonCursor<'_>) -> Result<DeclaredDefault> {
    match cursor.value {
        Value::Object(_) => Ok(DeclaredDefault::Graph(cursor.value.clone())),
        _ => parse_plain(cursor).map(DeclaredDefault::Value),
    }
}

fn parse_plain(cursor: &JsonCursor<'_>) -> Result<Any> {
    match cursor.value {
        Value::Null => Ok(Any::None),
        Value::Bool(value) => Ok(Any::Bool(*value)),
        Value::String(text) => Ok(Str::new(text).into()),
        Value::Number(number) => match (number.as_i64(), number.is_u64(), number.as_f64()) {
            (Some(value), ..) => Ok(Any::Int(value)),
            (None, false, Some(value)) => Ok(Any::Float(value)),
            _ => Err(cursor.error(
                ErrorKind::OutOfRange,
                format!("{} does not fit 64 bits with a sign", brief(&number.to_string())),
            )),
        },
        Value::Array(_) | Value::Object(_) => Err(cursor.mismatch("a plain value or a graph")),
    }
}

/// The nodes of a graph: the type key of each node, with its data.
pub(super) fn nodes(graph: &Value) -> impl Iterator<Item = (&str, Option<&Value>)> {
    let nodes = graph.get("nodes").and_then(Value::as_array).into_iter().flatten();
    nodes.filter_map(|node| Some((node.get("type")?.as_str()?, node.get("data"))))
}

/// A default in JSON: a plain value if the type of the field determines its meaning, else a JSON graph.
pub(super) fn default_json(default: &DeclaredDefault, ty: &TypeText) -> Result<Value> {
    match default {
        DeclaredDefault::Value(value) => value_json(value, ty),
        DeclaredDefault::Graph(graph) => Ok(graph.clone()),
    }
}

fn value_json(default: &Any, ty: &TypeText) -> Result<Value> {
    Ok(match default {
        Any::None => Value::Null,
        Any::Bool(value) => (*value).into(),
        Any::Int(value) => (*value).into(),
        Any::Float(value) if value.is_finite() => (*value).into(),
        // JSON has only finite numbers.
        Any::Float(value) if ty.name == "float" => match value {
            value if value.is_nan() => "NaN".into(),
            value if *value > 0.0 => "Infinity".into(),
            _ => "-Infinity".into(),
        },
        Any::DataType(value) if ty.name == "DataType" => value.to_string().into(),
        other => match other.view().as_str() {
            Some(text) => text.into(),
            None => {
                let graph = JsonWriter::new().tvm_form().to_string(other)?;
                serde_json::from_str(&graph).map_err(|error| {
                    let message = format!("the default `{}` has no form in JSON: {error}", brief(&other.to_string()));
                    Error::new(ErrorKind::NotSerializable, message)
                })?
            }
        },
    })
}
