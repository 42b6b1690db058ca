//! `serde::Serialize` and `serde::Deserialize` of handles and values: a graph as one value of any format that describes itself.
//!
//! The value has the form of a JSON graph: a map with `declarations`, `root_index` and `nodes`. `serde_json` makes a JSON graph of
//! it. Formats that are not for people have bytes, tensors, `NaN` and infinities as such; the others have base64 and texts.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::de::{DeserializeSeed, Error as _};
use serde::ser::{Error as _, SerializeMap, SerializeSeq};
use serde::{Deserializer, Serialize, Serializer};

use super::tensor_blob;
use crate::error::{Error, ErrorKind, Result};
use crate::json::declarations::{Declaration, declarations_of, named_variants};
use crate::json::general;
use crate::json::graph::Graph;
use crate::json::json_scalar::float_name;
use crate::json::node_order::{NodeOrder, order_nodes};
use crate::json::options::JsonReader;
use crate::json::read::cast_root;
use crate::limits::Limits;
use crate::object::{AnyView, AsAnyView, Body, Enumeration, FieldType, JsonForm, ObjectView};
use crate::registry::check_key;
use crate::value::Tensor;

/// Reads a graph from a value of any format that describes itself, with the options of the reader.
///
/// The limit of bytes does not count, because the format has the text. Objects of unknown types are an error also for a reader
/// that [keeps](JsonReader::keep_unknown_types) them, because only JSON has their text.
///
/// ```
/// use object_core::{Array, json::JsonReader};
/// use serde::de::DeserializeSeed;
/// let value = serde_json::to_value(Array::from([1, 2]))?;
/// let graph = JsonReader::new().deserialize(value)?;
/// assert_eq!(graph.root.cast::<Array<i64>>()?, [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<'de> DeserializeSeed<'de> for JsonReader<'_> {
    type Value = Graph;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Graph, D::Error> {
        let mut reader = self;
        reader.keeps_unknown_types = false;
        reader.finish(general::deserialize(deserializer, reader)?).map_err(D::Error::custom)
    }
}

/// Reads a graph whose root is a `T`, within [the limits for strangers](Limits::untrusted).
///
/// # Errors
/// The errors of the format, and the errors of [`JsonReader::read`] as a text of an error of the format.
pub fn deserialize_graph<'de, T: FieldType, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let graph = JsonReader::new().limits(Limits::untrusted()).deserialize(deserializer)?;
    cast_root(graph.root).map_err(D::Error::custom)
}

/// Writes the graph below `root`.
///
/// # Errors
/// The errors of the format, and the errors of [`to_string`](super::to_string) as a text of an error of the format.
pub fn serialize_graph<S: Serializer>(root: &impl AsAnyView, serializer: S) -> Result<S::Ok, S::Error> {
    let order = order_nodes(root.as_any_view()).map_err(S::Error::custom)?;
    let declarations = declarations_of(&order.nodes).map_err(S::Error::custom)?;
    let mut map = serializer.serialize_map(Some(if declarations.is_empty() { 2 } else { 3 }))?;
    if !declarations.is_empty() {
        map.serialize_entry("declarations", &DeclarationsForm(&declarations))?;
    }
    map.serialize_entry("root_index", &order.nodes.len().saturating_sub(1))?;
    map.serialize_entry("nodes", &NodesForm(&order))?;
    map.end()
}

/// The map of the declarations.
struct DeclarationsForm<'a>(&'a [(&'static str, Declaration)]);

impl Serialize for DeclarationsForm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, declaration) in self.0 {
            match declaration {
                Declaration::Known(value) => map.serialize_entry(key, value)?,
                Declaration::Kept(_) => return Err(S::Error::custom(unknown_type(key))),
            }
        }
        map.end()
    }
}

/// The error for an object of an unknown type.
fn unknown_type(key: &str) -> Error {
    let message =
        format!("the program does not know the type `{key}`, and only JSON files have the text of such objects");
    Error::new(ErrorKind::NotSerializable, message)
}

/// The list of the nodes.
struct NodesForm<'a>(&'a NodeOrder<'a>);

impl Serialize for NodesForm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let NodesForm(order) = self;
        let mut seq = serializer.serialize_seq(Some(order.nodes.len()))?;
        for (node, references) in order.with_references() {
            seq.serialize_element(&NodeForm { node, references })?;
        }
        seq.end()
    }
}

/// A node: a map with a type and, except for `None`, data.
struct NodeForm<'a> {
    node: AnyView<'a>,
    references: &'a [u32],
}

impl Serialize for NodeForm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let AnyView::Object(object) = self.node {
            check_key(object.type_info()).map_err(S::Error::custom)?;
        }
        let has_data = !matches!(self.node, AnyView::None);
        let mut map = serializer.serialize_map(Some(1 + usize::from(has_data)))?;
        map.serialize_entry("type", self.node.type_key())?;
        if has_data {
            map.serialize_entry("data", &DataForm(self))?;
        }
        map.end()
    }
}

/// The data of a node.
struct DataForm<'a>(&'a NodeForm<'a>);

impl Serialize for DataForm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let NodeForm { node, references } = self.0;
        match node {
            AnyView::Object(object) => serialize_object(*object, references, serializer),
            plain => PlainForm(*plain).serialize(serializer),
        }
    }
}

fn serialize_object<S: Serializer>(
    object: ObjectView<'_>,
    references: &[u32],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let info = object.type_info();
    match (info.body, info.json) {
        (Body::Array | Body::Map, _) => references.serialize(serializer),
        (Body::Str, _) => serializer.serialize_str(object.as_str().unwrap_or_default()),
        (Body::Bytes, _) => serialize_bytes(object.as_bytes().unwrap_or_default(), serializer),
        (Body::Tensor, _) => match object.to_handle::<Tensor>() {
            Some(tensor) => serialize_bytes(&tensor_blob::encode(&tensor), serializer),
            None => serializer.serialize_unit(),
        },
        (Body::Shape, _) => object.as_shape().unwrap_or_default().serialize(serializer),
        (_, JsonForm::Field(index)) => {
            let field = &info.fields()[index];
            let value = object.field_at(index).unwrap_or_default();
            match (value, named_variants(info, index)) {
                (_, Some(enumeration)) => VariantForm(enumeration, value).serialize(serializer),
                // A text would be another value of a field of any type.
                (AnyView::Float(number), None)
                    if !number.is_finite() && field.may_hold_objects() && serializer.is_human_readable() =>
                {
                    let key = info.type_key;
                    let message = format!(
                        "`{key}`: `{}` stands there for all of it, and this format has no {number}; declare it as a float",
                        field.name
                    );
                    Err(S::Error::custom(Error::new(ErrorKind::NotSerializable, message)))
                }
                (value, None) => PlainForm(value).serialize(serializer),
            }
        }
        (_, JsonForm::Kept) => Err(S::Error::custom(unknown_type(info.type_key))),
        (_, JsonForm::Fields) => {
            let mut map = serializer.serialize_map(Some(info.fields().len()))?;
            let mut references = references.iter();
            for (index, field) in info.fields().iter().enumerate() {
                let value = || object.field_at(index).unwrap_or_default();
                match named_variants(info, index) {
                    Some(enumeration) => map.serialize_entry(field.name, &VariantForm(enumeration, value()))?,
                    None if field.is_inline() => map.serialize_entry(field.name, &PlainForm(value()))?,
                    None => map.serialize_entry(field.name, &references.next())?,
                }
            }
            map.end()
        }
    }
}

/// Writes bytes, or their text in base64.
fn serialize_bytes<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    match serializer.is_human_readable() {
        true => serializer.serialize_str(&BASE64.encode(bytes)),
        false => serializer.serialize_bytes(bytes),
    }
}

/// The variant of an enum, by its name.
struct VariantForm<'a>(Enumeration, AnyView<'a>);

impl Serialize for VariantForm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.1 {
            AnyView::Int(number) if let Some(name) = self.0.name_of(number) => serializer.serialize_str(name),
            value => PlainForm(value).serialize(serializer),
        }
    }
}

/// A value without references.
struct PlainForm<'a>(AnyView<'a>);

impl Serialize for PlainForm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            AnyView::None => serializer.serialize_unit(),
            AnyView::Object(object) => match object.as_str() {
                Some(text) => serializer.serialize_str(text),
                None => serializer.serialize_unit(),
            },
            AnyView::Bool(value) => serializer.serialize_bool(value),
            AnyView::Int(value) => serializer.serialize_i64(value),
            AnyView::Float(value) if !value.is_finite() && serializer.is_human_readable() => {
                serializer.serialize_str(float_name(value))
            }
            AnyView::Float(value) => serializer.serialize_f64(value),
            AnyView::DataType(value) => serializer.collect_str(&value),
            AnyView::Device(value) => [value.device_type, value.device_id].serialize(serializer),
        }
    }
}
