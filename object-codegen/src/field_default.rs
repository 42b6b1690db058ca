//! [`FieldDefault`]: the default of a field, as a literal or as the text of a JSON graph.

use object_core::dynamic::{DeclaredDefault, TypeText};
use object_core::json::JsonWriter;
use serde_json::Value;

use crate::model::Model;
use crate::plain_value::PlainValue;

/// The default of a field.
pub(crate) struct FieldDefault<'a> {
    declared: &'a DeclaredDefault,
    /// The value; `None` if objects of generated types are in it.
    plain: Option<PlainValue>,
}

impl<'a> FieldDefault<'a> {
    /// The default of a field of the type `ty`.
    ///
    /// # Errors
    /// The reason that no generated code can make it: objects of unknown types, or a malformed graph.
    pub(crate) fn new(model: &Model<'_>, ty: &TypeText, declared: &'a DeclaredDefault) -> Result<Self, String> {
        let mut default = FieldDefault { declared, plain: None };
        if !matches!(declared, DeclaredDefault::Graph(graph) if has_objects(graph)) {
            let value = declared.value().map_err(|error| error.to_string())?;
            default.plain = PlainValue::of(value.view()).map(|plain| plain.fit(ty));
        }
        if default.plain.is_none() {
            let graph: Value = serde_json::from_str(&default.graph()?).map_err(|error| error.to_string())?;
            if let Some(key) = keys(&graph).find(|key| !is_value(key) && model.find(key).is_none()) {
                return Err(format!(
                    "its default has an object of the unknown type `{key}`; add the schema of the type as context"
                ));
            }
        }
        Ok(default)
    }

    /// The value, if a literal can stand for it.
    pub(crate) fn plain(&self) -> Option<&PlainValue> {
        self.plain.as_ref()
    }

    /// The text of the value as a JSON graph, which all languages read.
    ///
    /// # Errors
    /// The reason that the value has no form in JSON.
    pub(crate) fn graph(&self) -> Result<String, String> {
        match self.declared {
            DeclaredDefault::Graph(graph) => Ok(graph.to_string()),
            declared => {
                let value = declared.value().map_err(|error| error.to_string())?;
                JsonWriter::new().tvm_form().to_string(&value).map_err(|error| error.to_string())
            }
        }
    }

    /// Whether each object needs its own copy of the value: JSON graphs show whether two objects share it.
    pub(crate) fn has_identity(&self) -> bool {
        self.plain.as_ref().is_none_or(PlainValue::has_identity)
    }
}

/// The type keys of the nodes of a graph.
fn keys(graph: &Value) -> impl Iterator<Item = &str> {
    let nodes = graph.get("nodes").and_then(Value::as_array).into_iter().flatten();
    nodes.filter_map(|node| node.get("type")?.as_str())
}

/// Whether a node with this type key is a value or a container of tvm-ffi, and not an object of a schema.
fn is_value(key: &str) -> bool {
    !key.contains('.') || key.starts_with("ffi.")
}

fn has_objects(graph: &Value) -> bool {
    keys(graph).any(|key| !is_value(key))
}
