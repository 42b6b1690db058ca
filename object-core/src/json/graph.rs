//! [`Graph`]: the content of a JSON graph, and [`Metadata`]: the JSON value beside the nodes.

use std::fmt;

use serde_json::value::RawValue;

use super::odd_numbers;
use crate::error::{Error, ErrorKind, Result};
use crate::meter::{Charge, Meter};
use crate::object::{Any, ObjectRef};
use crate::visit::walk;

/// The content of a JSON graph.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Graph {
    /// The value of the root node.
    pub root: Any,
    /// The value of the key `metadata`, if the text has the key.
    pub metadata: Option<Metadata>,
    /// Whether the text has the declarations of types.
    pub(crate) has_declarations: bool,
    /// The memory of the values, as the reader has counted it.
    pub(crate) memory: Option<Charge>,
}

impl Graph {
    /// A graph with the given parts, such as one that a text in another format describes.
    #[must_use]
    pub fn new(root: Any, metadata: Option<Metadata>) -> Self {
        Graph { root, metadata, has_declarations: false, memory: None }
    }

    /// Whether the text has the declarations of types. A [`JsonWriter`](super::JsonWriter) of the
    /// [form of TVM](super::JsonWriter::tvm_form) writes none.
    #[must_use]
    pub fn has_declarations(&self) -> bool {
        self.has_declarations
    }

    /// The graph, whose memory counts at `meter` until the result is dropped.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded), with the limit.
    pub fn counted(mut self, meter: &Meter) -> Result<Self> {
        self.memory = Some(meter.reserve(graph_bytes(&self.root))?);
        Ok(self)
    }
}

/// An upper bound of the bytes of all objects below `root`.
pub(crate) fn graph_bytes(root: &Any) -> u64 {
    let mut bytes = 0;
    walk(root, |object: &ObjectRef, _| bytes += object.view().bytes() as u64);
    bytes
}

/// The JSON value of the key `metadata`, as its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata(Box<str>);

impl Metadata {
    /// Metadata with the given JSON text, such as `{"tvm_version":"0.25.0"}`.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) if the text is not one JSON value.
    pub fn new(text: &str) -> Result<Self> {
        let filtered = odd_numbers::filter(text.as_bytes());
        match serde_json::from_slice::<&RawValue>(&filtered) {
            Ok(_) => Ok(Metadata(text.into())),
            Err(error) => Err(Error::new(ErrorKind::Malformed, format!("metadata: {error}"))),
        }
    }

    /// Metadata that the JSON parser has read from filtered text.
    pub(crate) fn from_filtered(raw: &RawValue) -> Self {
        Metadata(odd_numbers::unfilter(raw.get()).into())
    }

    /// Metadata that the JSON writer has written.
    pub(crate) fn from_text(raw: &RawValue) -> Self {
        Metadata(raw.get().into())
    }

    /// The JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Metadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
