//! Pooling and adaptive pooling (TVM 0.25 `src/relax/op/nn/pooling.cc`).

use object_core::prelude::*;
use object_ir::attrs::{
    AdaptivePool1DAttrs, AdaptivePool2DAttrs, AdaptivePool3DAttrs, AdaptivePooling, Pool1DAttrs, Pool2DAttrs,
    Pool3DAttrs, Pooling, WindowAttrs,
};
use object_ir::ir::StructInfo;

use crate::op::completion::Completion;
use crate::op::dims::{Dims, dim, tensor};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Defaults, Tensor};
use crate::op::window::{
    check_window, layout, numbers, positions, positions_rounded_up, result_size, sizes_in, window_completions,
};

operators! {
    /// The maximum under a window that moves over one dimension.
    fn max_pool1d = "relax.nn.max_pool1d"(data: Tensor, attrs: Defaults<Pool1DAttrs>), Pure,
        infer_pool::<Pool1DAttrs>, completed &POOLING[0];
    /// The maximum under a window that moves over two dimensions.
    fn max_pool2d = "relax.nn.max_pool2d"(data: Tensor, attrs: Defaults<Pool2DAttrs>), Pure,
        infer_pool::<Pool2DAttrs>, completed &POOLING[1];
    /// The maximum under a window that moves over three dimensions.
    fn max_pool3d = "relax.nn.max_pool3d"(data: Tensor, attrs: Defaults<Pool3DAttrs>), Pure,
        infer_pool::<Pool3DAttrs>, completed &POOLING[2];
    /// The average under a window that moves over one dimension.
    fn avg_pool1d = "relax.nn.avg_pool1d"(data: Tensor, attrs: Defaults<Pool1DAttrs>), Pure,
        infer_pool::<Pool1DAttrs>, completed &POOLING[0];
    /// The average under a window that moves over two dimensions.
    fn avg_pool2d = "relax.nn.avg_pool2d"(data: Tensor, attrs: Defaults<Pool2DAttrs>), Pure,
        infer_pool::<Pool2DAttrs>, completed &POOLING[1];
    /// The average under a window that moves over three dimensions.
    fn avg_pool3d = "relax.nn.avg_pool3d"(data: Tensor, attrs: Defaults<Pool3DAttrs>), Pure,
        infer_pool::<Pool3DAttrs>, completed &POOLING[2];
    /// The averages over equal parts of one dimension, as many as `output_size` says.
    fn adaptive_avg_pool1d = "relax.nn.adaptive_avg_pool1d"(data: Tensor, attrs: Defaults<AdaptivePool1DAttrs>), Pure,
        infer_adaptive_pool::<AdaptivePool1DAttrs>, completed &ADAPTIVE_POOLING[0];
    /// The averages over equal parts of two dimensions, as many as `output_size` says.
    fn adaptive_avg_pool2d = "relax.nn.adaptive_avg_pool2d"(data: Tensor, attrs: Defaults<AdaptivePool2DAttrs>), Pure,
        infer_adaptive_pool::<AdaptivePool2DAttrs>, completed &ADAPTIVE_POOLING[1];
    /// The averages over equal parts of three dimensions, as many as `output_size` says.
    fn adaptive_avg_pool3d = "relax.nn.adaptive_avg_pool3d"(data: Tensor, attrs: Defaults<AdaptivePool3DAttrs>), Pure,
        infer_adaptive_pool::<AdaptivePool3DAttrs>, completed &ADAPTIVE_POOLING[2];
}

/// The completions for one, two and three dimensions.
pub(in crate::op) static POOLING: [[Completion; 6]; 3] = {
    const fn of(rank: usize) -> [Completion; 6] {
        window_completions(rank, "pool_size", "layout")
    }
    [of(1), of(2), of(3)]
};

static ADAPTIVE_POOLING: [[Completion; 2]; 3] = {
    const fn of(count: usize) -> [Completion; 2] {
        let layout = Completion::Same { to: "out_layout", from: "layout" };
        [Completion::Repeated { name: "output_size", count }, layout]
    }
    [of(1), of(2), of(3)]
};

fn infer_pool<A: WindowAttrs<Description = Pooling>>(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, attrs) = (call.tensor(0)?, call.attrs::<A>()?.description());
    let (names, window) = (attrs.window.names("NC"), &attrs.window);
    numbers(call, "pool_size", &attrs.size, window.space.len(), 1)?;
    check_window(call, window)?;
    let data_layout = layout(call, "layout", &attrs.layout, &names)?;
    let out_layout = layout(call, "out_layout", &attrs.out_layout, &names)?;
    let Some(sizes) = sizes_in(call, 0, &data_layout, &names)? else {
        return Ok(tensor(Dims::Rank(out_layout.rank()), data.dtype, data.vdevice.clone()));
    };
    let mut result = sizes[..2].to_vec();
    for (index, (name, step)) in window.named_steps().enumerate() {
        let (size, of_window) = (&sizes[index + 2], dim(attrs.size[index]));
        let positions = if attrs.ceil_mode { positions_rounded_up } else { positions };
        result.push(result_size(call, name, &positions(&step, &of_window, size)?)?);
    }
    let dims = out_layout.shape(&result, &names, call.analyzer())?;
    Ok(tensor(Dims::Known(dims), data.dtype, data.vdevice.clone()))
}

fn infer_adaptive_pool<A: WindowAttrs<Description = AdaptivePooling>>(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let (data, attrs) = (call.tensor(0)?, call.attrs::<A>()?.description());
    let AdaptivePooling { space, output_size, layout: given, out_layout } = attrs;
    let names = format!("NC{space}");
    if let Some(output_size) = &output_size {
        numbers(call, "output_size", output_size, space.len(), 0)?;
    }
    let same_layout = given == out_layout;
    let data_layout = layout(call, "layout", &given, &names)?;
    let out_layout = layout(call, "out_layout", &out_layout, &names)?;
    let sizes = sizes_in(call, 0, &data_layout, &names)?;
    if sizes.is_none() && data.shape.is_some() && same_layout && output_size.is_none() {
        return Ok(call.info(0).clone());
    }
    let Some(mut sizes) = sizes else {
        return Ok(tensor(Dims::Rank(out_layout.rank()), data.dtype, data.vdevice.clone()));
    };
    for (size, given) in sizes[2..].iter_mut().zip(output_size.unwrap_or_default()) {
        *size = dim(given);
    }
    let dims = out_layout.shape(&sizes, &names, call.analyzer())?;
    Ok(tensor(Dims::Known(dims), data.dtype, data.vdevice.clone()))
}
