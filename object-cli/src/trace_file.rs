//! [`TraceFile`]: a recorded pipeline, read from a file.

use object_core::json::Graph;
use object_core::trace::Trace;
use object_core::{Any, Error, Result};
use object_script::trace::RecordedPipeline;

use crate::file_program::program_text;
use crate::input::Reading;
use crate::source::Source;

/// A recorded pipeline, read from a file.
pub(crate) struct TraceFile {
    pub(crate) source: Source,
    pub(crate) pipeline: RecordedPipeline,
}

impl TraceFile {
    /// Reads the trace in a file.
    ///
    /// # Errors
    /// Errors of reading, and [`TypeMismatch`](object_core::ErrorKind::TypeMismatch) for a file with another graph.
    pub(crate) fn load(source: &Source, reading: &Reading) -> Result<Self> {
        let graph = source.load(reading)?.graph;
        let trace = graph.root.cast::<Trace>();
        let pipeline = trace.and_then(|trace| RecordedPipeline::new(trace, reading.limits, &reading.meter));
        let pipeline = pipeline.map_err(|error| source.name_in(error.context("the file is no trace of passes")))?;
        Ok(TraceFile { source: source.clone(), pipeline })
    }

    /// A stage as the content of a file: a script, or JSON of the version that ran the pipeline.
    ///
    /// # Errors
    /// The errors of printing and of converting.
    pub(crate) fn content(&self, stage: &Any, is_script: bool) -> Result<String> {
        let version = self.pipeline.version;
        let printer = (is_script && version.is_some()).then(|| self.pipeline.printer());
        program_text(Graph::new(stage.clone(), None), version, printer)
    }

    /// Adds the name of the file to an error.
    pub(crate) fn name_in(&self, error: Error) -> Error {
        self.source.name_in(error)
    }
}
