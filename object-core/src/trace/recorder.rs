//! [`Recorder`]: makes a [`Trace`] of a pipeline that runs.

use std::time::Duration;

use crate::container::Array;
use crate::object::{Any, AnyView, AsAnyView};
use crate::structural::StructuralMap;
use crate::trace::{Pass, Trace};
use crate::value::Str;

/// Makes a [`Trace`] of a pipeline, from calls before and after each pass.
///
/// A program that is structurally equal to an earlier one is the same stage, so a difference in names alone makes no stage.
///
/// ```
/// use std::time::Duration;
/// use object_core::trace::Recorder;
/// use object_core::Array;
///
/// let (program, simpler) = (Array::from([1, 1]), Array::from([1]));
/// let mut recorder = Recorder::new();
/// recorder.begin("simplify", &program);
/// recorder.begin("dedup", &program);
/// recorder.end(&simpler, Duration::from_micros(3));
/// recorder.end(&simpler, Duration::from_micros(5));
/// let trace = recorder.finish("doc");
/// assert_eq!(trace.stages.len(), 2);
/// assert_eq!(trace.steps()?[0].to_string(), "dedup, inside simplify");
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Recorder {
    passes: Vec<RunningPass>,
    /// The indices of the passes that run, the outermost first.
    open: Vec<usize>,
    stages: Vec<Any>,
    /// The stages by structure.
    known: StructuralMap<usize>,
    last: Option<usize>,
}

/// A pass that began.
#[derive(Debug)]
struct RunningPass {
    name: Str,
    depth: usize,
    before: usize,
    after: usize,
    time: Duration,
    failure: Option<Str>,
}

impl Recorder {
    /// A recorder without passes.
    #[must_use]
    pub fn new() -> Self {
        Recorder::default()
    }

    /// Records that a pass begins, inside of the passes that run.
    pub fn begin(&mut self, name: impl Into<Str>, program: &impl AsAnyView) {
        let before = self.stage(program.as_any_view());
        let pass = RunningPass {
            name: name.into(),
            depth: self.open.len(),
            before,
            after: before,
            time: Duration::ZERO,
            failure: None,
        };
        self.open.push(self.passes.len());
        self.passes.push(pass);
    }

    /// Records that the innermost pass that runs ends with this program, after `time`. Without such a pass, nothing happens.
    pub fn end(&mut self, program: &impl AsAnyView, time: Duration) {
        self.close(program.as_any_view(), time, None);
    }

    /// Records that the innermost pass that runs fails after `time`, for this reason: with the program that it returned, or with
    /// the last one before the failure. Without such a pass, nothing happens.
    pub fn fail(&mut self, program: &impl AsAnyView, time: Duration, reason: impl Into<Str>) {
        self.close(program.as_any_view(), time, Some(reason.into()));
    }

    fn close(&mut self, program: AnyView<'_>, time: Duration, failure: Option<Str>) {
        let after = self.stage(program);
        if let Some(pass) = self.open.pop() {
            let pass = &mut self.passes[pass];
            (pass.after, pass.time, pass.failure) = (after, time, failure);
        }
    }

    /// The trace. `producer` is the program whose pipeline this is. Passes that still run end with the program before them.
    #[must_use]
    pub fn finish(self, producer: impl Into<Str>) -> Trace {
        let pass = |it: RunningPass| {
            let nanoseconds = i64::try_from(it.time.as_nanos()).unwrap_or(i64::MAX);
            Pass::new(it.name, it.depth as i64, it.before as i64, it.after as i64, nanoseconds, it.failure)
        };
        let passes: Array<Pass> = self.passes.into_iter().map(pass).collect();
        Trace::new(producer, passes, Array::<Any>::from_anys(self.stages))
    }

    /// The index of the stage of a program.
    fn stage(&mut self, program: AnyView<'_>) -> usize {
        let is_last = |index: &usize| is_same_object(self.stages[*index].view(), program);
        if let Some(index) = self.last.filter(is_last) {
            return index;
        }
        let next = self.stages.len();
        // A program that takes no part in comparisons is a stage of its own.
        let index = match self.known.get_or_insert_with(program.to_any(), || next) {
            Ok(index) => *index,
            Err(_) => next,
        };
        if index == next {
            self.stages.push(program.to_any());
        }
        self.last = Some(index);
        index
    }
}

fn is_same_object(a: AnyView<'_>, b: AnyView<'_>) -> bool {
    match (a.as_object(), b.as_object()) {
        (Some(a), Some(b)) => a.address() == b.address(),
        _ => false,
    }
}
