//! [`TraceFile`]: a recorded pipeline, read from a file, with the words of the TVM that ran it.

use object_core::json::{Graph, JsonWriter};
use object_core::meter::Meter;
use object_core::print::PrintedText;
use object_core::repr::Repr;
use object_core::trace::Trace;
use object_core::{Any, Error, Limits, Result};
use object_ir::tvm::TvmVersion;
use object_relax::root::Root;
use object_relax::well_formed::{Checker, Profile, Report};
use object_script::print::ScriptPrinter;

use crate::input::Reading;
use crate::source::Source;

/// A recorded pipeline.
pub(crate) struct TraceFile {
    pub(crate) source: Source,
    pub(crate) trace: Trace,
    /// The version of TVM that ran the pipeline; `None` for programs of other languages.
    pub(crate) version: Option<TvmVersion>,
    pub(crate) limits: Limits,
    printer: ScriptPrinter,
    meter: Meter,
}

impl TraceFile {
    /// Reads the trace in a file.
    ///
    /// # Errors
    /// Errors of reading, and [`TypeMismatch`](object_core::ErrorKind::TypeMismatch) for a file with another graph.
    pub(crate) fn load(source: &Source, reading: &Reading) -> Result<Self> {
        let graph = source.load(reading)?.graph;
        let read = graph.root.cast::<Trace>().and_then(|trace| trace.steps().map(|_| trace.clone()));
        let trace = read.map_err(|error| source.name_in(error.context("the file is no trace of passes")))?;
        let version = trace.producer.strip_prefix("TVM ").and_then(TvmVersion::nearest);
        let printer = reading.printer().version(version.unwrap_or(TvmVersion::V0_25));
        Ok(TraceFile {
            source: source.clone(),
            trace,
            version,
            limits: reading.limits,
            printer,
            meter: reading.meter.clone(),
        })
    }

    /// The text of a stage: a script, or the text form of an object of another language.
    ///
    /// # Errors
    /// [`LimitExceeded`](object_core::ErrorKind::LimitExceeded) beyond the memory.
    pub(crate) fn printed(&self, stage: &Any) -> Result<PrintedText> {
        match self.version {
            Some(_) => Ok((*self.printer.try_print(stage)?).clone()),
            None => Ok(Repr::new(stage).indented(true).printed()),
        }
    }

    /// A stage as the content of a file: a script, or JSON of the version that ran the pipeline.
    ///
    /// # Errors
    /// The errors of printing and of converting.
    pub(crate) fn content(&self, stage: &Any, is_script: bool) -> Result<String> {
        if is_script && self.version.is_some() {
            return self.printer.clone().show_meta(true).try_print_text(stage).map(|text| text + "\n");
        }
        let graph = Graph::new(stage.clone(), None);
        let graph = self.version.map_or(Ok(graph.clone()), |version| version.convert(graph, TvmVersion::V0_25))?;
        JsonWriter::new().metadata(graph.metadata.as_ref()).to_string(&graph.root)
    }

    /// The violations in a stage under the rules of its version, with at most `limit` descriptions; `None` if the stage is no
    /// program of Relax.
    pub(crate) fn checked(&self, stage: &Any, limit: usize) -> Option<Report> {
        let profile = Profile::of(self.version?);
        Root::of(stage).ok()?;
        Some(Checker::new().profile(profile).limit(limit).check(stage))
    }

    /// The account of the memory.
    pub(crate) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Adds the name of the file to an error.
    pub(crate) fn name_in(&self, error: Error) -> Error {
        self.source.name_in(error)
    }
}
