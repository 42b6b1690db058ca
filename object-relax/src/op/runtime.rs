//! Shapes as values, output, checks and devices (TVM 0.25 `src/relax/op/op.cc`).

use object_core::prelude::*;
use object_ir::attrs::{HintOnDeviceAttrs, ToVDeviceAttrs};
use object_ir::ir::{PrimStructInfo, StructInfo, TensorStructInfo};

use super::describe::describe;
use super::dims::{Dims, constant, dim, rank_of, shape_info, tensor, tensor_of};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Any, Attributes, Shape, Tensor, Variadic};
use super::rules::{any_value, no_result, same_as_first};

operators! {
    /// The value that stands for no value.
    fn null_value = "relax.null_value"(), Pure, any_value;
    /// Prints values by a format, which is the first argument.
    fn print = "relax.print"(vals: Variadic<Any>), Impure, no_result;
    /// Stops the program if a condition, the first argument, is false. The second argument is the format of the message,
    /// and the others are its values.
    fn assert_op = "relax.assert_op"(vals: Variadic<Any>), Impure, checked;
    /// The shape of a tensor.
    fn shape_of = "relax.shape_of"(input: Tensor), Pure, shape;
    /// The number of elements of a tensor.
    fn size = "relax.size"(input: Tensor), Pure, number_of_elements;
    /// The elements of a tensor of rank 1 as a shape.
    fn tensor_to_shape = "relax.tensor_to_shape"(input: Tensor), Pure, elements_as_dimensions;
    /// The dimensions of a shape as a tensor of rank 1.
    fn shape_to_tensor = "relax.shape_to_tensor"(input: Shape), Pure, dimensions_as_elements;
    /// A copy of a tensor on a virtual device.
    fn to_vdevice = "relax.to_vdevice"(data: Tensor, attrs: Attributes<ToVDeviceAttrs>), Pure, copied;
    /// A tensor with a hint for its device.
    fn hint_on_device = "relax.hint_on_device"(data: Tensor, attrs: Attributes<HintOnDeviceAttrs>), Pure, same_as_first;
}

fn checked(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    if call.len() == 0 {
        return Err(call.error(ErrorKind::Call, "expected at least 1 argument, the condition, got 0"));
    }
    let info = call.info(0);
    let of_tensor = info.downcast_ref::<TensorStructInfo>().map(|it| (it.dtype, rank_of(it).unwrap_or(0)));
    let of_scalar = info.downcast_ref::<PrimStructInfo>().map(|it| (it.dtype, 0));
    match of_tensor.or(of_scalar) {
        Some((dtype, 0)) if dtype == DataType::boolean() || dtype.is_void() => no_result(call),
        _ => {
            let message = format!("expected a truth value, got {}", describe(info));
            Err(call.argument_error(ErrorKind::TypeMismatch, 0, message))
        }
    }
}

fn shape(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    Ok(shape_info(&Dims::of(call.tensor(0)?)))
}

fn number_of_elements(_: &OpCall<'_>) -> Result<StructInfo, Error> {
    Ok(tensor(Dims::Known(Vec::new()), DataType::int(64), None))
}

fn elements_as_dimensions(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let dims = Dims::of(call.tensor(0)?);
    if dims.rank() != Some(1) {
        let message = format!("expected a tensor of rank 1, got {}", describe(call.info(0)));
        return Err(call.argument_error(ErrorKind::TypeMismatch, 0, message));
    }
    let rank = dims.known().and_then(|dims| constant(&dims[0]));
    Ok(shape_info(&rank.map_or(Dims::Unknown, Dims::of_rank)))
}

fn dimensions_as_elements(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let ndim = call.shape(0)?.ndim;
    let dims = if ndim < 0 { Dims::Rank(1) } else { Dims::Known(vec![dim(ndim)]) };
    Ok(tensor(dims, DataType::int(64), None))
}

fn copied(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, attrs) = (call.tensor(0)?, call.attrs::<ToVDeviceAttrs>()?);
    Ok(tensor_of(data.shape.clone(), data.dtype, Some(attrs.dst_vdevice.clone()), data.ndim))
}
