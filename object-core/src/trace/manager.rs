//! [`PassManager`]: functions of a program as passes, in order.

use std::fmt;
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::object::ObjectHandle;
use crate::trace::{Recorder, Trace};

/// A pass over a program.
type Run<'a, T> = Box<dyn Fn(&T) -> Result<T> + 'a>;

/// A check of a program after a pass.
type Verify<'a, T> = Box<dyn Fn(&T) -> Result<()> + 'a>;

/// A function that sees the name of a pass and the program after it.
type Observe<'a, T> = Box<dyn Fn(&str, &T) + 'a>;

/// Runs functions of a program as passes, in order, with a check of the program after each of them.
///
/// ```
/// use object_core::trace::PassManager;
/// use object_core::{Array, Error, ErrorKind};
///
/// let passes = PassManager::new()
///     .pass("double", |numbers: &Array<i64>| Ok(numbers.iter().map(|it| 2 * it).collect()))
///     .pass("drop", |numbers| Ok(numbers.iter().skip(1).collect()))
///     .verify(|numbers| match numbers.is_empty() {
///         true => Err(Error::new(ErrorKind::Call, "expected a number, got none")),
///         false => Ok(()),
///     });
/// assert_eq!(passes.run(&Array::from([1, 2]))?, Array::from([4]));
///
/// let (result, trace) = passes.trace(&Array::from([1]), "doc");
/// assert_eq!(result.unwrap_err().to_string(), "pass `drop`: expected a number, got none");
/// assert_eq!(trace.stages.len(), 3); // before, after `double`, after `drop`
/// # Ok::<(), Error>(())
/// ```
pub struct PassManager<'a, T> {
    passes: Vec<(String, Run<'a, T>)>,
    verify: Option<Verify<'a, T>>,
    observe: Option<Observe<'a, T>>,
}

impl<'a, T: ObjectHandle + Clone> PassManager<'a, T> {
    /// No passes.
    #[must_use]
    pub fn new() -> Self {
        PassManager { passes: Vec::new(), verify: None, observe: None }
    }

    /// The manager with a further pass, which runs after the others.
    #[must_use]
    pub fn pass(mut self, name: impl Into<String>, run: impl Fn(&T) -> Result<T> + 'a) -> Self {
        self.passes.push((name.into(), Box::new(run)));
        self
    }

    /// Checks the program before the first pass and after each one. By default, nothing does.
    #[must_use]
    pub fn verify(mut self, verify: impl Fn(&T) -> Result<()> + 'a) -> Self {
        self.verify = Some(Box::new(verify));
        self
    }

    /// Calls `observe` with the name of each pass and the program after it, for example to print the program. By default,
    /// nothing sees it.
    #[must_use]
    pub fn observe(mut self, observe: impl Fn(&str, &T) + 'a) -> Self {
        self.observe = Some(Box::new(observe));
        self
    }

    /// The names of the passes in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.passes.iter().map(|(name, _)| &**name)
    }

    /// The program after all passes.
    ///
    /// # Errors
    /// The error of the first pass that fails, or of the first check that does, with the name of the pass.
    pub fn run(&self, program: &T) -> Result<T> {
        self.run_observed(program, &mut |_| {})
    }

    /// As [`run`](Self::run), with the record of the passes up to the one that fails. `producer` is the name of the pipeline for
    /// the trace.
    pub fn trace(&self, program: &T, producer: &str) -> (Result<T>, Trace) {
        let mut recorder = Recorder::new();
        let (mut start, mut time) = (Instant::now(), Duration::ZERO);
        let result = self.run_observed(program, &mut |event| match event {
            Event::Begin(name, program) => {
                recorder.begin(name, program);
                // The time of a pass leaves the work of the recorder out.
                start = Instant::now();
            }
            Event::Return => time = start.elapsed(),
            Event::End(program) => recorder.end(program, time),
            Event::Fail(program, error) => recorder.fail(program, time, error.to_string()),
        });
        (result, recorder.finish(producer))
    }

    fn run_observed(&self, program: &T, record: &mut dyn FnMut(Event<'_, T>)) -> Result<T> {
        let verify = |program: &T| self.verify.as_ref().map_or(Ok(()), |verify| verify(program));
        verify(program).map_err(|error| error.context("the program before all passes"))?;
        self.passes.iter().try_fold(program.clone(), |program, (name, run)| {
            let named = |error: Error| error.context(format_args!("pass `{name}`"));
            record(Event::Begin(name, &program));
            let changed = run(&program);
            record(Event::Return);
            let changed = changed.inspect_err(|error| record(Event::Fail(&program, error))).map_err(named)?;
            verify(&changed).inspect_err(|error| record(Event::Fail(&changed, error))).map_err(named)?;
            record(Event::End(&changed));
            if let Some(observe) = &self.observe {
                observe(name, &changed);
            }
            Ok(changed)
        })
    }
}

/// An event of a run.
enum Event<'e, T> {
    Begin(&'e str, &'e T),
    /// The function of the pass returned. The check follows.
    Return,
    End(&'e T),
    Fail(&'e T, &'e Error),
}

impl<T: ObjectHandle + Clone> Default for PassManager<'_, T> {
    fn default() -> Self {
        PassManager::new()
    }
}

impl<T> fmt::Debug for PassManager<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.passes.iter().map(|(name, _)| name);
        f.debug_struct("PassManager").field("passes", &names.collect::<Vec<_>>()).finish_non_exhaustive()
    }
}
