//! [`LoopProgram`]: a compiled `PrimFunc`.

use object_core::prelude::*;

use super::controls::Controls;
use crate::tir::PrimFunc;

/// A `PrimFunc`, compiled for calls.
#[derive(Clone, Debug)]
pub(crate) struct LoopProgram {
    function: PrimFunc,
}

impl LoopProgram {
    /// Compiles a function.
    pub(crate) fn new(function: &PrimFunc) -> Self {
        LoopProgram { function: function.clone() }
    }

    /// Calls the function with tensors and integers for its parameters. It writes its results into tensors.
    pub(crate) fn call(&self, _args: &[Any], _controls: &Controls) -> Result<(), Error> {
        let message = format!(
            "the evaluator does not run loop programs yet; this one has {} parameters",
            self.function.params.len()
        );
        Err(Error::new(ErrorKind::Call, message))
    }
}
