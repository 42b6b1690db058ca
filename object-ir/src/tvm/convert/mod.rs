//! Modules of TVM 0.27 as modules of TVM 0.25, for all code that knows the meaning of Relax.
//!
//! TVM 0.27 has one kind of expression and one kind of type where TVM 0.25 has expressions of Relax and scalar expressions,
//! structural information and types. So the field that holds an object selects its form, and an object can have several.
//!
//! Most types differ by names, which tables list (`names.rs`); the conversion by fields follows the reflected fields of
//! the Rust type. Variables, calls, constants and buffers have functions of their own. A scalar constant, for example,
//! is an operand in one place and the value of a `PrimValue` in another (`form.rs`). An object that TVM 0.25 does not
//! have is an error with its path, and never left out.

mod buffers;
mod converter;
mod expr;
mod facts;
mod form;
mod names;
mod scalar_type;
mod types;

use std::collections::HashSet;

use object_core::json::{Graph, JsonWriter, Metadata};
use object_core::{Any, AsAnyView, Result};

use crate::tvm::convert::converter::Converter;
use crate::tvm::convert::facts::Facts;
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
    pub fn to_rust_types(self, mut graph: Graph) -> Result<Graph> {
        match self {
            TvmVersion::V0_25 => Ok(graph),
            TvmVersion::V0_27 => {
                graph.root = of_0_27(&graph.root)?;
                graph.metadata = Some(TvmVersion::V0_25.metadata()?);
                Ok(graph)
            }
        }
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

/// The value of TVM 0.25 with the meaning of `value`, a value of TVM 0.27.
///
/// # Errors
/// As [`TvmVersion::to_rust_types`].
fn of_0_27(value: &Any) -> Result<Any> {
    let Some(root) = value.as_any_view().as_object() else { return Ok(value.clone()) };
    let mut dims = HashSet::new();
    loop {
        let mut converter = Converter::new(Facts::of(root), dims.clone())?;
        let result = converter.run(root, expr::convert)?;
        if converter.used_dims.is_subset(&dims) {
            return Ok(result);
        }
        dims.extend(converter.used_dims);
    }
}
