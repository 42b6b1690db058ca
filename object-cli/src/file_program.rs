//! [`FileProgram`]: the program of a file, and programs like it in the format of the file.

use std::path::Path;

use object_core::json::{Graph, JsonWriter};
use object_core::{Any, Result, binary};
use object_ir::tvm::TvmVersion;
use object_relax::root::Root;
use object_script::file::{is_script, packed};
use object_script::print::ScriptPrinter;

use crate::input::Reading;
use crate::output::{write_file, write_file_with};
use crate::source::{Content, Source};

/// The program and the format of its file.
pub(crate) struct FileProgram {
    pub(crate) graph: Graph,
    /// The version of TVM whose types the file has; `None` for types of a schema.
    pub(crate) version: Option<TvmVersion>,
    pub(crate) is_script: bool,
}

/// Whether the name of an output asks for a script.
pub(crate) fn is_script_name(out: &Path) -> bool {
    out.extension().is_some_and(|extension| extension == "py")
}

/// Writes a graph into a file: as a binary graph if its name ends in `.safetensors`, or else as JSON, packed if it ends in `.gz`.
///
/// # Errors
/// Errors of writing, and of values without such a form.
pub(crate) fn write_graph(graph: &Graph, out: &Path) -> Result<()> {
    let metadata = graph.metadata.as_ref();
    if is_binary_name(out) {
        return write_file_with(out, |file| binary::to_writer(file, &graph.root, metadata));
    }
    write_file(out, packed(out, JsonWriter::new().metadata(metadata).to_string(&graph.root)?)?)
}

/// Whether the name of an output asks for a binary graph.
pub(crate) fn is_binary_name(out: &Path) -> bool {
    out.extension().is_some_and(|extension| extension == "safetensors")
}

/// The graph of a program as files of a version have it.
fn graph_of_file(graph: Graph, version: Option<TvmVersion>) -> Result<Graph> {
    match version {
        Some(version) => version.from_rust_types(graph),
        None => Ok(graph),
    }
}

/// A program as the text of a file: a script by a printer, or else JSON of a version.
///
/// # Errors
/// The errors of printing and of the conversion to the version.
pub(crate) fn program_text(
    graph: Graph,
    version: Option<TvmVersion>,
    printer: Option<ScriptPrinter>,
) -> Result<String> {
    if let Some(printer) = printer {
        return printer.show_meta(true).try_print_text(&graph.root).map(|text| text + "\n");
    }
    let graph = graph_of_file(graph, version)?;
    JsonWriter::new().metadata(graph.metadata.as_ref()).to_string(&graph.root)
}

impl FileProgram {
    /// The program in a text, for `command`.
    ///
    /// # Errors
    /// Errors of loading.
    pub(crate) fn of(command: &str, name: &str, text: &Content, reading: &Reading) -> Result<Self> {
        let loaded = reading.graph(name, text)?;
        let version = loaded.origin.version(command).ok();
        let graph = if version.is_some() { loaded.into_linked(command)? } else { loaded.graph };
        Ok(FileProgram { graph, version, is_script: is_script(name, text) })
    }

    /// The program in a file, for `command`.
    ///
    /// # Errors
    /// Errors of reading and loading, with the name of the file.
    pub(crate) fn load(command: &str, file: &Source, reading: &Reading) -> Result<Self> {
        let text = file.read(&reading.limits)?;
        Self::of(command, &file.to_string(), &text, reading).map_err(|error| file.name_in(error))
    }

    /// A program like this one as the text of a file.
    ///
    /// # Errors
    /// Errors of writing, and of the conversion to the version of the file.
    pub(crate) fn text(&self, root: &Any, is_script: bool) -> Result<String> {
        let printer = ScriptPrinter::new().version(self.version.unwrap_or(TvmVersion::V0_25));
        let graph = Graph::new(root.clone(), self.graph.metadata.clone());
        program_text(graph, self.version, is_script.then_some(printer))
    }

    /// Whether scripts can show it.
    pub(crate) fn has_script(&self) -> bool {
        self.version.is_some() && Root::of(&self.graph.root).is_ok()
    }

    /// Writes a program into a file: as a script or as a binary graph if its name says so.
    ///
    /// # Errors
    /// As [`text`](Self::text), and errors of writing.
    pub(crate) fn write(&self, root: &Any, out: &Path) -> Result<()> {
        if is_binary_name(out) {
            let graph = Graph::new(root.clone(), self.graph.metadata.clone());
            return write_graph(&graph_of_file(graph, self.version)?, out);
        }
        write_file(out, packed(out, self.text(root, is_script_name(out))?)?)
    }

    /// Writes a program into a file in the format of this one, or on standard output without a file.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub(crate) fn write_alike(&self, root: &Any, out: Option<&Path>, output: &crate::output::Output) -> Result<()> {
        let text = self.text(root, self.is_script)?;
        match out {
            Some(out) => write_file(out, packed(out, text)?),
            None => output.show_text(text.trim_end()),
        }
    }
}
