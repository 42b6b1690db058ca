//! Pooling and adaptive pooling (TVM 0.25 `src/relax/op/nn/pooling.cc`).

use object_core::prelude::*;
use object_ir::attrs::{
    AdaptivePool1DAttrs, AdaptivePool2DAttrs, AdaptivePool3DAttrs, Pool1DAttrs, Pool2DAttrs, Pool3DAttrs,
};
use object_ir::ir::StructInfo;

use crate::op::dims::{Dims, dim, tensor};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Defaults, Tensor};
use crate::op::window::{Window, layout, numbers, result_size, sizes_in};

operators! {
    /// The maximum under a window that moves over one dimension.
    fn max_pool1d = "relax.nn.max_pool1d"(data: Tensor, attrs: Defaults<Pool1DAttrs>), Pure, infer_pool1d;
    /// The maximum under a window that moves over two dimensions.
    fn max_pool2d = "relax.nn.max_pool2d"(data: Tensor, attrs: Defaults<Pool2DAttrs>), Pure, infer_pool2d;
    /// The maximum under a window that moves over three dimensions.
    fn max_pool3d = "relax.nn.max_pool3d"(data: Tensor, attrs: Defaults<Pool3DAttrs>), Pure, infer_pool3d;
    /// The average under a window that moves over one dimension.
    fn avg_pool1d = "relax.nn.avg_pool1d"(data: Tensor, attrs: Defaults<Pool1DAttrs>), Pure, infer_pool1d;
    /// The average under a window that moves over two dimensions.
    fn avg_pool2d = "relax.nn.avg_pool2d"(data: Tensor, attrs: Defaults<Pool2DAttrs>), Pure, infer_pool2d;
    /// The average under a window that moves over three dimensions.
    fn avg_pool3d = "relax.nn.avg_pool3d"(data: Tensor, attrs: Defaults<Pool3DAttrs>), Pure, infer_pool3d;
    /// The averages over equal parts of one dimension, as many as `output_size` says.
    fn adaptive_avg_pool1d = "relax.nn.adaptive_avg_pool1d"(data: Tensor, attrs: Defaults<AdaptivePool1DAttrs>), Pure,
        infer_adaptive_pool1d;
    /// The averages over equal parts of two dimensions, as many as `output_size` says.
    fn adaptive_avg_pool2d = "relax.nn.adaptive_avg_pool2d"(data: Tensor, attrs: Defaults<AdaptivePool2DAttrs>), Pure,
        infer_adaptive_pool2d;
    /// The averages over equal parts of three dimensions, as many as `output_size` says.
    fn adaptive_avg_pool3d = "relax.nn.adaptive_avg_pool3d"(data: Tensor, attrs: Defaults<AdaptivePool3DAttrs>), Pure,
        infer_adaptive_pool3d;
}

/// The attributes that pooling has for each number of dimensions.
struct PoolAttrs<'a> {
    pool_size: Vec<i64>,
    strides: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
    ceil_mode: bool,
    layout: &'a str,
    out_layout: &'a str,
}

/// The rules of pooling and adaptive pooling over the dimensions `$spatial`.
macro_rules! pools {
    ($($infer:ident $Attrs:ident $infer_adaptive:ident $AdaptiveAttrs:ident $spatial:literal;)*) => {$(
        fn $infer(call: &OpCall<'_>) -> Result<StructInfo, Error> {
            let attrs = call.attrs::<$Attrs>()?;
            let attrs = PoolAttrs {
                pool_size: attrs.pool_size.iter().collect(),
                strides: attrs.strides.iter().collect(),
                padding: attrs.padding.iter().collect(),
                dilation: attrs.dilation.iter().collect(),
                ceil_mode: attrs.ceil_mode,
                layout: &attrs.layout,
                out_layout: &attrs.out_layout,
            };
            infer_pool(call, &attrs, $spatial)
        }

        fn $infer_adaptive(call: &OpCall<'_>) -> Result<StructInfo, Error> {
            let attrs = call.attrs::<$AdaptiveAttrs>()?;
            let output_size = attrs.output_size.as_ref().map(|sizes| sizes.iter().collect());
            infer_adaptive_pool(call, output_size, [&attrs.layout, &attrs.out_layout], $spatial)
        }
    )*};
}

pools! {
    infer_pool1d Pool1DAttrs infer_adaptive_pool1d AdaptivePool1DAttrs "W";
    infer_pool2d Pool2DAttrs infer_adaptive_pool2d AdaptivePool2DAttrs "HW";
    infer_pool3d Pool3DAttrs infer_adaptive_pool3d AdaptivePool3DAttrs "DHW";
}

fn infer_pool(call: &OpCall<'_>, attrs: &PoolAttrs<'_>, spatial: &str) -> Result<StructInfo, Error> {
    let (data, count, names) = (call.tensor(0)?, spatial.len(), format!("NC{spatial}"));
    numbers(call, "pool_size", &attrs.pool_size, count, 1)?;
    numbers(call, "strides", &attrs.strides, count, 1)?;
    numbers(call, "padding", &attrs.padding, 2 * count, i64::MIN)?;
    numbers(call, "dilation", &attrs.dilation, count, 1)?;
    let data_layout = layout(call, "layout", attrs.layout, &names)?;
    let out_layout = layout(call, "out_layout", attrs.out_layout, &names)?;
    let Some(sizes) = sizes_in(call, 0, &data_layout, &names)? else {
        return Ok(tensor(Dims::Rank(out_layout.rank()), data.dtype, data.vdevice.clone()));
    };
    let mut result = sizes[..2].to_vec();
    for (index, name) in spatial.chars().enumerate() {
        let window = Window {
            size: dim(attrs.pool_size[index]),
            stride: attrs.strides[index],
            padding: [attrs.padding[index], attrs.padding[index + count]],
            dilation: attrs.dilation[index],
        };
        let size = &sizes[index + 2];
        let positions = if attrs.ceil_mode { window.positions_rounded_up(size)? } else { window.positions(size)? };
        result.push(result_size(call, name, &positions)?);
    }
    let dims = out_layout.shape(&result, &names, call.analyzer())?;
    Ok(tensor(Dims::Known(dims), data.dtype, data.vdevice.clone()))
}

fn infer_adaptive_pool(
    call: &OpCall<'_>,
    output_size: Option<Vec<i64>>,
    [data_layout, out_layout]: [&str; 2],
    spatial: &str,
) -> Result<StructInfo, Error> {
    let (data, names) = (call.tensor(0)?, format!("NC{spatial}"));
    if let Some(output_size) = &output_size {
        numbers(call, "output_size", output_size, spatial.len(), 0)?;
    }
    let same_layout = data_layout == out_layout;
    let data_layout = layout(call, "layout", data_layout, &names)?;
    let out_layout = layout(call, "out_layout", out_layout, &names)?;
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
