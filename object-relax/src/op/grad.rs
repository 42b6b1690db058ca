//! Marks for automatic differentiation, and gradients (TVM 0.25 `src/relax/op/tensor/grad.cc`).

use object_core::prelude::*;
use object_ir::attrs::{NLLLossAttrs, Pool2DAttrs, TakeAttrs};
use object_ir::ir::{StructInfo, Var};

use super::nn::POOLING;
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Any, Attributes, Optional, Tensor};
use super::rules::same_as_first;

operators! {
    /// A value whose gradient is 0.
    fn no_grad = "relax.grad.no_grad"(x: Any), Pure, same_as_first;
    /// A variable with which a part begins that the gradient computes again.
    fn start_checkpoint = "relax.grad.start_checkpoint"(x: Any), Pure, same_variable;
    /// A variable with which a part ends that the gradient computes again.
    fn end_checkpoint = "relax.grad.end_checkpoint"(x: Any), Pure, same_variable;
    /// The gradient of `nn.nll_loss`.
    fn nll_loss_backward = "relax.grad.nll_loss_backward"(
        output_grad: Any,
        predictions: Any,
        targets: Any,
        weights: Optional<Tensor>,
        attrs: Attributes<NLLLossAttrs>,
    ), Pure, like_second;
    /// The gradient of `nn.max_pool2d`.
    fn max_pool2d_backward = "relax.grad.max_pool2d_backward"(
        output_grad: Any,
        data: Any,
        attrs: Attributes<Pool2DAttrs>,
    ), Pure, like_second, completed &POOLING[1];
    /// The gradient of `nn.avg_pool2d`.
    fn avg_pool2d_backward = "relax.grad.avg_pool2d_backward"(
        output_grad: Any,
        data: Any,
        attrs: Attributes<Pool2DAttrs>,
    ), Pure, like_second, completed &POOLING[1];
    /// The gradient of `take`.
    fn take_backward = "relax.grad.take_backward"(
        output_grad: Any,
        x: Any,
        indices: Any,
        attrs: Attributes<TakeAttrs>,
    ), Pure, like_second;
}

fn same_variable(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    if !call.arg(0).is::<Var>() {
        let given = call.arg(0).as_object().view().type_key();
        return Err(call.argument_error(ErrorKind::TypeMismatch, 0, format!("expected a variable, got `{given}`")));
    }
    same_as_first(call)
}

/// The gradient with respect to the second argument has its shape.
fn like_second(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    Ok(call.info(1).clone())
}
