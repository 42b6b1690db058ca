//! [`Reading`]: the types and limits with which a run reads graphs, its account of memory, and reading graphs from sources.

use std::path::Path;

use object_core::json::{Graph, TensorStore};
use object_core::meter::Meter;
use object_core::{Error, ErrorKind, Limits};
use object_ir::tvm::TvmVersion;
use object_script::file::is_script;
use object_script::parse::version_of;
use object_script::print::ScriptPrinter;

use crate::script;
use crate::source::{Content, Source, TensorFiles};
use crate::types::{Loaded, Origin, TypeChoice};

/// The types and limits with which a run reads graphs, and the account of the memory for everything that it makes of them.
pub(crate) struct Reading {
    pub(crate) types: TypeChoice,
    pub(crate) limits: Limits,
    pub(crate) meter: Meter,
}

/// A program with Rust types.
pub(crate) struct Program {
    pub(crate) graph: Graph,
    /// The version of TVM that wrote it.
    pub(crate) version: TvmVersion,
    /// The text of the file, if it is a script.
    pub(crate) script: Option<String>,
}

impl Reading {
    /// A printer that counts the memory of its texts.
    pub(crate) fn printer(&self) -> ScriptPrinter {
        ScriptPrinter::new().meter(&self.meter)
    }

    /// The graph in `text`, which is JSON, a script or a binary graph; `name` is the name of the file.
    ///
    /// # Errors
    /// Errors of loading.
    pub(crate) fn graph(&self, name: &str, text: &Content) -> object_core::Result<Loaded> {
        self.graph_storing(name, text, None)
    }

    /// As [`graph`](Self::graph), with the data of large tensors in `tensors`.
    fn graph_storing(
        &self,
        name: &str,
        text: &Content,
        tensors: Option<&dyn TensorStore>,
    ) -> object_core::Result<Loaded> {
        let _text = self.meter.reserve(text.memory)?;
        if !is_script(name, text) {
            return self.types.read(name, text, self.limits, &self.meter, tensors);
        }
        self.check_reads_scripts()?;
        let version = self.script_version(text);
        let graph = version.from_rust_types(script::read(name, text, version)?)?;
        Ok(Loaded { graph: graph.counted(&self.meter)?, origin: Origin::of(version) })
    }

    /// The version of a script: the one that the options choose, or the one whose words the text has.
    fn script_version(&self, text: &[u8]) -> TvmVersion {
        match self.types {
            TypeChoice::Version(version) => version,
            _ => std::str::from_utf8(text).map_or(TvmVersion::V0_25, version_of),
        }
    }

    /// Whether the chosen types are the types of scripts.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for other types.
    pub(crate) fn check_reads_scripts(&self) -> object_core::Result<()> {
        if self.types.reads_scripts() {
            return Ok(());
        }
        let message = "scripts have the types of TVM, so `--tvm` cannot choose those of a file";
        Err(Error::new(ErrorKind::TypeMismatch, message))
    }
}

impl Source {
    /// Reads the graph in the source. The text is in memory during the call, because the reader of streams is several times
    /// slower.
    ///
    /// # Errors
    /// Errors of reading, unpacking and loading, with the name of the source.
    pub(crate) fn load(&self, reading: &Reading) -> object_core::Result<Loaded> {
        let text = self.read(&reading.limits)?;
        reading.graph(&self.to_string(), &text).map_err(|error| self.name_in(error))
    }

    /// As [`load`](Self::load), with the text and the data of large tensors in files of `folder` instead of in memory.
    ///
    /// # Errors
    /// As [`load`](Self::load), and errors of the files.
    pub(crate) fn load_through_files(&self, reading: &Reading, folder: &Path) -> object_core::Result<Loaded> {
        let text = self.read_through_file(&reading.limits, folder)?;
        let tensors = TensorFiles { folder: folder.to_owned() };
        reading.graph_storing(&self.to_string(), &text, Some(&tensors)).map_err(|error| self.name_in(error))
    }

    /// Reads a graph with Rust types, for a command that needs the meaning of Relax.
    ///
    /// # Errors
    /// As [`load`](Self::load), and the errors of [`Loaded::into_linked`].
    pub(crate) fn load_for(&self, command: &str, reading: &Reading) -> object_core::Result<Graph> {
        let text = self.read(&reading.limits)?;
        self.graph_for(command, &text, reading)
    }

    /// As [`load_for`](Self::load_for), with the version of the source, and its text if it is a script.
    ///
    /// # Errors
    /// As [`load_for`](Self::load_for).
    pub(crate) fn load_program(&self, command: &str, reading: &Reading) -> object_core::Result<Program> {
        let text = self.read(&reading.limits)?;
        let loaded = reading.graph(&self.to_string(), &text);
        let linked = loaded.and_then(|loaded| {
            let version = loaded.origin.version(command)?;
            Ok((loaded.into_linked(command)?, version))
        });
        let (graph, version) = linked.map_err(|error| self.name_in(error))?;
        let is_script = is_script(&self.to_string(), &text);
        let script = is_script.then(|| text.into_text().ok()).flatten();
        Ok(Program { graph, version, script })
    }

    /// The graph with Rust types in `text`, which is the content of the source.
    ///
    /// # Errors
    /// As [`load_for`](Self::load_for), except errors of reading.
    pub(crate) fn graph_for(&self, command: &str, text: &Content, reading: &Reading) -> object_core::Result<Graph> {
        let loaded = reading.graph(&self.to_string(), text);
        loaded.and_then(|loaded| loaded.into_linked(command)).map_err(|error| self.name_in(error))
    }
}
