//! Sampling (TVM 0.25 `src/relax/op/tensor/sampling.cc`).

use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_ir::attrs::MultinomialFromUniformAttrs;
use object_ir::ir::StructInfo;

use super::describe::describe;
use super::dims::{Dims, constant, dim, tensor};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Defaults, Tensor};

operators! {
    /// Positions drawn by the probabilities of rows `prob`, by uniform samples.
    fn multinomial_from_uniform = "relax.multinomial_from_uniform"(
        prob: Tensor,
        uniform_sample: Tensor,
        sample_indices: Tensor,
        attrs: Defaults<MultinomialFromUniformAttrs>,
    ), Pure, drawn;
}

fn drawn(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let arguments = [call.tensor(0)?, call.tensor(1)?, call.tensor(2)?];
    let attrs = call.attrs::<MultinomialFromUniformAttrs>()?;
    let wrong = |index: usize, expected: &str| {
        let message = format!("expected {expected}, got {}", describe(call.info(index)));
        Err(call.argument_error(ErrorKind::TypeMismatch, index, message))
    };
    let codes = [TypeCode::FLOAT, TypeCode::FLOAT, TypeCode::INT];
    // TVM 0.25 rejects unknown types and bfloat16.
    let is_lenient = call.by_tvm_0_27() == Some(true);
    for (index, (argument, code)) in arguments.iter().zip(codes).enumerate() {
        let given = argument.dtype;
        let is_accepted =
            is_lenient && (given.is_void() || (code == TypeCode::FLOAT && given.code == TypeCode::BFLOAT));
        if (given.is_void() || given.code != code) && !is_accepted {
            let name = if code == TypeCode::FLOAT { "floating-point" } else { "integer" };
            return wrong(index, &format!("elements of a {name} type"));
        }
    }
    let dims = arguments.map(|argument| Dims::of(argument));
    let vdevice = arguments[0].vdevice.clone();
    if dims.iter().any(|dims| dims.rank().is_none()) {
        return Ok(tensor(Dims::Unknown, attrs.dtype, vdevice));
    }
    if let Some(index) = dims.iter().position(|dims| dims.rank() != Some(2)) {
        return wrong(index, "a tensor of rank 2");
    }
    let [Dims::Known(_), Dims::Known(samples), Dims::Known(indices)] = &dims else {
        return Ok(tensor(Dims::Rank(2), attrs.dtype, vdevice));
    };
    if !call.analyzer().prove_equal(&samples[0], &indices[0]).is_true() {
        return wrong(2, "as many rows as `uniform_sample` has");
    }
    for (index, dims) in [(1, samples), (2, indices)] {
        if constant(&dims[1]) != Some(1) {
            return wrong(index, "rows of one element");
        }
    }
    Ok(tensor(Dims::Known(vec![samples[0].clone(), dim(1)]), attrs.dtype, vdevice))
}
