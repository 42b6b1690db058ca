//! [`Derivation`]: derives expressions, functions and modules.

use object_core::prelude::*;
use object_ir::ir::{Function, IRModule, RelaxExpr, StructInfo};
use object_ir::tir::Var as ShapeVar;
use object_ir::tvm::TvmVersion;

use super::environment::Environment;
use super::finding::{Finding, Notes, below, path_to};
use super::module::{map_functions, with_signatures};
use super::state::State;
use crate::addresses::address;
use crate::arith::Analyzer;
use crate::op::{InferContext, SharedResults};

/// Fills in the structural information of programs, and checks the one that they state.
///
/// Variables without structural information get the one of the value that they are bound to; the annotation of a
/// variable stays if the value may fit it. Everything else gets what its parts say, also where it has structural
/// information already. Nothing is evaluated twice, and no program overflows the stack.
///
/// TVM 0.25 does this in `BlockBuilder.normalize`; spec: Derivation Rules.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::structural_equal;
/// use object_relax::derivation::Derivation;
/// use object_ir::ir::{BindingBlock, RelaxExpr, SeqExpr, TensorStructInfo, Var, VarBinding};
/// use object_relax::op;
/// use object_ir::tir;
///
/// let n = tir::Var::dim("n");
/// let x = Var::of("x", TensorStructInfo::of((&n, 4), "float32")?);
/// let y = Var::named("y");
/// let total = VarBinding::new(&y, op::add(&x, &x));
/// let seq = SeqExpr::new([BindingBlock::new([total.into()])], op::exp(&y));
///
/// // `n` and `x` are visible: the expression is a part of a larger program.
/// let derived = Derivation::new().see(&n).expr(&seq.into())?;
/// let info = derived.result.struct_info.as_ref().expect("the derivation fills it in");
/// assert!(structural_equal(info, &TensorStructInfo::of((&n, 4), "float32")?));
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Derivation {
    around: Environment,
    keeps_stated: bool,
}

/// A derived program.
#[derive(Clone, Debug)]
pub struct Derived<T> {
    /// The program with structural information in all parts.
    pub result: T,
    notes: Notes,
}

impl<T> Derived<T> {
    /// Facts about the program that are not errors. Each call makes their texts, and searches their paths in the given
    /// program.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        self.notes.findings()
    }

    /// The derived program as another type, with the same findings.
    #[must_use]
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> Derived<U> {
        Derived { result: convert(self.result), notes: self.notes }
    }
}

impl Derivation {
    /// A derivation that knows of dimensions that they are not negative.
    #[must_use]
    pub fn new() -> Self {
        Derivation::default()
    }

    /// Compares dimensions by an analyzer with more facts.
    #[must_use]
    pub fn analyzer(mut self, analyzer: Analyzer) -> Self {
        self.around.analyzer = analyzer;
        self
    }

    /// A shape variable is visible in the program.
    #[must_use]
    pub fn see(mut self, var: &ShapeVar) -> Self {
        self.around.visible.push(var.clone());
        self
    }

    /// Keeps the structural information that expressions and global variables state, unless their parts contradict it, and
    /// leaves out the information of the functions of a module without functions of Relax. So a module that TVM calls normal
    /// stays as it is.
    #[must_use]
    pub fn keep_stated(mut self) -> Self {
        self.keeps_stated = true;
        self
    }

    /// Infers calls by the rules of a version of TVM: see [`InferContext::version`].
    #[must_use]
    pub fn version(mut self, version: Option<TvmVersion>) -> Self {
        self.around.version = version;
        self
    }

    /// Derives an expression outside of a module.
    ///
    /// # Errors
    /// The message names the operator or function, the argument or variable, and the expected and given structural
    /// information; the path leads to the expression or binding.
    ///
    /// [`MissingField`](ErrorKind::MissingField) for a variable that is neither bound nor annotated,
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for a value that does not fit where it stands,
    /// [`OutOfRange`](ErrorKind::OutOfRange) for a member that a tuple does not have, and the errors of
    /// [`op::infer`](crate::op::infer) and [`derive_call`](super::derive_call).
    pub fn expr(&self, expr: &RelaxExpr) -> Result<Derived<RelaxExpr>, Error> {
        self.run(expr, self.around.context(), None)
    }

    /// Derives a function outside of a module.
    ///
    /// # Errors
    /// As [`expr`](Self::expr).
    pub fn function(&self, function: &Function) -> Result<Derived<Function>, Error> {
        let Derived { result, notes } = self.expr(&function.into())?;
        Ok(Derived { result: Any::from(result).cast()?, notes })
    }

    /// Derives all functions of a module. They may call each other: a call takes the annotations of the called function.
    /// Each global variable gets the structural information of its function.
    ///
    /// # Errors
    /// As [`expr`](Self::expr).
    pub fn module(&self, module: &IRModule) -> Result<Derived<IRModule>, Error> {
        let mut notes = Notes::default();
        let has_relax = module.functions.iter().any(|(_, function)| function.is::<Function>());
        let module = match self.keeps_stated && !has_relax {
            true => module.clone(),
            false => with_signatures(module, &self.around.analyzer, self.keeps_stated)?,
        };
        let result = map_functions(module, |module, var, function| {
            // The global variable has the signature, unless more shape variables are visible than in the module.
            let signature = var.struct_info.as_ref().filter(|_| self.around.visible.is_empty());
            let derived = self.run(&function.into(), self.around.context().module(module), signature)?;
            if !derived.notes.programs.is_empty() {
                notes.module = Some(module.clone());
                notes.programs.extend(derived.notes.programs);
            }
            Ok(derived.result)
        })?;
        Ok(Derived { result, notes })
    }

    /// Derives `root`, which has the structural information `signature` if it is a function of a module.
    fn run(
        &self,
        root: &RelaxExpr,
        context: InferContext<'_>,
        signature: Option<&StructInfo>,
    ) -> Result<Derived<RelaxExpr>, Error> {
        let results = SharedResults::default();
        let mut state = State::new(context.results(&results));
        state.keeps_stated = self.keeps_stated;
        state.signature = signature.cloned().map(|signature| (address(root), signature));
        state.scope.take_marks();
        for var in &self.around.visible {
            state.scope.add_shape_var(var);
        }
        match state.expr(root) {
            Ok(result) => Ok(Derived { result, notes: Notes::of(root, state.notes) }),
            Err((error, place)) => Err(below(path_to(root, &place), error)),
        }
    }
}
