//! [`LoopProgram`]: a compiled `PrimFunc`.
//!
//! A function is compiled to instructions over numbered registers on its first call ([`LoopCode`]). Integers are `i64`,
//! and floating-point numbers `f64`, rounded to their type by each operation. Jumps take the place of loops and branches, so
//! a run needs no stack. Innermost loops also run by columns ([`columns`]). Loops over threads of a device run one
//! iteration after the other.
//!
//! A vector is compiled lane by lane. An access checks each index against the extents of its buffer. A run locks the
//! memory of its arguments in the order of addresses, for writing only where the program can write (`arguments`), so
//! programs that read the same tensors run at the same time.

mod kind;
mod arithmetic;
mod intrinsics;
mod form;
mod elements;
mod registers;
mod code;
mod compiler;
mod buffers;
mod pointers;
mod operations;
mod expressions;
mod blocks;
mod calls;
mod statements;
mod parameters;
mod memory;
mod columns;
mod kept;
mod run;
mod arguments;

use std::sync::{Arc, OnceLock};

use code::LoopCode;
use object_core::Function;
use object_core::prelude::*;
use object_ir::ir::IRModule;
use object_ir::tir::PrimFunc;

use super::controls::Controls;

/// A `PrimFunc`, compiled for calls; the data of a [`LoopProgram`].
#[derive(Object, Clone)]
#[object(type_key = "object_ir.eval.LoopProgram", opaque)]
pub struct LoopProgramNode {
    name: Str,
    function: PrimFunc,
    module: IRModule,
    code: Arc<OnceLock<Result<LoopCode, Error>>>,
}

impl LoopProgram {
    /// A function with its name in the module.
    pub(crate) fn named(name: &Str, function: &PrimFunc, module: &IRModule) -> Self {
        let (name, function, module) = (name.clone(), function.clone(), module.clone());
        LoopProgramNode { name, function, module, code: Arc::default() }.into()
    }

    /// The program as a function, which calls it.
    pub(crate) fn function(&self, controls: &Controls) -> Function {
        let (program, controls) = (self.clone(), controls.clone());
        let function = Function::from_packed(move |args| {
            let values: Vec<Any> = args.iter().map(|arg| arg.to_any()).collect();
            program.call_with_shapes(&values, &controls)
        });
        function.with_name(self.name.to_string()).with_context(self.clone().into())
    }

    /// The program that a function calls, if it calls one.
    pub(crate) fn of(function: &Function) -> Option<&LoopProgram> {
        function.context()?.downcast_ref()
    }

    fn code(&self) -> Result<&LoopCode, Error> {
        let code = self.code.get_or_init(|| parameters::compile(&self.function, &self.module));
        code.as_ref().map_err(Clone::clone)
    }

    /// Whether the program can write into the tensor for a parameter.
    pub(crate) fn may_write(&self, param: usize) -> bool {
        let param = self.code().ok().and_then(|code| Some((code, code.params.get(param)?)));
        matches!(param, Some((code, (_, code::Param::Tensor { memory, .. }))) if code.is_written[*memory as usize])
    }

    /// Calls the program like its [`function`](Self::function), without making it.
    ///
    /// # Errors
    /// Like [`call`](Self::call).
    pub(crate) fn call_named(&self, args: &[Any], controls: &Controls) -> Result<Any, Error> {
        let result = self.call_with_shapes(args, controls);
        result.map_err(|error| error.context(format_args!("function `{}`", self.name)))
    }

    /// Calls the program. A shape stands for its dimensions.
    fn call_with_shapes(&self, args: &[Any], controls: &Controls) -> Result<Any, Error> {
        let shape = |arg: &Any| arg.view().as_object().is_some_and(|object| object.as_shape().is_some());
        if !args.iter().any(shape) {
            return self.call(args, controls);
        }
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            match arg.view().as_object().and_then(|object| object.as_shape()) {
                Some(shape) => values.extend(shape.iter().map(|size| Any::Int(*size))),
                None => values.push(arg.clone()),
            }
        }
        self.call(&values, controls)
    }

    /// Calls the function with tensors and numbers for its parameters. It writes its results into tensors, and may return a
    /// number.
    ///
    /// # Errors
    /// For arguments that do not match the parameters, a part of the program without a meaning here, an access out of
    /// bounds, a division by 0, a failed assertion, and the limits of `controls`.
    pub(crate) fn call(&self, args: &[Any], controls: &Controls) -> Result<Any, Error> {
        let result = self.code().and_then(|code| arguments::call(code, args, controls));
        result.map_err(|error| error.context(format!("the loop program `{}`", self.name)))
    }
}
