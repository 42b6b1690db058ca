//! Reads a JSON graph, node by node.

use std::fmt;
use std::io::Read;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::canonical;
use crate::error::{Error, ErrorKind, Result};
use crate::json::assemble::{Nodes, in_node};
use crate::json::metadata::Metadata;
use crate::json::node::{Key, KeySeed, NodeReader, NodeSeed, skip_value};
use crate::json::non_finite::{FilterReader, filter};
use crate::json::scalar::ScalarSeed;
use crate::object::{Any, TypeInfo};
use crate::registry::{self, Types};

/// What a JSON graph holds.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The value of the root node.
    pub root: Any,
    /// What stands under `metadata`, if anything does.
    pub metadata: Option<Metadata>,
}

/// How to read a graph: [`read_json`] and [`read_json_from`] with options.
///
/// ```
/// use object_core::{registry::Types, json::JsonReader};
/// let text = br#"{"root_index":0,"nodes":[{"type":"int","data":1}]}"#;
/// let types = Types::linked();
/// assert_eq!(JsonReader::new().types(&types).read(text)?.root.cast::<i64>()?, 1);
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct JsonReader<'t> {
    types: Option<&'t Types>,
}

impl<'t> JsonReader<'t> {
    /// A reader that knows the types of the registry.
    #[must_use]
    pub fn new() -> Self {
        JsonReader::default()
    }

    /// The same reader, knowing `types`.
    #[must_use]
    pub fn types(self, types: &'t Types) -> Self {
        JsonReader { types: Some(types) }
    }

    /// The type with the given key.
    pub(crate) fn type_info(self, type_key: &str) -> Result<&'static TypeInfo> {
        self.types.map_or_else(|| registry::type_info(type_key), |types| types.get(type_key))
    }

    /// Reads a graph from text in memory.
    ///
    /// Nodes may stand in any order; fields that a type does not have are ignored, as TVM does. Memory stays in
    /// proportion to the text.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) with line and column for text that is no JSON, and else the kind of what is
    /// wrong, naming node, type and field: references to nowhere or in a circle, unknown types, missing fields, values
    /// of the wrong type, keys that stand twice.
    pub fn read(self, text: &[u8]) -> Result<Graph> {
        canonical::read(text, self).map_or_else(|| self.read_general(text), Ok)
    }

    /// Reads a graph in any form, or says what is wrong with it.
    pub(crate) fn read_general(self, text: &[u8]) -> Result<Graph> {
        let text = filter(text);
        let text = std::str::from_utf8(&text)
            .map_err(|error| Error::new(ErrorKind::Malformed, format!("not a JSON graph: {error}")))?;
        self.read_with(serde_json::Deserializer::from_str(text))
    }

    /// Reads a graph from a stream, which is not held in memory as a whole: see [`read`](Self::read).
    ///
    /// # Errors
    /// As [`read`](Self::read), and [`Io`](ErrorKind::Io) for what the stream reports.
    pub fn read_from(self, stream: impl Read) -> Result<Graph> {
        let buffered = std::io::BufReader::new(FilterReader::new(stream));
        self.read_with(serde_json::Deserializer::from_reader(buffered))
    }

    fn read_with<'de, R: serde_json::de::Read<'de>>(
        self,
        mut deserializer: serde_json::Deserializer<R>,
    ) -> Result<Graph> {
        let mut reader = GraphReader::new(self);
        let read = GraphSeed(&mut reader).deserialize(&mut deserializer).and_then(|()| deserializer.end());
        reader.finish(read)
    }
}

/// Reads a graph from text in memory: [`JsonReader::read`] with the types of the registry.
///
/// # Errors
/// As there.
pub fn read_json(text: &[u8]) -> Result<Graph> {
    JsonReader::new().read(text)
}

/// Reads a graph from a stream: [`JsonReader::read_from`] with the types of the registry.
///
/// # Errors
/// As there.
pub fn read_json_from(stream: impl Read) -> Result<Graph> {
    JsonReader::new().read_from(stream)
}

/// A part of the text.
#[derive(Clone, Copy, Default)]
enum Place {
    #[default]
    Top,
    Node(usize),
    Metadata,
}

/// A graph in the making.
struct GraphReader<'t> {
    node_reader: NodeReader<'t>,
    nodes: Option<Nodes>,
    root: Option<u32>,
    metadata: Option<Metadata>,
    /// What is being read, for messages.
    place: Place,
}

impl<'t> GraphReader<'t> {
    fn new(reader: JsonReader<'t>) -> Self {
        GraphReader {
            node_reader: NodeReader::new(reader),
            nodes: None,
            root: None,
            metadata: None,
            place: Place::default(),
        }
    }

    fn finish(self, read: serde_json::Result<()>) -> Result<Graph> {
        let at_place = |error: Error| match self.place {
            Place::Top => error,
            Place::Node(index) => in_node(error, index),
            Place::Metadata => error.context("metadata"),
        };
        if let Some(error) = self.node_reader.error {
            return Err(at_place(error));
        }
        if let Err(error) = read {
            let kind = if error.is_io() { ErrorKind::Io } else { ErrorKind::Malformed };
            let mut error = Error::new(kind, format!("not a JSON graph: {error}"));
            if let (Place::Node(_), Some(type_key)) = (self.place, self.node_reader.type_key()) {
                error = error.context(format_args!("`{type_key}`"));
            }
            return Err(at_place(error));
        }
        let missing = |key: &str| Error::new(ErrorKind::Malformed, format!("not a JSON graph: it has no `{key}`"));
        let root = self.root.ok_or_else(|| missing("root_index"))?;
        let nodes = self.nodes.ok_or_else(|| missing("nodes"))?;
        Ok(Graph { root: nodes.finish(root)?, metadata: self.metadata })
    }
}

struct GraphSeed<'r, 't>(&'r mut GraphReader<'t>);

impl<'de> DeserializeSeed<'de> for GraphSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for GraphSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map with the keys `root_index` and `nodes`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let GraphSeed(graph) = self;
        while let Some(Key(key)) = map.next_key_seed(KeySeed)? {
            match &*key {
                "root_index" if graph.root.is_none() => {
                    let root = map.next_value_seed(ScalarSeed)?.index();
                    let root =
                        root.map_err(|error| graph.node_reader.fail::<A::Error>(error.context("`root_index`")))?;
                    graph.root = Some(root);
                }
                "nodes" if graph.nodes.is_none() => map.next_value_seed(NodesSeed(graph))?,
                "metadata" if graph.metadata.is_none() => {
                    graph.place = Place::Metadata;
                    let raw: Box<RawValue> = map.next_value()?;
                    graph.metadata = Some(Metadata::from_filtered(&raw));
                    graph.place = Place::Top;
                }
                "root_index" | "nodes" | "metadata" => {
                    let message = format!("the key `{key}` stands twice");
                    return Err(graph.node_reader.fail(Error::new(ErrorKind::Malformed, message)));
                }
                _ => {
                    skip_value(&mut map)?;
                }
            }
        }
        Ok(())
    }
}

struct NodesSeed<'r, 't>(&'r mut GraphReader<'t>);

impl<'de> DeserializeSeed<'de> for NodesSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for NodesSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let NodesSeed(graph) = self;
        let nodes = graph.nodes.insert(Nodes::default());
        graph.place = Place::Node(0);
        while let Some(parts) = seq.next_element_seed(NodeSeed(&mut graph.node_reader))? {
            nodes.add(parts, &mut graph.node_reader).map_err(|error| graph.node_reader.fail::<A::Error>(error))?;
            graph.place = Place::Node(nodes.len());
            graph.node_reader.end_node();
        }
        graph.place = Place::Top;
        Ok(())
    }
}
