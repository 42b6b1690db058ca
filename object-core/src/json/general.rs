//! The general reader: reads JSON graphs in every form, through `serde_json`, and reports what is wrong with them.

use std::borrow::Cow;
use std::fmt;
use std::io::Read;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::{RawValue, to_raw_value};

use crate::error::{Error, ErrorKind, Result};
use crate::json::account::Account;
use crate::json::assemble::{Nodes, in_node};
use crate::json::declarations::{BYTES_PER_BYTE, Declarations};
use crate::json::general_node::{NodeReader, NodeSeed};
use crate::json::graph::{Graph, Metadata};
use crate::json::json_scalar::JsonScalarSeed;
use crate::json::map_key::{Key, KeySeed, skip_value};
use crate::json::odd_numbers::{FilterReader, filter};
use crate::json::options::JsonReader;
use crate::json::source::Source;
use crate::text::brief::brief;

/// Reads a graph in any form, with its account, or says what is wrong with it.
pub(crate) fn read(text: &[u8], reader: JsonReader<'_>) -> Result<(Graph, Account)> {
    let text = filter(text);
    // A text with numbers that JSON does not have is a copy.
    let copy = if matches!(text, Cow::Owned(_)) { text.len() } else { 0 };
    let _copy = Account::new(reader).reserve(copy)?;
    let text = std::str::from_utf8(&text).map_err(|error| not_a_graph(&error.to_string()))?;
    read_with(serde_json::Deserializer::from_str(text), reader)
}

/// Reads a graph in any form from a stream, or says what is wrong with it.
pub(crate) fn read_from(stream: impl Read, reader: JsonReader<'_>) -> Result<(Graph, Account)> {
    let buffered = std::io::BufReader::new(FilterReader::new(reader.limits.bounded(stream)));
    read_with(serde_json::Deserializer::from_reader(buffered), reader)
}

/// The error for text with the given fault. The fault may quote the text.
fn not_a_graph(fault: &str) -> Error {
    Error::new(ErrorKind::Malformed, format!("not a JSON graph: {}", brief(fault)))
}

fn read_with<'de, R: serde_json::de::Read<'de>>(
    mut deserializer: serde_json::Deserializer<R>,
    reader: JsonReader<'_>,
) -> Result<(Graph, Account)> {
    let mut reader = GraphReader::new(reader, Source::JsonText);
    let read = GraphSeed(&mut reader).deserialize(&mut deserializer).and_then(|()| deserializer.end());
    reader.finish_text(read)
}

/// The part of the text that the reader reads.
#[derive(Clone, Copy, Default)]
enum TextPart {
    #[default]
    Top,
    Node(usize),
    Metadata,
}

/// The parts of a graph so far.
struct GraphReader<'t> {
    node_reader: NodeReader<'t>,
    nodes: Option<Nodes>,
    root: Option<u32>,
    metadata: Option<Metadata>,
    has_declarations: bool,
    /// The part that the reader reads, for messages.
    part: TextPart,
}

impl<'t> GraphReader<'t> {
    fn new(reader: JsonReader<'t>, source: Source) -> Self {
        GraphReader {
            node_reader: NodeReader::new(reader, source),
            nodes: None,
            root: None,
            metadata: None,
            has_declarations: false,
            part: TextPart::default(),
        }
    }

    /// Takes the declarations of the types.
    fn declare(&mut self, text: &RawValue) -> Result<()> {
        self.has_declarations = true;
        self.node_reader.account.bytes(text.get().len() * BYTES_PER_BYTE)?;
        let declarations = Declarations::read(text)?;
        if self.nodes.is_some() && !declarations.are_current(self.node_reader.reader) {
            let message = "`declarations` stands after `nodes`, and says how to read them; put it before";
            return Err(Error::new(ErrorKind::Malformed, message));
        }
        self.node_reader.declarations = declarations;
        Ok(())
    }

    /// The error, in the part that the reader reads.
    fn in_part(&self, error: Error) -> Error {
        match self.part {
            TextPart::Top => error,
            TextPart::Node(index) => in_node(error, index),
            TextPart::Metadata => error.context("metadata"),
        }
    }

    fn finish_text(self, read: serde_json::Result<()>) -> Result<(Graph, Account)> {
        if let Err(error) = read
            && self.node_reader.error.is_none()
        {
            if error.is_io() {
                return Err(std::io::Error::from(error).into());
            }
            let mut error = not_a_graph(&error.to_string());
            if let (TextPart::Node(_), Some(type_key)) = (self.part, self.node_reader.type_key()) {
                error = error.context(format_args!("`{type_key}`"));
            }
            return Err(self.in_part(error));
        }
        self.finish()
    }

    /// The graph of the parts, or the error that has ended the reading.
    fn finish(mut self) -> Result<(Graph, Account)> {
        if let Some(error) = self.node_reader.error.take() {
            return Err(self.in_part(error));
        }
        let missing = |key: &str| not_a_graph(&format!("it has no `{key}`"));
        let root = self.root.ok_or_else(|| missing("root_index"))?;
        let nodes = self.nodes.ok_or_else(|| missing("nodes"))?;
        let root = nodes.finish(root, &mut self.node_reader)?;
        let graph = Graph { has_declarations: self.has_declarations, ..Graph::new(root, self.metadata) };
        Ok((graph, self.node_reader.account))
    }
}

/// The next value of a map, as JSON text.
fn next_raw<'de, A: MapAccess<'de>>(map: &mut A, source: Source) -> Result<Box<RawValue>, A::Error> {
    match source {
        Source::JsonText => map.next_value(),
        Source::AnyFormat => to_raw_value(&map.next_value::<serde_json::Value>()?).map_err(A::Error::custom),
    }
}

/// Reads a graph of any format. The outer error is the error of the format.
#[cfg(feature = "serde")]
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
    reader: JsonReader<'_>,
) -> Result<Result<(Graph, Account)>, D::Error> {
    let mut graph = GraphReader::new(reader, Source::AnyFormat);
    match GraphSeed(&mut graph).deserialize(deserializer) {
        Err(error) if graph.node_reader.error.is_none() => Err(error),
        _ => Ok(graph.finish()),
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
                    let root = map.next_value_seed(JsonScalarSeed(graph.node_reader.source))?.index();
                    let root =
                        root.map_err(|error| graph.node_reader.fail::<A::Error>(error.context("`root_index`")))?;
                    graph.root = Some(root);
                }
                "nodes" if graph.nodes.is_none() => map.next_value_seed(NodesSeed(graph))?,
                "declarations" if !graph.has_declarations => {
                    let raw = next_raw(&mut map, graph.node_reader.source)?;
                    graph.declare(&raw).map_err(|error| graph.node_reader.fail::<A::Error>(error))?;
                }
                "metadata" if graph.metadata.is_none() => {
                    graph.part = TextPart::Metadata;
                    let source = graph.node_reader.source;
                    let raw = next_raw(&mut map, source)?;
                    let room = graph.node_reader.account.bytes(raw.get().len());
                    room.map_err(|error| graph.node_reader.fail::<A::Error>(error))?;
                    graph.metadata = Some(match source {
                        Source::JsonText => Metadata::from_filtered(&raw),
                        Source::AnyFormat => Metadata::from_text(&raw),
                    });
                    graph.part = TextPart::Top;
                }
                "root_index" | "nodes" | "metadata" | "declarations" => {
                    let message = format!("the key `{key}` stands twice");
                    return Err(graph.node_reader.fail(Error::new(ErrorKind::Malformed, message)));
                }
                _ => {
                    skip_value(&mut map, graph.node_reader.source)?;
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
        graph.part = TextPart::Node(0);
        while let Some(parts) = seq.next_element_seed(NodeSeed(&mut graph.node_reader))? {
            let room = graph.node_reader.account.nodes(1);
            let added = room.and_then(|()| nodes.add(parts, &mut graph.node_reader));
            added.map_err(|error| graph.node_reader.fail::<A::Error>(error))?;
            graph.part = TextPart::Node(nodes.len());
            graph.node_reader.end_node();
        }
        graph.part = TextPart::Top;
        Ok(())
    }
}
