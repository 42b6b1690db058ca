//! Layers that change the shape of a tensor: padding, pixel shuffle, flattening (TVM 0.25 `src/relax/op/nn/nn.cc`).

use object_core::prelude::*;
use object_ir::attrs::{PadAttrs, PixelShuffleAttrs};
use object_ir::ir::StructInfo;
use object_ir::tir::{add, floor_div, mul};

use crate::op::checks::{check_multiple, dimensions, known_rank, written_dims, wrong_rank};
use crate::op::dims::{Dims, constant, dim, product, tensor};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Attributes, Tensor};

operators! {
    /// The tensor with elements added before and after each dimension; `pad_width` has both numbers of each dimension.
    fn pad = "relax.nn.pad"(data: Tensor, attrs: Attributes<PadAttrs>), Pure, infer_pad;
    /// Rearranges channels into positions: of the last three dimensions `(channels * r * r, height, width)`, with the
    /// `upscale_factor` `r`, the result has `(channels, height * r, width * r)`.
    fn pixel_shuffle = "relax.nn.pixel_shuffle"(data: Tensor, attrs: Attributes<PixelShuffleAttrs>), Pure,
        infer_pixel_shuffle;
    /// The tensor with all dimensions after the first united into one.
    fn batch_flatten = "relax.nn.batch_flatten"(data: Tensor), Pure, infer_batch_flatten;
}

fn infer_pad(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, widths) = (call.tensor(0)?, call.attrs::<PadAttrs>()?.pad_width.iter().collect::<Vec<_>>());
    let rank = known_rank(call, 0)?;
    if widths.len() != 2 * rank {
        let message = format!("expected {} numbers for {}, got {}", 2 * rank, dimensions(rank), widths.len());
        return Err(call.attribute_error("pad_width", message));
    }
    // The result of TVM has no device.
    let Dims::Known(dims) = written_dims(data) else { return Ok(tensor(Dims::Rank(rank), data.dtype, None)) };
    let mut padded = Vec::with_capacity(rank);
    for (size, width) in dims.iter().zip(widths.chunks(2)) {
        let size = add(size, add(dim(width[0]), width[1])?)?;
        if let Some(negative) = constant(&size).filter(|size| *size < 0) {
            let message = format!("expected padding that keeps each dimension, got a dimension of size {negative}");
            return Err(call.attribute_error("pad_width", message));
        }
        padded.push(size);
    }
    Ok(tensor(Dims::Known(padded), data.dtype, None))
}

fn infer_pixel_shuffle(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, factor) = (call.tensor(0)?, call.attrs::<PixelShuffleAttrs>()?.upscale_factor);
    let square = factor.checked_mul(factor).filter(|_| factor > 0);
    let square = square.ok_or_else(|| {
        call.attribute_error("upscale_factor", format!("expected a positive number below 2^31, got {factor}"))
    })?;
    let rank = known_rank(call, 0)?;
    if rank < 3 {
        return Err(wrong_rank(call, 0, "at least 3 dimensions", rank));
    }
    // The result of TVM has no device.
    let Dims::Known(mut dims) = Dims::of(data) else { return Ok(tensor(Dims::Rank(rank), data.dtype, None)) };
    let channels = &dims[rank - 3];
    check_multiple(call, 0, rank - 3, [channels, &dim(square)], "the square of `upscale_factor`")?;
    dims[rank - 3] = call.analyzer().simplify(&floor_div(channels, square)?);
    dims[rank - 2] = mul(&dims[rank - 2], factor)?;
    dims[rank - 1] = mul(&dims[rank - 1], factor)?;
    Ok(tensor(Dims::Known(dims), data.dtype, None))
}

fn infer_batch_flatten(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let data = call.tensor(0)?;
    match written_dims(data).rank() {
        Some(rank) if rank < 2 => return Err(wrong_rank(call, 0, "at least 2 dimensions", rank)),
        Some(2) => return Ok(call.info(0).clone()),
        _ => {}
    }
    let dims = match written_dims(data) {
        Dims::Known(dims) => Dims::Known(vec![dims[0].clone(), product(&dims[1..])?]),
        _ => Dims::Rank(2),
    };
    Ok(tensor(dims, data.dtype, data.vdevice.clone()))
}
