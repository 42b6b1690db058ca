//! [`InferContext`]: the facts beside a call that inference may use.

use object_core::prelude::*;
use object_ir::ir::{IRModule, RelaxExpr, VDevice, Var};
use object_ir::tvm::TvmVersion;

use super::shared_results::SharedResults;
use crate::arith::Analyzer;

/// The values of variables, as far as they are known.
pub type Values<'a> = dyn Fn(&Var) -> Option<RelaxExpr> + 'a;

/// The length of a chain of variables that are bound to each other.
const MAX_BINDINGS: usize = 1000;

/// The facts beside a call that inference may use: an analyzer for dimensions, the module of the call, and the values of
/// variables.
#[derive(Clone, Copy)]
pub struct InferContext<'a> {
    analyzer: &'a Analyzer,
    module: Option<&'a IRModule>,
    values: Option<&'a Values<'a>>,
    results: Option<&'a SharedResults>,
    version: Option<TvmVersion>,
}

impl<'a> InferContext<'a> {
    /// A context without a module. The analyzer compares dimensions; [`Analyzer::for_shapes`] knows that they are not
    /// negative.
    #[must_use]
    pub fn new(analyzer: &'a Analyzer) -> Self {
        InferContext { analyzer, module: None, values: None, results: None, version: None }
    }

    /// The same context in a module, whose virtual devices calls may name by number.
    #[must_use]
    pub fn module(self, module: &'a IRModule) -> Self {
        InferContext { module: Some(module), ..self }
    }

    /// The same context with the values of bound variables. An operator whose result depends on a constant data type
    /// finds the constant in a variable.
    #[must_use]
    pub fn values(self, values: &'a Values<'a>) -> Self {
        InferContext { values: Some(values), ..self }
    }

    /// The same context with the rules of a version of TVM, for operators whose inference the versions differ in. Without a version,
    /// the result is what the evaluation has.
    #[must_use]
    pub fn version(self, version: Option<TvmVersion>) -> Self {
        InferContext { version, ..self }
    }

    /// The version of TVM whose rules apply.
    pub(crate) fn tvm_version(&self) -> Option<TvmVersion> {
        self.version
    }

    /// The same context, in which equal results are one object.
    pub(crate) fn results(self, results: &'a SharedResults) -> Self {
        InferContext { results: Some(results), ..self }
    }

    /// The results of other calls.
    pub(crate) fn shared_results(&self) -> Option<&'a SharedResults> {
        self.results
    }

    /// The value of `expr`, if it is a variable of a known value, else `expr` itself.
    #[must_use]
    pub fn value_of(&self, expr: &RelaxExpr) -> RelaxExpr {
        let mut value = expr.clone();
        // A variable may be bound to another one. A circle of them has no value.
        for _ in 0..MAX_BINDINGS {
            let bound = value.downcast_ref::<Var>().and_then(|var| self.values?(var));
            let Some(bound) = bound else { return value };
            value = bound;
        }
        expr.clone()
    }

    /// The analyzer.
    #[must_use]
    pub fn analyzer(&self) -> &'a Analyzer {
        self.analyzer
    }

    /// The virtual device `index` of the module; `None` if there is no module or no such device.
    #[must_use]
    pub fn vdevice(&self, index: i64) -> Option<VDevice> {
        let infos = self.module?.global_infos.get("vdevice")?;
        infos.get(usize::try_from(index).ok()?)?.downcast_ref::<VDevice>().cloned()
    }
}
