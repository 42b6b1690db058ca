//! The results of operators that allocate tensors.

use object_core::prelude::*;
use object_ir::ir::{PrimValue, ShapeExpr, StructInfo};

use super::dims::{Dims, constant, tensor, tensor_of};
use super::op_call::OpCall;

/// A tensor with the shape and the element type of the arguments at two indices, on the virtual device that the argument
/// at `device` numbers, if there is one.
pub(super) fn allocated(call: &OpCall<'_>, shape: usize, dtype: usize, device: usize) -> Result<StructInfo, Error> {
    let (info, dtype) = (call.shape(shape)?, call.data_type(dtype)?);
    let device = (device < call.len()).then(|| call.arg(device).downcast_ref::<PrimValue>()).flatten();
    let device = device.and_then(|device| call.context().vdevice(constant(&device.value)?));
    if call.arg(shape).is::<ShapeExpr>() {
        return Ok(tensor_of(Some(call.arg(shape).clone()), dtype, device, info.ndim));
    }
    let dims = info.values.as_ref().map_or(Dims::of_rank(info.ndim), |values| Dims::Known(values.to_vec()));
    Ok(tensor(dims, dtype, device))
}
