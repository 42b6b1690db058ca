//! [`Evaluator`]: runs the functions of a module.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

use object_core::Function;
use object_core::prelude::*;
use object_core::table::Table;
use object_ir::ir::{self, IRModule, StructInfo};
use object_relax::transform::CompiledModule;

use super::controls::Controls;
use super::domains::{Domain, dimensions, domains};
use super::machine;
use super::program::Program;
use super::session::{Event, Observer, Progress, Session};
use super::value::{Meter, from_constants, to_constants};

/// Runs the functions of a module, by the section "Detailed Semantics" of the specification.
///
/// ```
/// use object_core::prelude::*;
/// use object_eval::{Evaluator, Meter, Tensor};
/// use object_ir::ir::{BaseFunc, Binding, BindingBlock, DictAttrs, Function, GlobalVar, IRModule, SeqExpr, SourceMap, TensorStructInfo, Var, VarBinding};
/// use object_relax::op;
///
/// let info = TensorStructInfo::of([2], "float32")?;
/// let (x, y) = (Var::of("x", info.clone()), Var::of("y", info.clone()));
/// let block = BindingBlock::new([Binding::from(VarBinding::new(&y, op::add(&x, &x)))]);
/// let nothing = || DictAttrs::new(Map::<Str, Any>::new([]));
/// let main = Function::new(nothing(), [x], SeqExpr::new([block], &y), info, true);
/// let var = GlobalVar::new("main");
/// let functions = [(var.clone(), BaseFunc::from(main))];
/// let module = IRModule::new(functions, [(Str::from("main"), var)], SourceMap::new([]), nothing(), []);
///
/// let x = Tensor::from_elements::<f32>(&[2], [1.0, 2.5], &Meter::unlimited())?;
/// let result: Tensor = Evaluator::new(&module).run("main", [x])?.cast()?;
/// assert_eq!(&result.read::<f32>()?[..], [2.0, 5.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct Evaluator {
    program: Arc<Program>,
    functions: Table<String, Function>,
    max_steps: u64,
    meter: Meter,
    is_cancelled: Arc<AtomicBool>,
    observer: Option<Arc<Observer>>,
    progress: Option<Arc<Progress>>,
}

impl Evaluator {
    /// Compiles a module. A function that has no meaning is an error when a run calls it.
    #[must_use]
    pub fn new(module: &IRModule) -> Self {
        Evaluator {
            program: Arc::new(Program::new(module)),
            functions: Table::default(),
            max_steps: u64::MAX,
            meter: Meter::unlimited(),
            is_cancelled: Arc::default(),
            observer: None,
            progress: None,
        }
    }

    /// Lets programs call `function` by its name. It takes precedence over registered functions.
    #[must_use]
    pub fn function(mut self, function: &Function) -> Self {
        self.functions.insert(function.name().to_owned(), function.clone());
        self
    }

    /// Sets the step budget of a run: instructions of functions, elements that loop programs visit, and products of numbers
    /// that operators such as `matmul` compute. By default, there is none.
    #[must_use]
    pub fn max_steps(mut self, steps: u64) -> Self {
        self.max_steps = steps;
        self
    }

    /// Counts the memory of runs in an account: all tensors, and the arrays inside of operators. By default, it has no limit.
    #[must_use]
    pub fn meter(mut self, meter: &Meter) -> Self {
        self.meter = meter.clone();
        self
    }

    /// Ends a run with an error soon after another thread sets `flag`.
    #[must_use]
    pub fn cancelled_by(mut self, flag: Arc<AtomicBool>) -> Self {
        self.is_cancelled = flag;
        self
    }

    /// Calls `observer` with each value that a run computes.
    #[must_use]
    pub fn observe(mut self, observer: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Calls `progress` from time to time with the number of steps that the run has taken.
    #[must_use]
    pub fn progress(mut self, progress: impl Fn(u64) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(progress));
        self
    }

    /// Runs of the module with constants as arguments and results, for
    /// [`fold_constants`](object_relax::transform::fold_constants).
    ///
    /// ```
    /// use object_core::Error;
    /// use object_eval::{Evaluator, Meter};
    /// use object_ir::ir::IRModule;
    /// use object_relax::transform::{ModuleCompiler, fold_constants};
    ///
    /// /// The module with constants of at most a megabyte in place of calls on constants.
    /// fn folded(module: &IRModule) -> Result<IRModule, Error> {
    ///     let meter = Meter::with_limit(1 << 20);
    ///     fold_constants(module, ModuleCompiler(&|calls| Evaluator::new(calls).meter(&meter).into_compiled()))
    /// }
    /// ```
    #[must_use]
    pub fn into_compiled(self) -> CompiledModule {
        Box::new(move |name, args| to_constants(self.run(name, args)?))
    }

    /// The names of the functions that [`run`](Self::run) can call: `main`, and functions of Relax with the attribute
    /// `global_symbol`.
    #[must_use]
    pub fn entries(&self) -> Vec<&str> {
        self.program.entries()
    }

    /// The names and the structural information of the parameters of a function of Relax.
    #[must_use]
    pub fn parameters(&self, name: &str) -> Option<Vec<(Str, Option<StructInfo>)>> {
        let function: ir::Function = self.program.function(name)?;
        Some(function.params.iter().map(|param| (param.vid.name_hint.clone(), param.struct_info.clone())).collect())
    }

    /// The names of the symbolic dimensions of the parameters of a function of Relax, in order.
    #[must_use]
    pub fn dimensions(&self, name: &str) -> Vec<String> {
        let parameters = self.parameters(name).unwrap_or_default();
        dimensions(parameters.iter().filter_map(|(_, info)| info.as_ref()))
    }

    /// The domains of the parameters of a function of Relax.
    pub(super) fn domains(&self, name: &str) -> Vec<Domain> {
        domains(self.program.module(), name)
    }

    /// Calls the entry `name`. Arguments are the values of [`value`](super::value); a constant
    /// ([`object_core::Tensor`]) is copied to a tensor.
    ///
    /// # Errors
    /// [`UnknownFunction`](ErrorKind::UnknownFunction) for a name that is not an entry, [`Call`](ErrorKind::Call) for a wrong
    /// number of arguments, [`TypeMismatch`](ErrorKind::TypeMismatch) and [`SHAPE_MISMATCH`](super::SHAPE_MISMATCH) for
    /// values that do not match their annotations, [`ASSERTION_FAILED`](super::ASSERTION_FAILED), and
    /// [`LimitExceeded`](ErrorKind::LimitExceeded). The path leads to the binding in the module, and the source of the
    /// error is the [`CallStack`](super::CallStack).
    pub fn run<A: Into<Any>>(&self, name: &str, args: impl IntoIterator<Item = A>) -> Result<Any, Error> {
        let controls = Controls::new(self.max_steps, self.meter.clone(), self.is_cancelled.clone());
        let code = self.program.entry(name)?;
        let args = args.into_iter();
        let mut values = Vec::with_capacity(args.size_hint().0);
        for arg in args {
            values.push(from_constants(arg.into(), controls.meter())?);
        }
        let session = Arc::new_cyclic(|this| Session {
            program: self.program.clone(),
            controls,
            call: machine::call,
            functions: self.functions.clone(),
            observer: self.observer.clone(),
            progress: self.progress.clone(),
            next_report: AtomicU64::new(0),
            nesting: AtomicUsize::new(0),
            this: this.clone(),
        });
        machine::call(&session, code, values, None)
    }
}
