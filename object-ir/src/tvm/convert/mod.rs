//! Modules of one version as modules of another: upgrades and downgrades.
//!
//! TVM 0.25 and TVM 0.27 have a step in each direction (`upgrade`, `downgrade`), and so have TVM 0.26 and TVM 0.27, whose modules
//! differ little (`version_0_26.rs`). A step converts objects field by field, by the reflected fields of both types (`converter.rs`), with
//! tables of the names that differ (`names.rs`), and has functions for the objects whose structure differs. An object that the other
//! version lacks is an error with its path, and never left out.

mod converter;
mod downgrade;
mod names;
mod scalar_order;
mod upgrade;
mod version_0_26;

pub use scalar_order::{MOVED_SCALARS, scalars_after_outputs, scalars_before_outputs};

use object_core::json::{Graph, JsonWriter, Metadata};
use object_core::{Any, Result};

use crate::tvm::version::TvmVersion;

impl TvmVersion {
    /// The graph with the Rust types of this crate, where `graph` has the types of this version. The code that knows the
    /// meaning of Relax reads it, and its metadata says TVM 0.25. A graph of TVM 0.25 is the result itself.
    ///
    /// ```
    /// use object_ir::ir::ShapeStructInfo;
    /// use object_ir::tvm::GraphReader;
    ///
    /// let text = br#"{"root_index":1,"nodes":[{"type":"None"},
    ///     {"type":"relax.ShapeType","data":{"span":0,"values":0,"ndim":2}}],"metadata":{"tvm_version":"0.27.0"}}"#;
    /// let file = GraphReader::new().read(text)?;
    /// let info: ShapeStructInfo = file.into_rust_types()?.root.cast()?;
    /// assert_eq!(info.ndim, 2);
    /// # Ok::<(), object_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// With the path of the object: [`TypeMismatch`](object_core::ErrorKind::TypeMismatch) and
    /// [`UnknownField`](object_core::ErrorKind::UnknownField) for objects that TVM 0.25 does not have,
    /// [`UnknownSingleton`](object_core::ErrorKind::UnknownSingleton) for operators that it does not have.
    pub fn to_rust_types(self, graph: Graph) -> Result<Graph> {
        TvmVersion::V0_25.convert(graph, self)
    }

    /// The graph with the types of this version, where `graph` has the types of the version `from`. If the versions differ, its
    /// metadata says this version.
    ///
    /// ```
    /// use object_ir::ir::ShapeStructInfo;
    /// use object_ir::tvm::TvmVersion;
    /// use object_core::json::Graph;
    ///
    /// let info = ShapeStructInfo::new(None, 2);
    /// let graph = TvmVersion::V0_27.convert(Graph::new(info.into(), None), TvmVersion::V0_25)?;
    /// assert_eq!(graph.root.type_key(), "relax.ShapeType");
    /// # Ok::<(), object_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`to_rust_types`](Self::to_rust_types), for objects and operators that this version does not have.
    pub fn convert(self, graph: Graph, from: TvmVersion) -> Result<Graph> {
        if from == TvmVersion::V0_25 && self != from {
            upgrade::check_scalar_values(&graph.root)?;
        }
        self.converted(graph, from)
    }

    /// The graph with the types of this version, where `graph` has the Rust types of this crate: the inverse of
    /// [`to_rust_types`](Self::to_rust_types). Unlike a module of TVM 0.25 that [`convert`](Self::convert) upgrades, it may have facts that
    /// inference with Rust types adds and this version has no place for, the values of scalars in types; they are left out.
    ///
    /// # Errors
    /// As [`convert`](Self::convert).
    pub fn from_rust_types(self, graph: Graph) -> Result<Graph> {
        self.converted(graph, TvmVersion::V0_25)
    }

    fn converted(self, mut graph: Graph, from: TvmVersion) -> Result<Graph> {
        if from == self {
            return Ok(graph);
        }
        // All ways lead over TVM 0.27.
        graph.root = match from {
            TvmVersion::V0_25 => upgrade::run(&scalars_before_outputs(&graph.root)?)?,
            TvmVersion::V0_26 => version_0_26::upgrade(&graph.root)?,
            TvmVersion::V0_27 => graph.root,
        };
        graph.root = match self {
            TvmVersion::V0_25 => downgrade::run(&graph.root)?,
            TvmVersion::V0_26 => version_0_26::downgrade(&graph.root)?,
            TvmVersion::V0_27 => graph.root,
        };
        graph.metadata = Some(self.metadata()?);
        Ok(graph)
    }

    /// The metadata of graphs of this version.
    ///
    /// # Errors
    /// None: the text is JSON.
    pub fn metadata(self) -> Result<Metadata> {
        Metadata::new(&format!(r#"{{"tvm_version":"{}.0"}}"#, self.name()))
    }

    /// The file of a graph with the types of this version, in TVM's JSON graph format.
    ///
    /// # Errors
    /// The errors of [`JsonWriter`].
    pub fn to_json(self, root: &Any) -> Result<String> {
        JsonWriter::new().metadata(Some(&self.metadata()?)).to_string(root)
    }
}
