//! Calls of functions outside of Relax (TVM 0.25 `src/relax/op/op.cc`).

use object_core::prelude::*;
use object_ir::attrs::{CallInplacePackedAttrs, CallTIRInplaceAttrs, CallTIRWithGradAttrs};
use object_ir::ir::{
    FuncStructInfo, GlobalVar, StructInfo, TensorStructInfo, Tuple as TupleExpr, TupleStructInfo, Var,
};

use super::describe::describe;
use super::dims::shape_values;
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Any, Attributes, Function, Optional, ResultInfo, ResultInfos, Shape, Text, Tuple, Variadic};
use super::rules::{any_value, no_result};
use crate::struct_info::{default_result, derive_by_name, is_at_least_as_specific};

operators! {
    /// A call of a loop program, which writes its results into tensors of the given shapes. The dimensions
    /// `packed_ints` are further arguments.
    fn call_tir = "relax.call_tir"(
        func: Function,
        args: Tuple,
        packed_ints: Optional<Shape>,
        result: ResultInfo,
    ), Pure, loop_program;
    /// Like [`call_tir`], with the name of a gradient.
    fn call_tir_with_grad = "relax.call_tir_with_grad"(
        func: Function,
        args: Tuple,
        packed_ints: Optional<Shape>,
        attrs: Attributes<CallTIRWithGradAttrs>,
        result: ResultInfo,
    ), Pure, loop_program;
    /// Like [`call_tir`], with results that overwrite arguments.
    fn call_tir_inplace = "relax.call_tir_inplace"(
        func: Function,
        args: Tuple,
        packed_ints: Optional<Shape>,
        attrs: Attributes<CallTIRInplaceAttrs>,
        result: ResultInfo,
    ), Pure, loop_program_in_place;
    /// A call of a packed function, which writes its results into tensors of the given shapes.
    fn call_dps_packed = "relax.call_dps_packed"(func: Any, args: Any, result: ResultInfo), Pure, given;
    /// A call of a function of Python by name.
    fn call_py_func = "relax.call_py_func"(func_name: Text, args: Tuple, result: ResultInfo), Pure, given;
    /// A call of a packed function without side effects: the function, and its arguments.
    fn call_pure_packed = "relax.call_pure_packed"(args: Variadic<Any>, results: ResultInfos), Pure, packed;
    /// Like [`call_pure_packed`], with results that overwrite arguments.
    fn call_inplace_packed = "relax.call_inplace_packed"(
        args: Variadic<Any>,
        attrs: Attributes<CallInplacePackedAttrs>,
        results: ResultInfos,
    ), Pure, packed_in_place;
    /// A call of a function of the virtual machine, which gets the state of the machine.
    fn call_builtin_with_ctx = "relax.call_builtin_with_ctx"(func: Any, args: Tuple, results: ResultInfos), Impure, builtin;
    /// A function with values for its last arguments.
    fn make_closure = "relax.make_closure"(func: Any, args: Tuple), Pure, any_value;
    /// A call of a closure.
    fn invoke_closure = "relax.invoke_closure"(closure: Any, args: Tuple, results: ResultInfos), Impure, of_closure;
    /// A call of a closure without side effects.
    fn invoke_pure_closure = "relax.invoke_pure_closure"(
        closure: Any,
        args: Tuple,
        results: ResultInfos,
    ), Pure, of_closure;
}

/// The one structural information in `sinfo_args`.
pub(super) fn given(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    match call.sinfo_args() {
        [result] => Ok(result.clone()),
        results => Err(call.results_error(format!("expected one entry, the result, got {}", results.len()))),
    }
}

/// The callee is a function of the module, which `sinfo_args` give the result of.
pub(super) fn loop_program(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    if !call.arg(0).is::<GlobalVar>() {
        let given = call.arg(0).as_object().view().type_key();
        let message = format!("expected the `GlobalVar` of a loop program, got `{given}`");
        return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
    }
    if !call.arg(1).is::<TupleExpr>() && !call.arg(1).is::<Var>() {
        let given = call.arg(1).as_object().view().type_key();
        let message = format!("expected a `Tuple` or a variable, got `{given}`; bind the tuple to a variable");
        return Err(call.argument_error(ErrorKind::TypeMismatch, 1, message));
    }
    given(call)
}

fn loop_program_in_place(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let result = loop_program(call)?;
    let indices = call.attrs::<CallTIRInplaceAttrs>()?.inplace_indices.to_vec();
    let outputs = match result.downcast_ref::<TupleStructInfo>() {
        Some(outputs) => outputs.fields.to_vec(),
        None => vec![result.clone()],
    };
    if indices.len() != outputs.len() {
        let message = format!("expected one entry for each of the {} results, got {}", outputs.len(), indices.len());
        return Err(call.attribute_error("inplace_indices", message));
    }
    let inputs = &call.tuple(1)?.fields;
    for (output, input) in overwritten(call, &indices, inputs.len())? {
        let (output, input) = (&outputs[output], &inputs.as_slice()[input]);
        if !same_memory(call, output, input) {
            let expected = format!("expected a tensor of the shape and type of the result, {}", describe(output));
            let message = format!("{expected}, to overwrite, got {}", describe(input));
            return Err(call.argument_error(ErrorKind::TypeMismatch, 1, message));
        }
    }
    Ok(result)
}

/// Whether a tensor provably has the shape and the element type of another one.
fn same_memory(call: &OpCall<'_>, output: &StructInfo, input: &StructInfo) -> bool {
    let (output, input) = (output.downcast_ref::<TensorStructInfo>(), input.downcast_ref::<TensorStructInfo>());
    let (Some(output), Some(input)) = (output, input) else { return false };
    let is_same_shape = match (shape_values(output), shape_values(input)) {
        (Some(a), Some(b)) => call.analyzer().prove_shape_equal(a, b).is_true(),
        _ => output.shape.as_ref().zip(input.shape.as_ref()).is_some_and(|(a, b)| a.ptr_eq(b)),
    };
    is_same_shape && output.dtype == input.dtype && !output.dtype.is_void()
}

/// The pairs of a result and the argument that it overwrites, among `arguments` arguments.
///
/// # Errors
/// Names the attribute if an argument does not exist or is overwritten twice, or if none is.
fn overwritten(call: &OpCall<'_>, indices: &[i64], arguments: usize) -> Result<Vec<(usize, usize)>, Error> {
    let mut is_used = vec![false; arguments];
    let mut pairs = Vec::new();
    for (output, &index) in indices.iter().enumerate().filter(|(_, index)| **index != -1) {
        let input = usize::try_from(index).ok().filter(|input| *input < arguments).ok_or_else(|| {
            let message = format!("expected -1 or the position of one of {arguments} arguments, got {index}");
            call.attribute_error("inplace_indices", message)
        })?;
        if std::mem::replace(&mut is_used[input], true) {
            let message = format!("expected different arguments, got {input} twice");
            return Err(call.attribute_error("inplace_indices", message));
        }
        pairs.push((output, input));
    }
    if pairs.is_empty() {
        let message = "expected an argument to overwrite, got none; use the operator that overwrites nothing";
        return Err(call.attribute_error("inplace_indices", message));
    }
    Ok(pairs)
}

/// The result of a call of a packed function, which is the first argument.
fn packed(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    if call.len() == 0 {
        return Err(call.error(ErrorKind::Call, "expected at least 1 argument, the function, got 0"));
    }
    let Some(callee) = call.info(0).downcast_ref::<FuncStructInfo>().filter(|callee| callee.params.is_none()) else {
        let message = format!("expected a function of unknown parameters, got {}", describe(call.info(0)));
        return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
    };
    Ok(match &callee.derive_func {
        Some(derive) => derive_by_name(derive, &call.to_call())?,
        None => callee.ret.clone(),
    })
}

fn packed_in_place(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    if call.len() < 2 {
        let message = format!("expected a function and at least one argument of it, got {} arguments", call.len());
        return Err(call.error(ErrorKind::Call, message));
    }
    let result = packed(call)?;
    let indices = call.attrs::<CallInplacePackedAttrs>()?.inplace_indices.to_vec();
    let pairs = overwritten(call, &indices, call.len() - 1)?;
    let outputs = match (indices.len(), result.downcast_ref::<TupleStructInfo>()) {
        (1, _) => vec![result.clone()],
        (count, Some(outputs)) if outputs.fields.len() >= count => outputs.fields.to_vec(),
        (count, _) => {
            let message = format!("expected a tuple of {count} results, got {}", describe(&result));
            return Err(call.error(ErrorKind::TypeMismatch, message));
        }
    };
    for (output, input) in pairs {
        let (output, input) = (&outputs[output], input + 1);
        if !is_at_least_as_specific(call.info(input), output, call.analyzer()) {
            let expected = format!("expected a value for the result {} to overwrite", describe(output));
            let message = format!("{expected}, got {}", describe(call.info(input)));
            return Err(call.argument_error(ErrorKind::TypeMismatch, input, message));
        }
    }
    Ok(result)
}

/// The result in `sinfo_args`; none without one.
fn builtin(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    if call.sinfo_args().is_empty() { no_result(call) } else { given(call) }
}

fn of_closure(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    Ok(default_result(call.sinfo_args()))
}
