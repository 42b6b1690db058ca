//! Element-wise operators with one operand (TVM 0.25 `src/relax/op/tensor/unary.cc`).

use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_ir::ir::{StructInfo, TensorStructInfo};

use super::dims::{Dims, tensor, with_dtype};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Prim, Tensor};

operators! {
    /// The absolute value of each element.
    fn abs = "relax.abs"(x: Tensor), Pure, same_type, sharding same_parts;
    /// The inverse cosine of each element, of a floating-point type.
    fn acos = "relax.acos"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The inverse hyperbolic cosine of each element, of a floating-point type.
    fn acosh = "relax.acosh"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The inverse sine of each element, of a floating-point type.
    fn asin = "relax.asin"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The inverse hyperbolic sine of each element, of a floating-point type.
    fn asinh = "relax.asinh"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The inverse tangent of each element, of a floating-point type.
    fn atan = "relax.atan"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The inverse hyperbolic tangent of each element, of a floating-point type.
    fn atanh = "relax.atanh"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The bitwise complement of each element.
    fn bitwise_not = "relax.bitwise_not"(x: Tensor), Pure, same_type, sharding same_parts;
    /// The least integer that is not less than each element.
    fn ceil = "relax.ceil"(x: Tensor), Pure, same_type, sharding same_parts;
    /// The cosine of each element, of a floating-point type.
    fn cos = "relax.cos"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The hyperbolic cosine of each element, of a floating-point type.
    fn cosh = "relax.cosh"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The exponential of each element, of a floating-point type.
    fn exp = "relax.exp"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The greatest integer that is not greater than each element.
    fn floor = "relax.floor"(x: Tensor), Pure, same_type, sharding same_parts;
    /// The natural logarithm of each element, of a floating-point type.
    fn log = "relax.log"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The logical complement of each element.
    fn logical_not = "relax.logical_not"(x: Tensor), Pure, same_type, sharding same_parts;
    /// The negative of each element.
    fn negative = "relax.negative"(x: Tensor), Pure, same_type, sharding same_parts;
    /// The integer nearest to each element.
    fn round = "relax.round"(x: Tensor), Pure, same_type, sharding same_parts;
    /// The inverse of the square root of each element, of a floating-point type.
    fn rsqrt = "relax.rsqrt"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The logistic function of each element, of a floating-point type.
    fn sigmoid = "relax.sigmoid"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The sign of each element: -1, 0 or 1.
    fn sign = "relax.sign"(x: Tensor), Pure, same_type, sharding same_parts;
    /// The sine of each element, of a floating-point type.
    fn sin = "relax.sin"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The hyperbolic sine of each element, of a floating-point type.
    fn sinh = "relax.sinh"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The square of each element.
    fn square = "relax.square"(x: Tensor), Pure, same_type, sharding same_parts;
    /// The square root of each element, of a floating-point type.
    fn sqrt = "relax.sqrt"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The tangent of each element, of a floating-point type.
    fn tan = "relax.tan"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// The hyperbolic tangent of each element, of a floating-point type.
    fn tanh = "relax.tanh"(x: Tensor), Pure, floating_point, sharding same_parts;
    /// Each element without its fraction.
    fn trunc = "relax.trunc"(x: Tensor), Pure, same_type;
    /// The error function of each element, of a floating-point type.
    fn erf = "relax.erf"(x: Tensor), Pure, floating_point, sharding same_parts;

    /// Each element, limited to the range from `min` to `max`.
    fn clip = "relax.clip"(x: Tensor, min: Prim, max: Prim), Pure, clipped;

    /// Whether each element is finite.
    fn isfinite = "relax.isfinite"(x: Tensor), Pure, truth_values, sharding same_parts;
    /// Whether each element is infinite.
    fn isinf = "relax.isinf"(x: Tensor), Pure, truth_values, sharding same_parts;
    /// Whether each element is not a number.
    fn isnan = "relax.isnan"(x: Tensor), Pure, truth_values, sharding same_parts;
}

/// The result has the shape and the element type of the operand.
pub(super) fn same_type(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let x = call.tensor(0)?;
    if call.sinfo_args().is_empty() {
        return Ok(call.info(0).clone());
    }
    element_wise(call, x, x.dtype)
}

/// Like [`same_type`], for a floating-point operand.
pub(super) fn floating_point(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    require_float(call, 0)?;
    same_type(call)
}

/// Checks that the argument at `index` is of a floating-point type, if its type is known.
pub(super) fn require_float(call: &OpCall<'_>, index: usize) -> Result<(), Error> {
    let dtype = call.tensor(index)?.dtype;
    let code = dtype.code;
    let is_float = matches!(code, TypeCode::FLOAT | TypeCode::BFLOAT);
    if is_float || dtype.is_void() {
        return Ok(());
    }
    let message = format!("expected elements of a floating-point type, got {dtype}; `astype` converts a tensor");
    Err(call.argument_error(ErrorKind::TypeMismatch, index, message))
}

fn clipped(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    Ok(call.info(0).clone())
}

fn truth_values(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    element_wise(call, call.tensor(0)?, DataType::boolean())
}

/// The shape of `x` with the element type `dtype`, on the device of `x` or the device in `sinfo_args`.
fn element_wise(call: &OpCall<'_>, x: &TensorStructInfo, dtype: DataType) -> Result<StructInfo, Error> {
    let Some(given) = call.sinfo_args().first() else {
        return Ok(with_dtype(x, dtype));
    };
    let vdevice = given.downcast_ref::<TensorStructInfo>().and_then(|given| given.vdevice.clone());
    match (Dims::of(x), vdevice) {
        (dims @ Dims::Known(_), Some(vdevice)) => Ok(tensor(dims, dtype, Some(vdevice))),
        _ => Err(call.results_error("expected a tensor with a virtual device, for an operand of known shape")),
    }
}
