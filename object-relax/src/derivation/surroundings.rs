//! [`Surroundings`]: derives expressions one after the other, at a place of a program under construction.

use object_core::prelude::*;
use object_ir::ir::{FuncStructInfo, Function, RelaxExpr, StructInfo, Var};
use object_ir::tir::Var as ShapeVar;

use super::scope::{Mark, Scope};
use super::state::State;
use crate::op::InferContext;
use crate::struct_info::erase_to_well_defined;
use crate::struct_info::mapping::for_each_binder;

/// The variables that are visible at a place of a program under construction, with their values.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::structural_equal;
/// use object_ir::ir::{TensorStructInfo, Var};
/// use object_ir::tir;
/// use object_relax::arith::Analyzer;
/// use object_relax::derivation::Surroundings;
/// use object_relax::op::{self, InferContext};
///
/// let n = tir::Var::dim("n");
/// let info = TensorStructInfo::of([&n], "float32")?;
/// let x = Var::of("x", info.clone());
/// let mut surroundings = Surroundings::default();
/// let outside = surroundings.mark();
/// surroundings.see_binders(&[info.clone().into()]);
///
/// let analyzer = Analyzer::for_shapes();
/// let derived = surroundings.derive(&op::exp(&x).into(), InferContext::new(&analyzer))?;
/// assert!(derived.struct_info.as_ref().is_some_and(|it| structural_equal(it, &info)));
/// surroundings.end(outside);
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Surroundings {
    scope: Scope<'static>,
    /// The shape variables of the scope, which knows their addresses only.
    shape_vars: Vec<ShapeVar>,
}

impl Surroundings {
    /// The present variables, for [`end`](Self::end).
    #[must_use]
    pub fn mark(&self) -> Mark {
        self.scope.mark()
    }

    /// Removes the variables that became visible after `mark`.
    pub fn end(&mut self, mark: Mark) {
        self.scope.end(mark);
    }

    /// Makes a shape variable visible.
    pub(crate) fn see(&mut self, var: &ShapeVar) {
        if self.scope.add_shape_var(var) {
            self.shape_vars.push(var.clone());
        }
    }

    /// Makes the shape variables visible that structural information binds.
    pub fn see_binders(&mut self, infos: &[StructInfo]) {
        for_each_binder(infos, |var| self.see(var));
    }

    /// Makes a variable visible.
    pub(crate) fn add(&mut self, var: &Var) {
        self.scope.keep(var, None);
    }

    /// Makes a variable visible that is bound to a value.
    pub fn bind(&mut self, var: &Var, value: &RelaxExpr) {
        self.scope.keep(var, Some(value.clone()));
    }

    /// Removes a variable before the end of its scope.
    pub(crate) fn remove(&mut self, var: &Var) {
        self.scope.remove(var);
    }

    /// The visible variable with the identity of `var`.
    pub(crate) fn get(&self, var: &Var) -> Option<&Var> {
        self.scope.get(var)
    }

    /// The value that a visible variable is bound to.
    pub(crate) fn value(&self, var: &Var) -> Option<RelaxExpr> {
        self.scope.value(var)
    }

    /// The expression with structural information. Parts that have structural information keep it.
    ///
    /// # Errors
    /// As [`Derivation::expr`](super::Derivation::expr), with the path from the expression where the error is.
    pub fn derive(&self, expr: &RelaxExpr, context: InferContext<'_>) -> Result<RelaxExpr, Error> {
        self.state(context).expr(expr).map_err(|(error, _)| error)
    }

    /// The structural information of a function as its annotations state it.
    ///
    /// # Errors
    /// [`MissingField`](ErrorKind::MissingField) for a parameter without an annotation.
    pub(crate) fn signature(&self, function: &Function, context: InferContext<'_>) -> Result<FuncStructInfo, Error> {
        self.state(context).signature(function)
    }

    /// Structural information in terms of the visible variables: what it says with others becomes unknown.
    #[must_use]
    pub fn erase(&self, info: &StructInfo, context: InferContext<'_>) -> StructInfo {
        erase_to_well_defined(info, &self.scope, context.analyzer())
    }

    fn state<'e>(&'e self, context: InferContext<'e>) -> State<'e> {
        State { keeps_known: true, scope: Scope::inside(&self.scope), ..State::new(context) }
    }
}
