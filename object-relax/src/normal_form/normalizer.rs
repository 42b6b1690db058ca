//! [`Normalizer`]: puts expressions, functions and modules into normal form.

use object_core::prelude::*;
use object_ir::ir::{Function, IRModule, RelaxExpr};
use object_ir::tir::Var as ShapeVar;

use super::recognize::is_normal;
use super::state::State;
use super::walk::{Walk, at};
use crate::arith::Analyzer;
use crate::derivation::{Environment, map_functions, with_signatures};
use crate::op::InferContext;

/// Puts programs into normal form (spec: Normal Form).
///
/// - Each nested expression is bound to a new variable, in the order of evaluation: the callee, then the arguments from left
///   to right. Tuples may stay nested.
/// - Sequences are the bodies of functions and branches only. The bindings of other sequences move into the sequence around
///   them.
/// - Blocks of the same kind are merged, and empty blocks removed. The new variables of a dataflow block are dataflow
///   variables.
/// - Every part has structural information. A part that states it keeps it, and nothing checks it: that is the task of
///   [`Derivation`](crate::derivation::Derivation) and of the checker.
/// - A function without an annotation of its result gets the structural information of its body: an `ObjectStructInfo`
///   counts as missing.
/// - A use of a variable whose value is the empty tuple becomes the empty tuple. Calls of loop programs have a literal tuple
///   of arguments, and known facts about tensors become constants.
///
/// An expression with several references is evaluated once in each block, as in TVM, unless it has side effects: then it is
/// evaluated at each place, because structural equality, too, sees a tree. The normal form of a normalized program is the
/// same object, and [`is_normal`] finds that out fast.
///
/// TVM 0.25 does this in `BlockBuilder.normalize`. The pass `Normalize` of TVM binds expressions in another order, level by
/// level, and so reorders side effects.
///
/// ```
/// use object_core::prelude::*;
/// use object_ir::ir::{Function, RelaxExpr, SeqExpr, TensorStructInfo, Var};
/// use object_relax::normal_form::Normalizer;
/// use object_relax::op;
///
/// let x = Var::of("x", TensorStructInfo::of((2, 3), "float32")?);
/// let nested: RelaxExpr = op::add(op::multiply(&x, &x), op::negative(&x)).into();
/// let normal = Normalizer::new().expr(&nested)?;
///
/// let seq = normal.downcast_ref::<SeqExpr>().expect("a sequence with the bindings");
/// let names = seq.blocks[0].bindings.iter().map(|binding| binding.var.vid.name_hint.to_string());
/// assert_eq!(names.collect::<Vec<_>>(), ["gv", "gv1", "gv2"]);
/// assert!(Normalizer::new().expr(&normal)?.ptr_eq(&normal));
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Normalizer {
    around: Environment,
}

impl Normalizer {
    /// A normalizer that knows of dimensions that they are not negative.
    #[must_use]
    pub fn new() -> Self {
        Normalizer::default()
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

    /// Normalizes an expression outside of a module. An expression with nested parts that is neither a function nor a
    /// sequence becomes a sequence of their bindings.
    ///
    /// # Errors
    /// The path leads to the expression or binding.
    ///
    /// [`Malformed`](ErrorKind::Malformed) for a dataflow variable that is bound outside of dataflow blocks, or that leaves
    /// its block because an ordinary block is inside of it; [`LimitExceeded`](ErrorKind::LimitExceeded) for shared parts
    /// whose repeated evaluation takes exponentially many bindings. Parts without structural information have the errors
    /// of [`Derivation::expr`](crate::derivation::Derivation::expr).
    pub fn expr(&self, expr: &RelaxExpr) -> Result<RelaxExpr, Error> {
        self.run(expr, self.around.context())
    }

    /// Normalizes a function outside of a module.
    ///
    /// # Errors
    /// As [`expr`](Self::expr).
    pub fn function(&self, function: &Function) -> Result<Function, Error> {
        Any::from(self.expr(&function.into())?).cast()
    }

    /// Normalizes all functions of a module. If one of them is not normal, each global variable without structural
    /// information gets the one of its function, because calls need it.
    ///
    /// # Errors
    /// As [`expr`](Self::expr).
    pub fn module(&self, module: &IRModule) -> Result<IRModule, Error> {
        if module.functions.iter().all(|(_, function)| !function.is::<Function>() || is_normal(&function.into())) {
            return Ok(module.clone());
        }
        let module = with_signatures(module, &self.around.analyzer, true)?;
        map_functions(module, |module, _, function| self.run(&function.into(), self.around.context().module(module)))
    }

    fn run(&self, root: &RelaxExpr, context: InferContext<'_>) -> Result<RelaxExpr, Error> {
        if is_normal(root) {
            return Ok(root.clone());
        }
        let mut state = State::of(root);
        self.around.visible.iter().for_each(|var| state.surroundings.see(var));
        Walk::new(&mut state, context).root(root).map_err(|located| at(root, located))
    }
}
