//! [`Environment`]: the facts around a program that is derived or normalized.

use object_ir::tir::Var as ShapeVar;
use object_ir::tvm::TvmVersion;

use crate::arith::Analyzer;
use crate::op::InferContext;

/// The facts around a program: about its dimensions, and the shape variables of the larger program.
#[derive(Clone, Debug)]
pub(crate) struct Environment {
    /// Compares dimensions.
    pub(crate) analyzer: Analyzer,
    /// The shape variables that are visible in the whole program.
    pub(crate) visible: Vec<ShapeVar>,
    /// The version of TVM whose rules of inference apply.
    pub(crate) version: Option<TvmVersion>,
}

impl Default for Environment {
    /// No shape variable is visible, and no dimension is negative.
    fn default() -> Self {
        Environment { analyzer: Analyzer::for_shapes(), visible: Vec::new(), version: None }
    }
}

impl Environment {
    /// The facts for the inference of calls outside of a module.
    pub(crate) fn context(&self) -> InferContext<'_> {
        InferContext::new(&self.analyzer).version(self.version)
    }
}
