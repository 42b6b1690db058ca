//! Reads JSON graphs: the fast reader where it can read the text, the general reader everywhere else.

use std::io::Read;

use super::account::Account;
use super::graph::Graph;
use super::options::JsonReader;
use super::{fast, general};
use crate::error::Result;
use crate::limits::Limit;
use crate::object::{Any, FieldType};
use crate::stats::GraphStats;
use crate::verify::Verifier;

/// The root of the JSON graph in `text`. [`JsonReader`] also gives the metadata.
///
/// # Errors
/// As [`JsonReader::read`], and [`TypeMismatch`](crate::ErrorKind::TypeMismatch) if the root is not a `T`.
pub fn from_slice<T: FieldType>(text: &[u8]) -> Result<T> {
    JsonReader::new().read(text).and_then(|graph| cast_root(graph.root))
}

/// The root of the JSON graph in a text. As [`from_slice`].
///
/// ```
/// use object_core::{Array, json};
/// let array: Array<i64> = json::from_str(&json::to_string(&Array::from([1, 2]))?)?;
/// assert_eq!(array, [1, 2]);
/// # Ok::<(), object_core::Error>(())
/// ```
///
/// # Errors
/// As [`from_slice`].
pub fn from_str<T: FieldType>(text: &str) -> Result<T> {
    from_slice(text.as_bytes())
}

/// The root of the JSON graph in a stream. [`JsonReader`] also gives the metadata.
///
/// # Errors
/// As [`JsonReader::read_from`], and [`TypeMismatch`](crate::ErrorKind::TypeMismatch) if the root is not a `T`.
pub fn from_reader<T: FieldType>(stream: impl Read) -> Result<T> {
    JsonReader::new().read_from(stream).and_then(|graph| cast_root(graph.root))
}

pub(super) fn cast_root<T: FieldType>(root: Any) -> Result<T> {
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
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded) for text that exceeds the [limits](Self::limits), and for a graph that exceeds the limit of the
    /// [meter](Self::meter).
    pub fn read(self, text: &[u8]) -> Result<Graph> {
        let checked = self.limits.check(Limit::Bytes, text.len() as u64);
        let read = checked.and_then(|()| fast::read(text, self).map_or_else(|| general::read(text, self), Ok));
        self.finish(read)
    }

    /// Reads a graph from a stream, without holding all of its text in memory: see [`read`](Self::read).
    ///
    /// # Errors
    /// As [`read`](Self::read), and [`Io`](crate::ErrorKind::Io) for errors of the stream.
    pub fn read_from(self, stream: impl Read) -> Result<Graph> {
        self.finish(general::read_from(stream, self))
    }

    /// Checks the depth of a graph, which is at most the number of its nodes, and runs its verifiers. Shortens the message of an error.
    pub(crate) fn finish(self, read: Result<(Graph, Account)>) -> Result<Graph> {
        let checked = read.and_then(|(mut graph, account)| {
            let (nodes, memory) = account.finish();
            graph.memory = Some(memory);
            if nodes > self.limits.max_depth {
                self.limits.check(Limit::Depth, GraphStats::of(&graph.root).depth as u64)?;
            }
            if self.verifies {
                Verifier::new().limits(self.limits).require(&graph.root)?;
            }
            Ok(graph)
        });
        checked.map_err(|error| error.shorten(self.limits.max_message))
    }
}
