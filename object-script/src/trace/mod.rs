//! Recorded pipelines of TVM: the passes as a table and as a page.

mod changes;
mod compared;
#[cfg(not(target_family = "wasm"))]
mod functions;
mod page;
mod table;

use object_core::error::Result;
use object_core::meter::Meter;
use object_core::print::PrintedText;
use object_core::repr::Repr;
use object_core::trace::Trace;
use object_core::{Any, Limits};
use object_ir::tvm::TvmVersion;
use object_relax::root::Root;
use object_relax::well_formed::{Checker, Profile, Report};

use crate::print::ScriptPrinter;

pub use changes::StageChanges;
pub use compared::{ComparedPass, ComparedPipelines, PassRelation};
pub use page::trace_page;
pub use table::{PassTable, RecordedPass};

/// A recorded pipeline, whose programs are shown and checked in the way of the TVM that ran it.
#[derive(Clone, Debug)]
pub struct RecordedPipeline {
    /// The record.
    pub trace: Trace,
    /// The version of TVM that ran the pipeline; `None` for programs of other languages.
    pub version: Option<TvmVersion>,
    limits: Limits,
    meter: Meter,
}

impl RecordedPipeline {
    /// The pipeline in a trace. Its producer, such as `TVM 0.27.0`, says which version of TVM ran it.
    ///
    /// # Errors
    /// [`OutOfRange`](object_core::ErrorKind::OutOfRange) if a pass refers to a stage that the trace does not have.
    pub fn new(trace: Trace, limits: Limits, meter: &Meter) -> Result<Self> {
        trace.steps()?;
        let version = trace.producer.strip_prefix("TVM ").and_then(TvmVersion::nearest);
        Ok(RecordedPipeline { trace, version, limits, meter: meter.clone() })
    }

    /// The printer of the programs.
    #[must_use]
    pub fn printer(&self) -> ScriptPrinter {
        ScriptPrinter::new().meter(&self.meter).version(self.version.unwrap_or(TvmVersion::V0_25))
    }

    /// The text of a stage: a script, or the text form of an object of another language.
    ///
    /// # Errors
    /// [`LimitExceeded`](object_core::ErrorKind::LimitExceeded) beyond the memory.
    pub fn printed(&self, stage: &Any) -> Result<PrintedText> {
        match self.version {
            Some(_) => Ok((*self.printer().try_print(stage)?).clone()),
            None => Ok(Repr::new(stage).indented(true).printed()),
        }
    }

    /// The violations in a stage under the rules of its version, with at most `limit` descriptions; `None` if the stage is no
    /// program of Relax.
    #[must_use]
    pub fn checked(&self, stage: &Any, limit: usize) -> Option<Report> {
        let profile = Profile::of(self.version?);
        Root::of(stage).ok()?;
        Some(Checker::new().profile(profile).limit(limit).check(stage))
    }
}
