//! Sorting (TVM 0.25 `src/relax/op/tensor/sorting.cc`).

use object_core::prelude::*;
use object_ir::attrs::{ArgsortAttrs, SortAttrs, TopKAttrs};
use object_ir::ir::StructInfo;

use super::axes::axis;
use super::dims::{Dims, constant, dim, tensor, tuple, with_dtype};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Defaults, Tensor};
use super::rules::same_as_first;

operators! {
    /// The elements, sorted along a dimension.
    fn sort = "relax.sort"(data: Tensor, attrs: Defaults<SortAttrs>), Pure, same_as_first;
    /// The positions of the elements, sorted along a dimension.
    fn argsort = "relax.argsort"(data: Tensor, attrs: Defaults<ArgsortAttrs>), Pure, sorted_positions;
    /// The first elements along a dimension after sorting, their positions, or both.
    fn topk = "relax.topk"(data: Tensor, attrs: Defaults<TopKAttrs>), Pure, first_elements;
}

fn sorted_positions(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, attrs) = (call.tensor(0)?, call.attrs::<ArgsortAttrs>()?);
    Ok(with_dtype(data, if attrs.dtype.is_void() { data.dtype } else { attrs.dtype }))
}

fn first_elements(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, attrs) = (call.tensor(0)?, call.attrs::<TopKAttrs>()?);
    let mut dims = Dims::of(data);
    if let Dims::Known(dims) = &mut dims {
        let axis = axis(call, "axis", attrs.axis, dims.len())?;
        if attrs.k > 0 && constant(&dims[axis]).is_none_or(|extent| attrs.k < extent) {
            dims[axis] = dim(attrs.k);
        }
    }
    let positions_type = if attrs.dtype.is_void() { data.dtype } else { attrs.dtype };
    let values = tensor(dims.clone(), data.dtype, data.vdevice.clone());
    let positions = tensor(dims, positions_type, data.vdevice.clone());
    match &*attrs.ret_type {
        "both" => Ok(tuple([values, positions])),
        "values" => Ok(values),
        "indices" => Ok(positions),
        other => {
            let message = format!("expected `both`, `values` or `indices`, got `{}`", other.escape_debug());
            Err(call.attribute_error("ret_type", message))
        }
    }
}
