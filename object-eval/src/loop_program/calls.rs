//! Calls of loop programs of the module: the body of the callee becomes a part of the caller.
//!
//! A callee is a function as TVM's code generators call it directly: its parameters are numbers and addresses, and it returns
//! nothing. In TVM 0.25 and 0.27, a build for `llvm` refuses the others.

use object_core::prelude::*;
use object_ir::ir::{GlobalVar, PrimExpr};
use object_ir::tir::PrimFunc;

use super::compiler::{Compiler, key};
use super::form::kind_of;
use super::kind::Kind;
use super::registers::Place;

/// The most calls in a program, with the calls of callees, and the most instructions before a call.
const MAX_CALLS: usize = 1 << 16;
const MAX_INSTRUCTIONS: usize = 1 << 20;

/// The error of a callee that returns a value.
pub(super) fn no_value() -> Error {
    let message = "a loop program that another one calls returns nothing, because the code generators of TVM have no \
                   value for its call; write the result into memory";
    Error::new(ErrorKind::Call, message)
}

impl Compiler {
    /// Calls a function of the module.
    ///
    /// # Errors
    /// [`Call`](ErrorKind::Call) for a function that takes buffers, for one that calls itself, and for other arguments than
    /// the parameters; [`UnknownFunction`](ErrorKind::UnknownFunction) for the name of another function, and
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) for too many calls.
    pub(super) fn call(&mut self, callee: &GlobalVar, args: &[PrimExpr]) -> Result<(), Error> {
        let name = &callee.name_hint;
        let function = self.module.as_ref().and_then(|module| module.functions.get(callee));
        let Some(function) = function.and_then(|function| function.downcast_ref::<PrimFunc>().cloned()) else {
            return Err(Error::new(ErrorKind::UnknownFunction, format!("the module has no loop program `{name}`")));
        };
        let refuse = |reason: &str| Err(Error::new(ErrorKind::Call, format!("the call of `{name}`: {reason}")));
        if self.calls.contains(&key(&function)) {
            return refuse("a loop program that calls itself has no end here, because its calls become a part of it");
        }
        if !function.buffer_map.is_empty() {
            return refuse("its parameters are buffers; a loop program that another one calls takes addresses");
        }
        if function.params.len() != args.len() {
            return refuse(&format!("expected {} arguments, got {}", function.params.len(), args.len()));
        }
        self.count_call()?;
        self.calls.push(key(&function));
        let result = self.scope(|compiler| compiler.inline(&function, args));
        self.calls.pop();
        result.map_err(|error| error.context(format_args!("in `{name}`")))
    }

    /// Counts a call, because functions that call each other twice have a number of calls that doubles with each of them.
    fn count_call(&mut self) -> Result<(), Error> {
        self.call_count += 1;
        if self.call_count <= MAX_CALLS && self.code.instructions.len() <= MAX_INSTRUCTIONS {
            return Ok(());
        }
        let message = format!(
            "the loop program has more than {MAX_CALLS} calls of others, or more than {MAX_INSTRUCTIONS} instructions with them"
        );
        Err(Error::new(ErrorKind::LimitExceeded, message))
    }

    fn inline(&mut self, function: &PrimFunc, args: &[PrimExpr]) -> Result<(), Error> {
        let mut places = Vec::with_capacity(args.len());
        for (param, arg) in function.params.iter().zip(args) {
            let (expected, given) = (Kind::of(param.dtype)?, kind_of(arg)?);
            if expected != given {
                let message =
                    format!("expected an argument of type {:?} for `{}`, got {:?}", param.dtype, param.name, arg.dtype);
                return Err(Error::new(ErrorKind::TypeMismatch, message));
            }
            places.push(match given {
                Kind::Pointer => Place::Pointer(self.pointer(arg)?),
                _ => self.expression(arg)?,
            });
        }
        for (param, place) in function.params.iter().zip(places) {
            self.define(&param, vec![place]);
        }
        let end = self.new_label();
        // The callee does not see the loops around the call.
        let (loops, outer_end) = (std::mem::take(&mut self.loops), self.end_of_call.replace(end));
        let result = self.statement(&function.body);
        (self.loops, self.end_of_call) = (loops, outer_end);
        self.place(end);
        result
    }
}
