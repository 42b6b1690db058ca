//! [`Session`]: a program with the functions, limits and observers of a run.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use object_core::Function;
use object_core::prelude::*;
use object_core::stack_budget::with_stack;
use object_core::table::Table;

use super::closure::{Closure, ClosureNode};
use super::controls::Controls;
use super::packed;
use super::program::{Global, Program};
use super::value::from_constants;

/// Calls of closures by packed functions inside each other use the stack of the machine, so their number has a limit.
const MAX_NESTING: usize = 200;

/// The number of steps between two reports of progress.
const REPORT_EVERY: u64 = 1024;

/// A value that a run has computed.
#[derive(Clone, Copy)]
pub struct Event<'a> {
    /// The function of the module.
    pub function: &'a str,
    /// The variable that the value is bound to; `None` for a part of an expression.
    pub variable: Option<&'a str>,
    /// The operator, or the kind of the expression in words.
    pub operation: &'a str,
    /// The value.
    pub value: &'a Any,
    /// The time of the operation; 0 for calls of functions of Relax.
    pub elapsed: Duration,
    /// The number of calls under way.
    pub depth: usize,
}

/// A function that gets each value of a run.
pub(super) type Observer = dyn Fn(&Event<'_>) + Send + Sync;

/// A function that gets the number of steps of a run, from time to time.
pub(super) type Progress = dyn Fn(u64) + Send + Sync;

/// The function of the machine that calls a function of the program by its number.
pub(super) type Call = fn(&Session, usize, Vec<Any>, Option<(&Closure, Any)>) -> Result<Any, Error>;

/// A program with the functions, limits and observers of a run.
pub(super) struct Session {
    pub(super) program: Arc<Program>,
    pub(super) controls: Controls,
    pub(super) call: Call,
    pub(super) functions: Table<String, Function>,
    pub(super) observer: Option<Arc<Observer>>,
    pub(super) progress: Option<Arc<Progress>>,
    /// The number of steps after which `progress` is called again.
    pub(super) next_report: AtomicU64,
    pub(super) nesting: AtomicUsize,
    /// The session itself, for functions that outlive the run.
    pub(super) this: Weak<Session>,
}

impl Session {
    /// Counts a step.
    #[inline]
    pub(super) fn tick(&self) -> Result<(), Error> {
        self.controls.step(1)?;
        if let Some(progress) = &self.progress {
            let steps = self.controls.steps();
            if steps >= self.next_report.load(Ordering::Relaxed) {
                self.next_report.store(steps + REPORT_EVERY, Ordering::Relaxed);
                progress(steps);
            }
        }
        Ok(())
    }

    pub(super) fn observes(&self) -> bool {
        self.observer.is_some()
    }

    pub(super) fn observe(&self, event: &Event<'_>) {
        if let Some(observer) = &self.observer {
            observer(event);
        }
    }

    /// A closure as a function, which packed functions can call while the session lives.
    pub(super) fn function(&self, closure: Closure) -> Function {
        let (session, target) = (self.this.upgrade(), closure.clone());
        let name = self.program.code(closure.code).name.clone();
        let function = Function::from_packed(move |args| {
            let Some(session) = &session else {
                return Err(Error::new(ErrorKind::Call, "the run that made this function is over"));
            };
            let args = args.iter().map(|arg| from_constants(arg.to_any(), session.controls.meter()));
            session.call_from_outside(&target, args.collect::<Result<_, _>>()?)
        });
        function.with_name(name).with_context(closure.into())
    }

    /// Calls a closure from a packed function.
    fn call_from_outside(&self, closure: &Closure, args: Vec<Any>) -> Result<Any, Error> {
        if self.nesting.fetch_add(1, Ordering::Relaxed) >= MAX_NESTING {
            self.nesting.fetch_sub(1, Ordering::Relaxed);
            let message = format!("packed functions and closures call each other more than {MAX_NESTING} levels deep");
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        let own = self.function(closure.clone()).into();
        let result = with_stack(|| (self.call)(self, closure.code, args, Some((closure, own))));
        self.nesting.fetch_sub(1, Ordering::Relaxed);
        result
    }

    /// A function of the module as a value.
    pub(super) fn global(&self, name: &str) -> Result<Any, Error> {
        let Some(global) = self.program.global(name) else {
            return Err(Error::new(ErrorKind::UnknownFunction, format!("the module has no function `{name}`")));
        };
        self.value_of(global).map(Any::from)
    }

    fn value_of(&self, global: &Global) -> Result<Function, Error> {
        match global {
            Global::Relax(code) => {
                let code = code.clone()?;
                let info = self.program.code(code).function.struct_info.clone();
                let (captured, scalars) = (Vec::new(), Vec::new());
                let closure = ClosureNode { code, program: self.program.token(), captured, scalars, info };
                Ok(self.function(closure.into()))
            }
            Global::Loops(program) => Ok(program.function(&self.controls)),
            Global::Extern(symbol) => self.packed(symbol),
        }
    }

    /// A function outside of Relax: a function of the module with this `global_symbol`, a function of the session, a function
    /// of the run time, or a registered function.
    pub(super) fn packed(&self, name: &str) -> Result<Function, Error> {
        if let Some(global) = self.program.symbol(name).filter(|global| !matches!(global, Global::Extern(_))) {
            return self.value_of(global);
        }
        let given = self.functions.get(name).cloned();
        given.or_else(|| packed::find(name, &self.controls)).map_or_else(|| object_core::function::get(name), Ok)
    }
}
