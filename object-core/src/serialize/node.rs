//! Reads one node of a JSON graph: its type, and the parts of which its value will be made.

use std::borrow::Cow;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::scalar::{Scalar, ScalarSeed};
use super::tensor_blob;
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, Body, FieldInfo, JsonForm, TypeInfo};
use crate::registry;
use crate::scalar::Device;
use crate::table::Table;
use crate::value::{Bytes, Shape, Str};

/// A node as read: what it takes to make its value once the nodes it refers to are there.
pub(super) enum Parts {
    /// The value itself.
    Value(Any),
    /// An array of nodes, or a map: keys and values in turn.
    List(&'static TypeInfo, Vec<u32>),
    /// An object: fields by index.
    Object(&'static TypeInfo, Vec<(u16, Part)>),
}

/// The value of a field.
pub(super) enum Part {
    Value(Any),
    Node(u32),
}

/// What the type of a node asks of its data.
#[derive(Clone, Copy)]
enum NodeType {
    None,
    Bool,
    Int,
    Float,
    DataType,
    Device,
    Object(&'static TypeInfo),
}

impl NodeType {
    fn key(self) -> &'static str {
        match self {
            NodeType::None => "None",
            NodeType::Bool => "bool",
            NodeType::Int => "int",
            NodeType::Float => "float",
            NodeType::DataType => "DataType",
            NodeType::Device => "Device",
            NodeType::Object(info) => info.type_key,
        }
    }
}

/// What is kept while the nodes of one graph are read.
#[derive(Default)]
pub(super) struct NodeReader {
    types: Table<String, NodeType>,
    /// The type of the node being read, once it is known.
    current: Option<NodeType>,
    /// Lists of nodes that were made, to be filled again.
    indices: Vec<u32>,
    fields: Vec<(u16, Part)>,
    /// The error behind a failure that the JSON parser reports; it only carries text.
    pub(super) error: Option<Error>,
}

impl NodeReader {
    fn node_type(&mut self, type_key: &str) -> Result<NodeType> {
        if let Some(found) = self.types.get(type_key) {
            return Ok(*found);
        }
        let found = match type_key {
            "None" => NodeType::None,
            "bool" => NodeType::Bool,
            "int" => NodeType::Int,
            "float" => NodeType::Float,
            "DataType" => NodeType::DataType,
            "Device" => NodeType::Device,
            _ => NodeType::Object(registry::type_info(type_key)?),
        };
        self.types.insert(type_key.to_owned(), found);
        Ok(found)
    }

    /// The type of the node being read, once it is known.
    pub(super) fn type_key(&self) -> Option<&'static str> {
        self.current.map(NodeType::key)
    }

    /// Takes note that a node ends.
    pub(super) fn end_node(&mut self) {
        self.current = None;
    }

    /// Takes the lists of a node that was made.
    pub(super) fn reuse(&mut self, parts: Parts) {
        match parts {
            Parts::Value(_) => {}
            Parts::List(_, mut indices) => {
                indices.clear();
                self.indices = indices;
            }
            Parts::Object(_, mut fields) => {
                fields.clear();
                self.fields = fields;
            }
        }
    }

    /// Keeps `error` and gives the parser something to stop with.
    pub(super) fn fail<E: serde::de::Error>(&mut self, error: Error) -> E {
        self.error.get_or_insert(error);
        E::custom("")
    }
}

/// Reads a node: a map with a type and, for most types, data.
pub(super) struct NodeSeed<'r>(pub(super) &'r mut NodeReader);

impl<'de> DeserializeSeed<'de> for NodeSeed<'_> {
    type Value = Parts;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Parts, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_> {
    type Value = Parts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node: a map with the keys `type` and `data`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parts, A::Error> {
        let NodeSeed(reader) = self;
        let mut node_type: Option<NodeType> = None;
        let mut early: Option<Box<RawValue>> = None;
        let mut parts = None;
        while let Some(Key(key)) = map.next_key_seed(KeySeed)? {
            match &*key {
                "type" if node_type.is_none() => {
                    let scalar = map.next_value_seed(ScalarSeed)?;
                    let found = match scalar.text() {
                        Ok(type_key) => reader.node_type(type_key),
                        Err(error) => Err(error.context("`type`")),
                    };
                    node_type = Some(found.map_err(|error| reader.fail::<A::Error>(error))?);
                    reader.current = node_type;
                }
                "data" if parts.is_none() && early.is_none() => match node_type {
                    Some(node_type) => parts = Some(map.next_value_seed(DataSeed { reader: &mut *reader, node_type })?),
                    // TVM writes the type first, but JSON maps have no order.
                    None => early = Some(map.next_value()?),
                },
                "type" | "data" => {
                    let message = format!("the key `{key}` stands twice");
                    return Err(reader.fail(Error::new(ErrorKind::Malformed, message)));
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        let Some(node_type) = node_type else {
            return Err(reader.fail(Error::new(ErrorKind::Malformed, "the node has no `type`")));
        };
        if let Some(raw) = early {
            let seed = DataSeed { reader: &mut *reader, node_type };
            let read = seed.deserialize(&mut serde_json::Deserializer::from_str(raw.get()));
            parts = Some(read.map_err(A::Error::custom)?);
        }
        match (parts, node_type) {
            (Some(parts), _) => Ok(parts),
            (None, NodeType::None) => Ok(Parts::Value(Any::None)),
            (None, _) => {
                let message = format!("the node of type `{}` has no `data`", node_type.key());
                Err(reader.fail(Error::new(ErrorKind::Malformed, message)))
            }
        }
    }
}

/// A key of a JSON map.
pub(super) struct Key<'de>(pub(super) Cow<'de, str>);

/// Reads a [`Key`].
pub(super) struct KeySeed;

impl<'de> DeserializeSeed<'de> for KeySeed {
    type Value = Key<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key<'de>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for KeySeed {
    type Value = Key<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Borrowed(key)))
    }

    fn visit_str<E>(self, key: &str) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Owned(key.to_owned())))
    }
}

/// Reads the data of a node whose type is known.
struct DataSeed<'r> {
    reader: &'r mut NodeReader,
    node_type: NodeType,
}

impl DataSeed<'_> {
    fn fail<E: serde::de::Error>(self, error: Error) -> E {
        let context = format!("`{}`", self.node_type.key());
        self.reader.fail(error.context(context))
    }

    /// The value of a node whose data is one scalar.
    fn scalar(&self, scalar: &Scalar<'_>) -> Result<Any> {
        match self.node_type {
            NodeType::None => Ok(Any::None),
            NodeType::Bool => scalar.bool().map(Any::Bool),
            NodeType::Int => scalar.int().map(Any::Int),
            NodeType::Float => scalar.float().map(Any::Float),
            NodeType::DataType => scalar.text()?.parse().map(Any::DataType),
            NodeType::Device => scalar.text().and(Err(Error::type_mismatch("a list of two ints", "string"))),
            NodeType::Object(info) => match (info.body, info.json) {
                (Body::Str, _) => Ok(Str::new(scalar.text()?).into()),
                (Body::Bytes, _) => Ok(Bytes::from(decode_base64(scalar.text()?)?).into()),
                (Body::Tensor, _) => Ok(tensor_blob::decode(&decode_base64(scalar.text()?)?)?.into()),
                (Body::Node, JsonForm::Field(index)) => object_by_field(info, index, scalar.any()?),
                _ => Err(self.unexpected("a single value")),
            },
        }
    }

    fn in_memory_only(&self) -> Error {
        let message = "values of this type exist in memory only and have no form in JSON";
        Error::new(ErrorKind::NotSerializable, message)
    }

    fn unexpected(&self, given: &str) -> Error {
        let expected = match self.node_type {
            NodeType::Device => "a list of two ints",
            NodeType::Object(info) => match info.body {
                Body::Array | Body::Map => "a list of node indices",
                Body::Shape => "a list of ints",
                Body::Node if info.json == JsonForm::Fields => "a map of fields",
                Body::Function | Body::Opaque => return self.in_memory_only(),
                _ => "a single value",
            },
            _ => "a single value",
        };
        Error::type_mismatch(expected, given)
    }
}

fn decode_base64(text: &str) -> Result<Vec<u8>> {
    BASE64.decode(text).map_err(|error| Error::new(ErrorKind::Malformed, format!("base64: {error}")))
}

/// An object whose JSON data is the value of one field.
fn object_by_field(info: &'static TypeInfo, index: usize, value: Any) -> Result<Any> {
    match info.singleton {
        Some(singleton) => (singleton.get)(value).map(Any::Object),
        None => {
            let mut builder = crate::object::ObjectBuilder::new(info)?;
            builder.set_index(index, value)?;
            builder.build().map(Any::Object)
        }
    }
}

impl<'de> DeserializeSeed<'de> for DataSeed<'_> {
    type Value = Parts;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Parts, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Forwards a scalar visitor method to [`DataSeed::scalar`].
macro_rules! visit_scalar {
    ($($method:ident($($value:ident: $type:ty)?) => $scalar:expr;)*) => {$(
        fn $method<E: serde::de::Error>(self $(, $value: $type)?) -> Result<Parts, E> {
            self.scalar(&$scalar).map(Parts::Value).map_err(|error| self.fail(error))
        }
    )*};
}

impl<'de> Visitor<'de> for DataSeed<'_> {
    type Value = Parts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the data of a node")
    }

    visit_scalar! {
        visit_unit() => Scalar::Null;
        visit_bool(value: bool) => Scalar::Bool(value);
        visit_i64(value: i64) => Scalar::Int(value);
        visit_u64(value: u64) => i64::try_from(value).map_or(Scalar::Large(value), Scalar::Int);
        visit_f64(value: f64) => Scalar::Float(value);
        visit_str(text: &str) => Scalar::Text(Cow::Borrowed(text));
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Parts, A::Error> {
        if let NodeType::Object(info) = self.node_type
            && matches!(info.body, Body::Array | Body::Map)
        {
            let mut indices = std::mem::take(&mut self.reader.indices);
            while let Some(scalar) = seq.next_element_seed(ScalarSeed)? {
                match scalar.index() {
                    Ok(index) => indices.push(index),
                    Err(error) => return Err(self.fail(error.context(format_args!("element {}", indices.len())))),
                }
            }
            if info.body == Body::Map && !indices.len().is_multiple_of(2) {
                let message = format!("expected keys and values in turn, got {} indices", indices.len());
                return Err(self.fail(Error::new(ErrorKind::Malformed, message)));
            }
            return Ok(Parts::List(info, indices));
        }
        let mut list = Vec::new();
        while let Some(scalar) = seq.next_element_seed(ScalarSeed)? {
            match scalar.int() {
                Ok(value) => list.push(value),
                Err(error) => {
                    return Err(self.fail(error.context(format_args!("element {}", list.len()))));
                }
            }
        }
        match (self.node_type, &list[..]) {
            (NodeType::Object(info), extents) if info.body == Body::Shape => {
                Ok(Parts::Value(Shape::new(extents).into()))
            }
            (NodeType::Device, [device_type, device_id]) => {
                match (i32::try_from(*device_type), i32::try_from(*device_id)) {
                    (Ok(device_type), Ok(device_id)) => {
                        Ok(Parts::Value(Any::Device(Device { device_type, device_id })))
                    }
                    _ => Err(self.fail(Error::new(ErrorKind::OutOfRange, "the numbers of a device have 32 bits"))),
                }
            }
            _ => {
                let error = self.unexpected("a list");
                Err(self.fail(error))
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parts, A::Error> {
        let info = match self.node_type {
            NodeType::Object(info) if info.body == Body::Node && info.json == JsonForm::Fields => info,
            _ => {
                let error = self.unexpected("a map");
                return Err(self.fail(error));
            }
        };
        let fields = info.fields();
        let mut parts = std::mem::take(&mut self.reader.fields);
        let mut seen = 0u64;
        while let Some(Key(key)) = map.next_key_seed(KeySeed)? {
            // Fields mostly come in their order.
            let expected = parts.len();
            let index = match fields.get(expected) {
                Some(field) if *field.name == *key => Some(expected),
                _ => fields.iter().position(|field| *field.name == *key),
            };
            let Some(index) = index else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let field = &fields[index];
            if seen & (1 << index) != 0 {
                return Err(self.fail(in_field(Error::new(ErrorKind::Malformed, "it stands twice"), field)));
            }
            seen |= 1 << index;
            let scalar = map.next_value_seed(ScalarSeed)?;
            let part =
                if field.is_inline() { scalar.inline(field).map(Part::Value) } else { scalar.index().map(Part::Node) };
            match part {
                Ok(part) => parts.push((u16::try_from(index).unwrap_or(u16::MAX), part)),
                Err(error) => return Err(self.fail(in_field(error, field))),
            }
        }
        Ok(Parts::Object(info, parts))
    }
}

fn in_field(error: Error, field: &FieldInfo) -> Error {
    error.context(format_args!("field `{}`", field.name))
}
