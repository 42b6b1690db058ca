//! Reads one node for the general reader: its type, and the parts of its value.

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::{Error, ErrorKind, Result};
use crate::evolution::{RecordedField, Upgrade, index_of, may_be_absent};
use crate::graph::{bytes_of, list_bytes};
use crate::json::account::Account;
use crate::json::declarations::{Declarations, recorded_value};
use crate::json::early_data::{EarlyData, EarlyDataSeed};
use crate::json::json_scalar::{JsonScalar, JsonScalarSeed, visit_scalars};
use crate::json::kept::KeptParts;
use crate::json::map_key::{Key, KeySeed, skip_value};
use crate::json::node_type::NodeType;
use crate::json::options::JsonReader;
use crate::json::source::Source;
use crate::object::{Any, Body, FieldInfo, TypeInfo};
use crate::steps::step;
use crate::table::Table;
use crate::text::brief::brief;
use crate::text::did_you_mean::did_you_mean;

/// The parts of a node's value. Other nodes in them may not be read yet.
pub(crate) enum NodeParts {
    /// The value itself.
    Value(Any),
    /// The elements of an array, or the keys and values of a map in turn, as indices of nodes.
    List(&'static TypeInfo, Vec<u32>),
    /// An object: fields by index.
    Object(&'static TypeInfo, Vec<(u16, FieldPart)>),
    /// An object of another declaration of its type: recorded fields by index.
    Old(Arc<Upgrade>, Vec<(u16, FieldPart)>),
    /// An object of an unknown type.
    Kept(KeptParts),
}

impl NodeParts {
    /// An upper bound of the bytes of the value, without other nodes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            NodeParts::Value(value) => value.view().bytes(),
            NodeParts::List(info, indices) => list_bytes(info, indices.len()),
            NodeParts::Object(info, _) => bytes_of(info, 0),
            NodeParts::Old(upgrade, _) => bytes_of(upgrade.info(), 0),
            NodeParts::Kept(parts) => parts.bytes(),
        }
    }

    /// The bytes of the parts themselves.
    pub(crate) fn room(&self) -> usize {
        size_of::<Self>()
            + match self {
                NodeParts::Value(_) => 0,
                NodeParts::List(_, indices) => size_of_val(&**indices),
                NodeParts::Object(_, fields) | NodeParts::Old(_, fields) => size_of_val(&**fields),
                // `bytes` counts both texts.
                NodeParts::Kept(_) => 0,
            }
    }
}

/// The value of a field.
pub(crate) enum FieldPart {
    /// The value itself.
    Value(Any),
    /// The index of the node with the value.
    Node(u32),
}

/// A type of a file.
#[derive(Clone)]
struct FileType {
    node_type: NodeType,
    /// The conversion of objects, if the file declares the type differently.
    upgrade: Option<Arc<Upgrade>>,
}

/// The state of reading the nodes of one graph.
pub(crate) struct NodeReader<'t> {
    pub(crate) reader: JsonReader<'t>,
    pub(crate) source: Source,
    /// The nodes and the elements of lists so far, and the memory of their values.
    pub(crate) account: Account,
    /// The declarations of the file.
    pub(crate) declarations: Declarations,
    types: Table<String, FileType>,
    /// The type of the current node, after the reader has read it.
    current: Option<NodeType>,
    /// Empty lists with capacity, from nodes whose values are made.
    indices: Vec<u32>,
    fields: Vec<(u16, FieldPart)>,
    /// The error that made the JSON parser stop. The error of the parser itself can carry only text.
    pub(crate) error: Option<Error>,
}

impl<'t> NodeReader<'t> {
    /// The state before the first node, with the options of `reader`.
    pub(crate) fn new(reader: JsonReader<'t>, source: Source) -> Self {
        NodeReader {
            account: Account::new(reader),
            reader,
            source,
            declarations: Declarations::default(),
            types: Table::default(),
            current: None,
            indices: Vec::new(),
            fields: Vec::new(),
            error: None,
        }
    }

    fn file_type(&mut self, type_key: &str) -> Result<FileType> {
        if let Some(found) = self.types.get(type_key) {
            return Ok(found.clone());
        }
        let node_type = NodeType::of_key(type_key, self.declarations.text(type_key), self.reader)?;
        let upgrade = match node_type {
            NodeType::Object(info) => self.declarations.upgrade(type_key, info, self.reader)?,
            _ => None,
        };
        let found = FileType { node_type, upgrade };
        self.types.insert(type_key.to_owned(), found.clone());
        Ok(found)
    }

    /// The type of the current node, after the reader has read it.
    pub(crate) fn type_key(&self) -> Option<&'static str> {
        self.current.map(NodeType::key)
    }

    /// Ends the current node.
    pub(crate) fn end_node(&mut self) {
        self.current = None;
    }

    /// Takes the lists of a node whose value is made.
    pub(crate) fn reuse(&mut self, parts: NodeParts) {
        match parts {
            NodeParts::Value(_) | NodeParts::Kept(_) => {}
            NodeParts::List(_, mut indices) => {
                indices.clear();
                self.indices = indices;
            }
            NodeParts::Object(_, mut fields) | NodeParts::Old(_, mut fields) => {
                fields.clear();
                self.fields = fields;
            }
        }
    }

    /// Keeps `error`, and returns an error that makes the parser stop.
    pub(crate) fn fail<E: serde::de::Error>(&mut self, error: Error) -> E {
        self.error.get_or_insert(error);
        E::custom("")
    }
}

/// The data of a node that stands before the type.
enum Early<'de> {
    Text(Box<RawValue>),
    Data(EarlyData<'de>),
}

/// Reads a node: a map with a type and, for most types, data.
pub(crate) struct NodeSeed<'r, 't>(pub(crate) &'r mut NodeReader<'t>);

impl<'de> DeserializeSeed<'de> for NodeSeed<'_, '_> {
    type Value = NodeParts;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<NodeParts, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_, '_> {
    type Value = NodeParts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node: a map with the keys `type` and `data`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NodeParts, A::Error> {
        step();
        let NodeSeed(reader) = self;
        let mut file_type: Option<FileType> = None;
        let mut early = None;
        // The memory of early data counts until the end of the node.
        let mut early_memory = reader.account.reserve(0).map_err(|error| reader.fail::<A::Error>(error))?;
        let mut parts = None;
        while let Some(Key(key)) = map.next_key_seed(KeySeed)? {
            match &*key {
                "type" if file_type.is_none() => {
                    let scalar = map.next_value_seed(JsonScalarSeed(reader.source))?;
                    let found = match scalar.text() {
                        Ok(type_key) => reader.file_type(type_key),
                        Err(error) => Err(error.context("`type`")),
                    };
                    let found = found.map_err(|error| reader.fail::<A::Error>(error))?;
                    reader.current = Some(found.node_type);
                    file_type = Some(found);
                }
                "data" if parts.is_none() && early.is_none() => match file_type.clone() {
                    Some(file_type) => parts = Some(map.next_value_seed(DataSeed::new(reader, file_type))?),
                    // TVM writes the type first, but JSON maps have no order.
                    None if reader.source == Source::JsonText => early = Some(Early::Text(map.next_value()?)),
                    None => {
                        let limits = &reader.reader.limits;
                        let seed = EarlyDataSeed::new(limits, &mut early_memory, &mut reader.error);
                        early = Some(Early::Data(map.next_value_seed(seed)?));
                    }
                },
                "type" | "data" => {
                    let message = format!("the key `{key}` stands twice");
                    return Err(reader.fail(Error::new(ErrorKind::Malformed, message)));
                }
                _ => {
                    skip_value(&mut map, reader.source)?;
                }
            }
        }
        let Some(file_type) = file_type else {
            return Err(reader.fail(Error::new(ErrorKind::Malformed, "the node has no `type`")));
        };
        if let Some(early) = early {
            let seed = DataSeed::new(reader, file_type.clone());
            parts = Some(match early {
                Early::Text(raw) => {
                    let read = seed.deserialize(&mut serde_json::Deserializer::from_str(raw.get()));
                    read.map_err(A::Error::custom)?
                }
                Early::Data(data) => seed.deserialize(data.into_deserializer())?,
            });
        }
        match (parts, file_type.node_type) {
            (Some(parts), _) => Ok(parts),
            (None, NodeType::None) => Ok(NodeParts::Value(Any::None)),
            (None, node_type) => {
                let message = format!("the node of type `{}` has no `data`", node_type.key());
                Err(reader.fail(Error::new(ErrorKind::Malformed, message)))
            }
        }
    }
}

/// Reads the data of a node with the given type.
struct DataSeed<'r, 't> {
    reader: &'r mut NodeReader<'t>,
    node_type: NodeType,
    upgrade: Option<Arc<Upgrade>>,
}

impl<'r, 't> DataSeed<'r, 't> {
    fn new(reader: &'r mut NodeReader<'t>, FileType { node_type, upgrade }: FileType) -> Self {
        DataSeed { reader, node_type, upgrade }
    }

    fn fail<E: serde::de::Error>(self, error: Error) -> E {
        let context = format!("`{}`", self.node_type.key());
        self.reader.fail(error.context(context))
    }

    fn source(&self) -> Source {
        self.reader.source
    }

    /// The value of a node whose data is one scalar.
    #[allow(clippy::needless_pass_by_value, reason = "visitors of scalars pass them by value")]
    fn visit_scalar<E: serde::de::Error>(self, scalar: JsonScalar<'_>) -> Result<NodeParts, E> {
        if let Some(upgrade) = self.upgrade.clone() {
            let field = upgrade.record().json.as_ref().and_then(|json| upgrade.field(json));
            let value = match field {
                Some((at, field)) => recorded_value(&scalar, field).map(|value| (at, value)),
                None => Err(Error::type_mismatch("a map of fields", "a single value")),
            };
            let made = value.and_then(|value| upgrade.object(vec![value], self.reader.reader.newer));
            return made.map(NodeParts::Value).map_err(|error| self.fail(error));
        }
        self.node_type
            .of_scalar(&scalar, self.reader.reader.tensors)
            .map(NodeParts::Value)
            .map_err(|error| self.fail(error))
    }
}

impl<'de> DeserializeSeed<'de> for DataSeed<'_, '_> {
    type Value = NodeParts;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<NodeParts, D::Error> {
        match self.node_type.kept() {
            Some(info) => {
                let text = Box::<RawValue>::deserialize(deserializer)?;
                Ok(NodeParts::Kept(KeptParts::new(info, text)))
            }
            None => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for DataSeed<'_, '_> {
    type Value = NodeParts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the data of a node")
    }

    visit_scalars!(NodeParts);

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<NodeParts, A::Error> {
        if let Some(info) = self.node_type.container() {
            let mut indices = std::mem::take(&mut self.reader.indices);
            while let Some(scalar) = seq.next_element_seed(JsonScalarSeed(self.reader.source))? {
                match self.reader.account.nodes(1).and_then(|()| scalar.index()) {
                    Ok(index) => indices.push(index),
                    Err(error) => return Err(self.fail(error.context(format_args!("element {}", indices.len())))),
                }
            }
            if info.body == Body::Map && !indices.len().is_multiple_of(2) {
                let message = format!("expected keys and values in turn, got {} indices", indices.len());
                return Err(self.fail(Error::new(ErrorKind::Malformed, message)));
            }
            return Ok(NodeParts::List(info, indices));
        }
        let mut list = Vec::new();
        while let Some(scalar) = seq.next_element_seed(JsonScalarSeed(self.reader.source))? {
            match self.reader.account.nodes(1).and_then(|()| scalar.int()) {
                Ok(value) => list.push(value),
                Err(error) => {
                    return Err(self.fail(error.context(format_args!("element {}", list.len()))));
                }
            }
        }
        self.node_type.of_list(&list).map(NodeParts::Value).map_err(|error| self.fail(error))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NodeParts, A::Error> {
        if let Some(upgrade) = self.upgrade.clone() {
            return self.visit_old_map(upgrade, map);
        }
        let Some(info) = self.node_type.node_struct() else {
            let error = self.node_type.unexpected("a map");
            return Err(self.fail(error));
        };
        let fields = info.fields();
        let mut parts = std::mem::take(&mut self.reader.fields);
        let mut seen = 0u64;
        let mut unknown: Option<String> = None;
        while let Some(Key(key)) = map.next_key_seed(KeySeed)? {
            // Fields mostly stand in the order of the type.
            let expected = parts.len();
            let index = match fields.get(expected) {
                Some(field) if *field.name == *key => Some(expected),
                _ => index_of(info, &key),
            };
            let Some(index) = index else {
                if self.reader.reader.denies_unknown_fields {
                    let hint = did_you_mean(&key, fields.iter().map(|field| field.name));
                    let message = format!("the type has no field `{}`{hint}", brief(&key));
                    return Err(self.fail(Error::new(ErrorKind::UnknownField, message)));
                }
                unknown.get_or_insert_with(|| key.into_owned());
                skip_value(&mut map, self.reader.source)?;
                continue;
            };
            let field = &fields[index];
            if seen & (1 << index) != 0 {
                return Err(self.fail(in_field(Error::new(ErrorKind::Malformed, "it stands twice"), field)));
            }
            seen |= 1 << index;
            let scalar = map.next_value_seed(JsonScalarSeed(self.reader.source))?;
            let part = if field.is_inline() {
                scalar.inline(field).map(FieldPart::Value)
            } else {
                scalar.index().map(FieldPart::Node)
            };
            match part {
                Ok(part) => parts.push((u16::try_from(index).unwrap_or(u16::MAX), part)),
                Err(error) => return Err(self.fail(in_field(error, field))),
            }
        }
        if let Some(key) = unknown {
            // The node is an error in any case, and the name of the required field is probably misspelt.
            let mut fields = fields.iter().enumerate();
            if let Some((_, missing)) = fields.find(|(index, it)| seen & (1 << index) == 0 && !may_be_absent(info, it))
            {
                let message = format!(
                    "required field `{}` is not set, and the type has no field `{}`",
                    missing.name,
                    brief(&key)
                );
                return Err(self.fail(Error::new(ErrorKind::MissingField, message)));
            }
        }
        Ok(NodeParts::Object(info, parts))
    }
}

impl DataSeed<'_, '_> {
    /// Reads the fields of an object of another declaration.
    fn visit_old_map<'de, A: MapAccess<'de>>(self, upgrade: Arc<Upgrade>, mut map: A) -> Result<NodeParts, A::Error> {
        if upgrade.record().json.is_some() {
            return Err(self.fail(Error::type_mismatch("a single value", "a map")));
        }
        let mut parts = std::mem::take(&mut self.reader.fields);
        while let Some(Key(key)) = map.next_key_seed(KeySeed)? {
            let Some((at, field)) = upgrade.field(&key) else {
                // The program would take a value of a field that the file does not declare for the value of its own field.
                if self.reader.reader.denies_unknown_fields || index_of(upgrade.info(), &key).is_some() {
                    let hint = did_you_mean(&key, upgrade.record().fields.iter().map(RecordedField::name));
                    let message = format!("the declaration in the file has no field `{}`{hint}", brief(&key));
                    return Err(self.fail(Error::new(ErrorKind::UnknownField, message)));
                }
                skip_value(&mut map, self.reader.source)?;
                continue;
            };
            let scalar = map.next_value_seed(JsonScalarSeed(self.reader.source))?;
            let part = match field.is_inline {
                true => recorded_value(&scalar, field).map(FieldPart::Value),
                false => scalar.index().map(FieldPart::Node),
            };
            let at = u16::try_from(at).unwrap_or(u16::MAX);
            let part = match part {
                _ if parts.iter().any(|(earlier, _)| *earlier == at) => {
                    Err(Error::new(ErrorKind::Malformed, "it stands twice"))
                }
                part => part,
            };
            match part {
                Ok(part) => parts.push((at, part)),
                Err(error) => return Err(self.fail(error.context(format_args!("field `{}`", brief(&field.name))))),
            }
        }
        Ok(NodeParts::Old(upgrade, parts))
    }
}

fn in_field(error: Error, field: &FieldInfo) -> Error {
    error.context(format_args!("field `{}`", field.name))
}
