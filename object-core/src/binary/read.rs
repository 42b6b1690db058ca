//! Reads binary graphs.

use super::file::BinaryFile;
use super::load::load_all;
use crate::error::Result;
use crate::json::{Graph, JsonReader};
use crate::value::Bytes;

impl JsonReader<'_> {
    /// Reads a whole [binary graph](crate::binary), with the same options and the same results as the graph in JSON. The data of large
    /// tensors stays where it is in `bytes`.
    ///
    /// # Errors
    /// As [`BinaryFile::open`], and as [`read`](Self::read).
    pub fn read_binary(self, bytes: &Bytes) -> Result<Graph> {
        BinaryFile::open(bytes, self)?.load()
    }
}

impl BinaryFile<'_> {
    /// The whole graph.
    ///
    /// # Errors
    /// As [`JsonReader::read_binary`].
    pub fn load(&self) -> Result<Graph> {
        let graph = load_all(self).map(|(root, account)| {
            let graph = Graph::new(root, self.metadata.clone());
            (Graph { has_declarations: self.has_declarations, ..graph }, account)
        });
        self.options.finish(graph)
    }
}
