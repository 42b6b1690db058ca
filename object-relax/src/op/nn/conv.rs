//! Convolutions and their transposes (TVM 0.25 `src/relax/op/nn/convolution.cc`).

use object_core::prelude::*;
use object_ir::attrs::{
    Conv1DAttrs, Conv1DTransposeAttrs, Conv2DAttrs, Conv2DTransposeAttrs, Conv3DAttrs, Conv3DTransposeAttrs,
    Convolution, WindowAttrs,
};
use object_ir::ir::{PrimExpr, StructInfo};
use object_ir::tir::mul;

use crate::op::broadcast::{same_dtype, same_vdevice};
use crate::op::checks::{check_multiple, check_size};
use crate::op::completion::Completion;
use crate::op::dims::{Dims, dim, tensor};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Defaults, Tensor};
use crate::op::window::{check_window, covered, layout, numbers, positions, result_size, sizes_in, window_completions};

operators! {
    /// The convolution over one dimension.
    fn conv1d = "relax.nn.conv1d"(data: Tensor, weight: Tensor, attrs: Defaults<Conv1DAttrs>), Pure,
        infer_conv::<Conv1DAttrs>, completed &CONVOLUTION[0];
    /// The convolution over two dimensions.
    fn conv2d = "relax.nn.conv2d"(data: Tensor, weight: Tensor, attrs: Defaults<Conv2DAttrs>), Pure,
        infer_conv::<Conv2DAttrs>, completed &CONVOLUTION[1];
    /// The convolution over three dimensions.
    fn conv3d = "relax.nn.conv3d"(data: Tensor, weight: Tensor, attrs: Defaults<Conv3DAttrs>), Pure,
        infer_conv::<Conv3DAttrs>, completed &CONVOLUTION[2];
    /// The transposed convolution over one dimension, which is the gradient of [`conv1d`] with respect to `data`.
    fn conv1d_transpose = "relax.nn.conv1d_transpose"(
        data: Tensor, weight: Tensor, attrs: Defaults<Conv1DTransposeAttrs>
    ), Pure, infer_conv::<Conv1DTransposeAttrs>, completed &CONVOLUTION[0];
    /// The transposed convolution over two dimensions, which is the gradient of [`conv2d`] with respect to `data`.
    fn conv2d_transpose = "relax.nn.conv2d_transpose"(
        data: Tensor, weight: Tensor, attrs: Defaults<Conv2DTransposeAttrs>
    ), Pure, infer_conv::<Conv2DTransposeAttrs>, completed &CONVOLUTION[1];
    /// The transposed convolution over three dimensions, which is the gradient of [`conv3d`] with respect to `data`.
    fn conv3d_transpose = "relax.nn.conv3d_transpose"(
        data: Tensor, weight: Tensor, attrs: Defaults<Conv3DTransposeAttrs>
    ), Pure, infer_conv::<Conv3DTransposeAttrs>, completed &CONVOLUTION[2];
}

/// The completions for one, two and three dimensions.
static CONVOLUTION: [[Completion; 6]; 3] = {
    const fn of(rank: usize) -> [Completion; 6] {
        window_completions(rank, "output_padding", "data_layout")
    }
    [of(1), of(2), of(3)]
};

fn infer_conv<A: WindowAttrs<Description = Convolution>>(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    infer(call, &call.attrs::<A>()?.description())
}

fn infer(call: &OpCall<'_>, attrs: &Convolution) -> Result<StructInfo, Error> {
    check(call, attrs)?;
    let (data_names, kernel_names) = (attrs.window.names("NC"), attrs.window.names("OI"));
    let data_layout = layout(call, "data_layout", &attrs.data_layout, &data_names)?;
    let kernel_layout = layout(call, "kernel_layout", &attrs.kernel_layout, &kernel_names)?;
    let out_layout = layout(call, "out_layout", &attrs.out_layout, &data_names)?;
    let data = sizes_in(call, 0, &data_layout, &data_names)?;
    let kernel = sizes_in(call, 1, &kernel_layout, &kernel_names)?;
    let dtype = if attrs.out_dtype.is_void() { same_dtype(call, 0, 1)? } else { attrs.out_dtype };
    let vdevice = same_vdevice(call, 0, 1)?;
    let (Some(data), Some(kernel)) = (data, kernel) else {
        return Ok(tensor(Dims::Rank(out_layout.rank()), dtype, vdevice));
    };
    let mut result = vec![data[0].clone(), result_channels(call, attrs, &data[1], [&kernel[0], &kernel[1]])?];
    for (index, (name, step)) in attrs.window.named_steps().enumerate() {
        let (size, kernel_size) = (&data[index + 2], &kernel[index + 2]);
        let size = match &attrs.output_padding {
            Some(output_padding) => covered(&step, kernel_size, size, output_padding[index])?,
            None => positions(&step, kernel_size, size)?,
        };
        result.push(result_size(call, name, &size)?);
    }
    Ok(tensor(Dims::Known(out_layout.shape(&result, &data_names, call.analyzer())?), dtype, vdevice))
}

fn check(call: &OpCall<'_>, attrs: &Convolution) -> Result<(), Error> {
    check_window(call, &attrs.window)?;
    if attrs.groups < 1 {
        return Err(call.attribute_error("groups", format!("expected at least 1, got {}", attrs.groups)));
    }
    let Some(output_padding) = &attrs.output_padding else { return Ok(()) };
    numbers(call, "output_padding", output_padding, attrs.window.space.len(), 0)?;
    let strides = &attrs.window.strides;
    if output_padding.iter().zip(strides).any(|(padding, stride)| padding >= stride) {
        let message = format!("expected numbers below the strides {strides:?}, got {output_padding:?}");
        return Err(call.attribute_error("output_padding", message));
    }
    Ok(())
}

/// The number of channels of the result, for data with `channels` and a kernel from `inputs` to `outputs`.
fn result_channels(
    call: &OpCall<'_>,
    attrs: &Convolution,
    channels: &PrimExpr,
    [outputs, inputs]: [&PrimExpr; 2],
) -> Result<PrimExpr, Error> {
    let is_transposed = attrs.output_padding.is_some();
    let expected = if is_transposed { inputs.clone() } else { mul(inputs, attrs.groups)? };
    let dimension = |layout: &str, name| layout.find(name).unwrap_or_default();
    let place = dimension(&attrs.data_layout, 'C');
    check_size(call, 0, place, [channels, &expected], "the input channels of `weight` for all groups")?;
    let (name, split) = if is_transposed { ('I', inputs) } else { ('O', outputs) };
    let place = dimension(&attrs.kernel_layout, name);
    check_multiple(call, 1, place, [split, &dim(attrs.groups)], "`groups`")?;
    if is_transposed { mul(outputs, attrs.groups) } else { Ok(outputs.clone()) }
}
