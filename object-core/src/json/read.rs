//! Reads JSON graphs: the fast reader where it can read the text, the general reader everywhere else.

use std::io::Read;

use super::graph::Graph;
use super::options::JsonReader;
use super::{fast, general};
use crate::error::Result;
use crate::limits::Limit;
use crate::object::{Any, FieldType};

/// The root of the JSON graph in `text`. [`JsonReader`] also gives the metadata.
///
/// # Errors
/// As [`JsonReader::read`], and [`TypeMismatch`](crate::ErrorKind::TypeMismatch) if the root is not a `T`.
pub fn from_slice<T: FieldType>(text: &[u8]) -> Result<T> {
    JsonReader::new().read(text).and_then(|graph| cast_root(graph.root))
}

/// The root of the JSON graph in a stream. [`JsonReader`] also gives the metadata.
///
/// # Errors
/// As [`JsonReader::read_from`], and [`TypeMismatch`](crate::ErrorKind::TypeMismatch) if the root is not a `T`.
pub fn from_reader<T: FieldType>(stream: impl Read) -> Result<T> {
    JsonReader::new().read_from(stream).and_then(|graph| cast_root(graph.root))
}

fn cast_root<T: FieldType>(root: Any) -> Result<T> {
    root.cast().map_err(|error| error.context("the root"))
}

impl JsonReader<'_> {
    /// Reads a graph from text in memory.
    ///
    /// Nodes may stand in any order. As in TVM, the reader ignores fields that a type does not have. The reader uses
    /// memory in proportion to the text.
    ///
    /// # Errors
    /// [`Malformed`](crate::ErrorKind::Malformed) with line and column for text that is not JSON. Else the kind of the
    /// fault, with the node, the type and the field in the message: references to nodes that do not exist, circles of
    /// references, unknown types, missing fields, values of the wrong type, duplicate keys.
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded) for text that exceeds the [limits](Self::limits).
    pub fn read(self, text: &[u8]) -> Result<Graph> {
        self.limits.check(Limit::Bytes, text.len() as u64)?;
        fast::read(text, self).map_or_else(|| general::read(text, self), Ok)
    }

    /// Reads a graph from a stream, without holding all of its text in memory: see [`read`](Self::read).
    ///
    /// # Errors
    /// As [`read`](Self::read), and [`Io`](crate::ErrorKind::Io) for errors of the stream.
    pub fn read_from(self, stream: impl Read) -> Result<Graph> {
        general::read_from(stream, self)
    }
}
