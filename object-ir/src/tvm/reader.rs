//! [`GraphReader`]: reads graphs of any version, in JSON or in binary form.

use object_core::binary::BinaryParts;
use object_core::json::{Graph, JsonReader, TensorStore};
use object_core::limits::Limits;
use object_core::meter::Meter;
use object_core::{Bytes, Result};

use crate::tvm::file_version::FileVersion;
use crate::tvm::version::TvmVersion;

/// Reads graphs of any version of TVM, with the types of the version that wrote them.
#[derive(Clone, Debug, Default)]
pub struct GraphReader {
    version: Option<TvmVersion>,
    limits: Limits,
    meter: Option<Meter>,
}

/// A graph with its version.
#[derive(Clone, Debug)]
pub struct VersionedGraph {
    /// The graph.
    pub graph: Graph,
    /// The version that wrote it, and the version of its types.
    pub version: FileVersion,
}

impl VersionedGraph {
    /// The graph with Rust types.
    ///
    /// # Errors
    /// As [`TvmVersion::to_rust_types`].
    pub fn into_rust_types(self) -> Result<Graph> {
        self.version.version.to_rust_types(self.graph)
    }
}

impl GraphReader {
    /// A reader that recognizes the version of each text.
    #[must_use]
    pub fn new() -> Self {
        GraphReader::default()
    }

    /// Reads all texts with the types of this version.
    #[must_use]
    pub fn version(self, version: TvmVersion) -> Self {
        GraphReader { version: Some(version), ..self }
    }

    /// Sets the limits of bytes, nodes, depth and messages.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        GraphReader { limits, ..self }
    }

    /// Counts the memory of each graph until it is dropped.
    #[must_use]
    pub fn meter(self, meter: &Meter) -> Self {
        GraphReader { meter: Some(meter.clone()), ..self }
    }

    /// The graph in `text`. If nothing in the text determines its version, the reader tries the others too, the latest first.
    ///
    /// # Errors
    /// The errors of [`JsonReader`]. For a file of a version whose types this crate does not have, the error names the
    /// version of the file, and the version whose types read it.
    pub fn read(&self, text: &[u8]) -> Result<VersionedGraph> {
        self.read_with(|| FileVersion::of(text), |reader| reader.read(text))
    }

    /// As [`read`](Self::read), with the data of large tensors in `store`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_storing(&self, text: &[u8], store: &dyn TensorStore) -> Result<VersionedGraph> {
        self.read_with(|| FileVersion::of(text), |reader| reader.tensors(store).read(text))
    }

    /// The graph in a [binary graph](object_core::binary): see [`read`](Self::read).
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_binary(&self, bytes: &Bytes) -> Result<VersionedGraph> {
        let parts = BinaryParts::of(bytes, &self.limits)?;
        self.read_with(|| FileVersion::of_binary(&parts), |reader| parts.open(reader)?.load())
    }

    /// The graph that `read` reads with the types of a version: the version that this reader reads all files with, or else
    /// `recognized`.
    fn read_with(
        &self,
        recognized: impl FnOnce() -> Result<FileVersion>,
        read: impl Fn(JsonReader<'_>) -> Result<Graph>,
    ) -> Result<VersionedGraph> {
        let version = match self.version {
            Some(version) => FileVersion { version, stated: None, is_certain: true },
            None => recognized()?,
        };
        let read = |version: TvmVersion| {
            let reader = JsonReader::new().types(version.types()?).limits(self.limits);
            read(self.meter.iter().fold(reader, JsonReader::meter))
        };
        match read(version.version) {
            Ok(graph) => Ok(VersionedGraph { graph, version }),
            Err(error) if version.is_certain => Err(version.explain(error)),
            Err(error) => {
                let others = TvmVersion::ALL.into_iter().rev().filter(|other| *other != version.version);
                let found = others.into_iter().find_map(|other| Some((read(other).ok()?, other)));
                let (graph, other) = found.ok_or(error)?;
                Ok(VersionedGraph { graph, version: FileVersion { version: other, ..version } })
            }
        }
    }
}
