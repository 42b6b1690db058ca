//! [`decompose_for_inference`]: operators of training as the arithmetic that they are in inference.

use object_core::Tensor;
use object_core::prelude::*;
use object_core::rewrite::{Mutate, Mutation};
use object_ir::attrs::{BatchNormAttrs, ExpandDimsAttrs};
use object_ir::ir::{Call, Constant, IRModule, Op, RelaxExpr, TensorStructInfo, Tuple};

use crate::normal_form::Normalizer;
use crate::op;

/// The module with the arithmetic of `batch_norm` in place of its calls, by the running mean and variance. Calls whose data has no
/// known rank, or another type than `float32` and `float64`, stay. (TVM 0.25 `relax.transform.DecomposeOpsForInference`, which also puts a
/// packed function in place of `tensor_to_shape`)
///
/// # Errors
/// The errors of [`Normalizer::module`].
///
/// ```
/// use object_core::prelude::*;
/// use object_ir::ir::IRModule;
/// use object_relax::transform::decompose_for_inference;
///
/// /// Whether the module has work of training.
/// fn is_for_training(module: &IRModule) -> Result<bool, Error> {
///     Ok(!decompose_for_inference(module)?.ptr_eq(module))
/// }
/// ```
pub fn decompose_for_inference(module: &IRModule) -> Result<IRModule, Error> {
    let changed = Mutate::new()
        .leave(|call: &Call, _| arithmetic(call).map_or(Mutation::Keep, |value| Mutation::Replace(value.into())))
        .run(module.clone())?;
    if changed.ptr_eq(module) { Ok(changed) } else { Normalizer::new().module(&changed) }
}

/// The value of a `batch_norm` as arithmetic on its arguments.
fn arithmetic(call: &Call) -> Option<Tuple> {
    let is_norm = call.op.downcast_ref::<Op>().is_some_and(|op| op.name.as_str() == "relax.nn.batch_norm");
    let attrs = call.attrs.as_ref().filter(|_| is_norm)?.downcast_ref::<BatchNormAttrs>()?;
    let [data, gamma, beta, mean, variance] = call.args.as_slice() else { return None };
    let info = data.struct_info.as_ref()?.downcast_ref::<TensorStructInfo>()?;
    let rank = usize::try_from(info.ndim).ok()?;
    let axis = if attrs.axis < 0 { attrs.axis + info.ndim } else { attrs.axis };
    let others: Vec<i64> = (0..info.ndim).filter(|dimension| *dimension != axis).collect();
    if others.len() + 1 != rank {
        return None;
    }
    let along_axis = |value: &RelaxExpr| op::expand_dims(value, ExpandDimsAttrs::new(others.clone()));
    let epsilon = scalar(attrs.epsilon, info.dtype)?;
    let deviation = op::sqrt(op::add(along_axis(variance), epsilon));
    let mut result = op::divide(op::subtract(data, along_axis(mean)), deviation);
    if attrs.scale {
        result = op::multiply(result, along_axis(gamma));
    }
    if attrs.center {
        result = op::add(result, along_axis(beta));
    }
    Some(Tuple::new([result.into(), mean.clone(), variance.clone()]))
}

/// The constant of a floating-point number.
fn scalar(value: f64, dtype: DataType) -> Option<Constant> {
    let bytes = match dtype {
        _ if dtype == DataType::float(32) => (value as f32).to_le_bytes().to_vec(),
        _ if dtype == DataType::float(64) => value.to_le_bytes().to_vec(),
        _ => return None,
    };
    let mut constant = Constant::new(Tensor::new(dtype, Vec::new(), bytes).ok()?);
    constant.make_mut().struct_info = op::struct_info_of(&constant.clone().into());
    Some(constant)
}
