//! Records of what a pipeline of passes did to a program: the program after each pass, the time, and what failed.
//!
//! A [`Trace`] is an object, so it is saved and read as a JSON graph like any other value. Its stages share the objects that the
//! passes left alone, and a program to which a pipeline returns is one stage: the file grows with the changes, not with the
//! number of passes.
//!
//! A [`PassManager`] runs functions of a program as passes and records them. A [`Recorder`] records a pipeline that runs
//! elsewhere, such as in Python. [`Trace::first_failing`] finds the pass that broke a program.

mod manager;
mod recorder;

use std::fmt;

use object_derive::Object;

use crate::container::Array;
use crate::error::{Error, ErrorKind, Result};
use crate::object::Any;
use crate::value::Str;

pub use manager::PassManager;
pub use recorder::Recorder;

/// A recorded pipeline.
#[derive(Object)]
#[object(type_key = "trace.Trace")]
#[structural_eq(tree)]
pub struct TraceNode {
    /// The program whose pipeline this is, with its version, such as `TVM 0.27.0`.
    pub producer: Str,
    /// The passes in the order in which they began. A pass that runs others stands before them.
    pub passes: Array<Pass>,
    /// The programs, each once, in the order in which they first appeared.
    pub stages: Array<Any>,
}

/// A run of a pass.
#[derive(Object)]
#[object(type_key = "trace.Pass")]
#[structural_eq(tree)]
pub struct PassNode {
    /// The name of the pass.
    pub name: Str,
    /// The number of passes that run this one inside of them.
    pub depth: i64,
    /// The index of the stage before the pass.
    pub before: i64,
    /// The index of the stage after the pass, which is the one before it if the pass failed or changed nothing.
    pub after: i64,
    /// The time of the pass, with the passes inside of it, in nanoseconds.
    #[field(ignore)]
    pub nanoseconds: i64,
    /// Why the pass failed; nothing if it did not.
    pub failure: Option<Str>,
}

/// A change of the program from one stage to the next.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The index of the stage before the step.
    pub before: usize,
    /// The index of the stage after the step.
    pub after: usize,
    /// The passes that made the step, the outermost first; none for a change between two passes.
    pub around: Vec<&'a Pass>,
}

impl Trace {
    /// The stage with this index.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) if the trace does not have that many stages.
    pub fn stage(&self, index: usize) -> Result<Any> {
        self.stages.get(index).ok_or_else(|| no_stage(index, self.stages.len()))
    }

    /// The changes of the program in the order in which they happened. A pass makes no step if it changes nothing,
    /// or if the passes inside of it made all of its changes.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) if a pass refers to a stage that the trace does not have.
    pub fn steps(&self) -> Result<Vec<Step<'_>>> {
        let mut walk = Walk { steps: Vec::new(), open: Vec::new(), stage: 0 };
        for pass in self.passes.as_slice() {
            let [before, after] = self.stages_of(pass)?;
            walk.close(pass.depth);
            walk.go_to(before);
            walk.open.push((pass, after));
        }
        walk.close(0);
        Ok(walk.steps)
    }

    /// The indices of the stages before and after a pass.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) if the trace does not have these stages.
    pub fn stages_of(&self, pass: &Pass) -> Result<[usize; 2]> {
        let index = |stage: i64| {
            let found = usize::try_from(stage).ok().filter(|index| *index < self.stages.len());
            found.ok_or_else(|| no_stage(stage, self.stages.len()).context(format_args!("pass `{}`", pass.name)))
        };
        Ok([index(pass.before)?, index(pass.after)?])
    }

    /// The first step after which `fails` says that a program fails, with what it says; `None` if it says so of no stage. If the
    /// first program fails already, the step is the one before all passes, with `before` and `after` 0.
    ///
    /// `fails` sees the stages in their order until it returns something, and each one once.
    ///
    /// # Errors
    /// The errors of `fails` and of [`steps`](Self::steps).
    pub fn first_failing<F>(
        &self,
        mut fails: impl FnMut(usize, &Any) -> Result<Option<F>>,
    ) -> Result<Option<(Step<'_>, F)>> {
        let steps = self.steps()?;
        let mut seen = vec![false; self.stages.len()];
        for step in std::iter::once(Step::START).chain(steps) {
            let Some(stage) = self.stages.get(step.after) else { continue };
            if std::mem::replace(&mut seen[step.after], true) {
                continue;
            }
            if let Some(failure) = fails(step.after, &stage)? {
                return Ok(Some((step, failure)));
            }
        }
        Ok(None)
    }
}

impl<'a> Step<'a> {
    /// The step before all passes, with the first program.
    pub const START: Self = Step { before: 0, after: 0, around: Vec::new() };

    /// The innermost pass that made the step.
    #[must_use]
    pub fn pass(&self) -> Option<&'a Pass> {
        self.around.last().copied()
    }
}

/// `FuseOps, inside default_build`.
impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.around.split_last() {
            _ if self.before == self.after => f.write_str("the program before all passes"),
            None => write!(f, "a change between two passes, from stage {} to {}", self.before, self.after),
            Some((pass, outer)) => {
                f.write_str(&pass.name)?;
                outer.iter().rev().try_for_each(|outer| write!(f, ", inside {}", outer.name))
            }
        }
    }
}

/// The steps so far.
struct Walk<'a> {
    steps: Vec<Step<'a>>,
    /// The passes that run, with the stages after them, the outermost first.
    open: Vec<(&'a Pass, usize)>,
    /// The stage of the program.
    stage: usize,
}

impl Walk<'_> {
    /// Ends the passes that run inside of `depth` passes or more.
    fn close(&mut self, depth: i64) {
        while self.open.last().is_some_and(|(pass, _)| pass.depth >= depth) {
            let Some(&(_, after)) = self.open.last() else { return };
            self.go_to(after);
            self.open.pop();
        }
    }

    /// The program becomes this stage, by the pass that runs.
    fn go_to(&mut self, stage: usize) {
        let before = std::mem::replace(&mut self.stage, stage);
        if before != stage {
            let around = self.open.iter().map(|(pass, _)| *pass).collect();
            self.steps.push(Step { before, after: stage, around });
        }
    }
}

fn no_stage(index: impl fmt::Display, count: usize) -> Error {
    let expected = if count == 0 {
        "a stage, but the trace has none".to_owned()
    } else {
        format!("a stage from 0 to {}", count - 1)
    };
    Error::new(ErrorKind::OutOfRange, format!("expected {expected}, got {index}"))
}
