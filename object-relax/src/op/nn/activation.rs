//! Activation functions, softmax and dropout (TVM 0.25 `src/relax/op/nn/nn.cc`).

use object_core::prelude::*;
use object_ir::attrs::{DropoutAttrs, LeakyReluAttrs, PReluAttrs, SoftmaxAttrs, SoftplusAttrs};
use object_ir::ir::StructInfo;

use crate::op::axes::axis;
use crate::op::dims::{rank_of, tuple};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Defaults, Tensor};
use crate::op::unary::{floating_point, require_float, same_type};

operators! {
    /// The greater of 0 and each element.
    fn relu = "relax.nn.relu"(x: Tensor), Pure, same_type, sharding same_parts;
    /// Each element times the probability that a standard normal variable is less, of a floating-point type.
    fn gelu = "relax.nn.gelu"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// An approximation of [`gelu`] by the hyperbolic tangent, of a floating-point type.
    fn gelu_tanh = "relax.nn.gelu_tanh"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The scaled exponential linear unit of each element, of a floating-point type.
    fn selu = "relax.nn.selu"(x: Tensor), Pure, floating_point;
    /// Each element times its logistic function, of a floating-point type.
    fn silu = "relax.nn.silu"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// Positive elements, and `alpha` times each negative element, of a floating-point type. The default `alpha` is 0.01.
    fn leakyrelu = "relax.nn.leakyrelu"(data: Tensor, attrs: Defaults<LeakyReluAttrs>), Pure, floating_point;
    /// `log(1 + exp(beta * x)) / beta` of each element `x`, of a floating-point type, and `x` itself where `beta * x` is
    /// above `threshold`. The default `beta` is 1 and the default `threshold` 20.
    fn softplus = "relax.nn.softplus"(data: Tensor, attrs: Defaults<SoftplusAttrs>), Pure, floating_point;
    /// Positive elements, and each negative element times the element of `alpha` for its position on an axis, of a
    /// floating-point type. The default axis is 1.
    fn prelu = "relax.nn.prelu"(data: Tensor, alpha: Tensor, attrs: Defaults<PReluAttrs>), Pure, infer_prelu;
    /// The exponentials of the elements, divided by their sum along an axis, of a floating-point type. The default axis
    /// is the last one.
    fn softmax = "relax.nn.softmax"(data: Tensor, attrs: Defaults<SoftmaxAttrs>), Pure, infer_softmax, sharding softmax_parts;
    /// The logarithm of [`softmax`].
    fn log_softmax = "relax.nn.log_softmax"(data: Tensor, attrs: Defaults<SoftmaxAttrs>), Pure, infer_softmax;
    /// The elements, of which a random part is 0, and the mask with 0 for that part and 1 for the others. The default
    /// probability of 0 is 0.5.
    fn dropout = "relax.nn.dropout"(data: Tensor, attrs: Defaults<DropoutAttrs>), Pure, infer_dropout;
}

fn infer_prelu(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    along_axis(call, call.attrs::<PReluAttrs>()?.axis)
}

fn infer_softmax(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    along_axis(call, call.attrs::<SoftmaxAttrs>()?.axis)
}

/// The result has the structural information of the floating-point tensor, which has the dimension `position`.
fn along_axis(call: &OpCall<'_>, position: i64) -> Result<StructInfo, Error> {
    require_float(call, 0)?;
    if let Some(rank) = rank_of(call.tensor(0)?) {
        axis(call, "axis", position, rank)?;
    }
    Ok(call.info(0).clone())
}

fn infer_dropout(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    Ok(tuple([call.info(0).clone(), call.info(0).clone()]))
}
