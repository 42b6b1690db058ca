//! [`LoopProgram`]: a compiled `PrimFunc`.
//!
//! A function is compiled to instructions over numbered registers on its first call ([`LoopCode`]). Integers are `i64`,
//! and floating-point numbers `f64`, rounded to their type by each operation. Jumps take the place of loops and branches, so
//! a run needs no stack. Innermost loops also run by columns ([`columns`]). Loops over threads of a device run one
//! iteration after the other.

mod kind;
mod arithmetic;
mod intrinsics;
mod form;
mod elements;
mod code;
mod compiler;
mod buffers;
mod expressions;
mod blocks;
mod statements;
mod parameters;
mod memory;
mod columns;
mod run;
mod arguments;

use std::sync::OnceLock;

use object_core::prelude::*;

use super::controls::Controls;
use crate::tir::PrimFunc;
use code::LoopCode;

/// A `PrimFunc`, compiled for calls.
#[derive(Debug)]
pub(crate) struct LoopProgram {
    name: Str,
    function: PrimFunc,
    code: OnceLock<Result<LoopCode, Error>>,
}

impl LoopProgram {
    /// A function with its name in the module.
    pub(crate) fn new(name: &Str, function: &PrimFunc) -> Self {
        LoopProgram { name: name.clone(), function: function.clone(), code: OnceLock::new() }
    }

    /// Calls the function with tensors and numbers for its parameters. It writes its results into tensors, and may return a
    /// number.
    ///
    /// # Errors
    /// For arguments that do not match the parameters, a part of the program without a meaning here, an access out of
    /// bounds, a division by 0, a failed assertion, and the limits of `controls`.
    pub(crate) fn call(&self, args: &[Any], controls: &Controls) -> Result<Any, Error> {
        let code = self.code.get_or_init(|| parameters::compile(&self.function));
        let code = code.as_ref().map_err(Clone::clone);
        let result = code.and_then(|code| arguments::call(code, args, controls));
        result.map_err(|error| error.context(format!("the loop program `{}`", self.name)))
    }
}
