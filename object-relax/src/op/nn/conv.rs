//! Convolutions and their transposes (TVM 0.25 `src/relax/op/nn/convolution.cc`).

use object_core::prelude::*;
use object_ir::attrs::{
    Conv1DAttrs, Conv1DTransposeAttrs, Conv2DAttrs, Conv2DTransposeAttrs, Conv3DAttrs, Conv3DTransposeAttrs,
};
use object_ir::ir::{PrimExpr, StructInfo};
use object_ir::tir::mul;

use crate::op::broadcast::{same_dtype, same_vdevice};
use crate::op::checks::{check_multiple, check_size};
use crate::op::dims::{Dims, dim, tensor};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Defaults, Tensor};
use crate::op::window::{Window, layout, numbers, result_size, sizes_in};

operators! {
    /// The convolution over one dimension.
    fn conv1d = "relax.nn.conv1d"(data: Tensor, weight: Tensor, attrs: Defaults<Conv1DAttrs>), Pure, infer_conv1d;
    /// The convolution over two dimensions.
    fn conv2d = "relax.nn.conv2d"(data: Tensor, weight: Tensor, attrs: Defaults<Conv2DAttrs>), Pure, infer_conv2d;
    /// The convolution over three dimensions.
    fn conv3d = "relax.nn.conv3d"(data: Tensor, weight: Tensor, attrs: Defaults<Conv3DAttrs>), Pure, infer_conv3d;
    /// The transposed convolution over one dimension, which is the gradient of [`conv1d`] with respect to `data`.
    fn conv1d_transpose = "relax.nn.conv1d_transpose"(
        data: Tensor, weight: Tensor, attrs: Defaults<Conv1DTransposeAttrs>
    ), Pure, infer_conv1d_transpose;
    /// The transposed convolution over two dimensions, which is the gradient of [`conv2d`] with respect to `data`.
    fn conv2d_transpose = "relax.nn.conv2d_transpose"(
        data: Tensor, weight: Tensor, attrs: Defaults<Conv2DTransposeAttrs>
    ), Pure, infer_conv2d_transpose;
    /// The transposed convolution over three dimensions, which is the gradient of [`conv3d`] with respect to `data`.
    fn conv3d_transpose = "relax.nn.conv3d_transpose"(
        data: Tensor, weight: Tensor, attrs: Defaults<Conv3DTransposeAttrs>
    ), Pure, infer_conv3d_transpose;
}

/// The attributes that all convolutions have.
struct ConvAttrs<'a> {
    strides: Vec<i64>,
    padding: Vec<i64>,
    dilation: Vec<i64>,
    groups: i64,
    data_layout: &'a str,
    kernel_layout: &'a str,
    out_layout: &'a str,
    out_dtype: DataType,
    /// Zeros at the end of each dimension of the result, of a transposed convolution.
    output_padding: Option<Vec<i64>>,
}

/// The rule of a convolution with attributes of type `$Attrs` over the dimensions `$spatial`.
macro_rules! conv {
    ($infer:ident, $Attrs:ident, $spatial:literal, |$attrs:ident| $output_padding:expr) => {
        fn $infer(call: &OpCall<'_>) -> Result<StructInfo, Error> {
            let $attrs = call.attrs::<$Attrs>()?;
            let attrs = ConvAttrs {
                strides: $attrs.strides.iter().collect(),
                padding: $attrs.padding.iter().collect(),
                dilation: $attrs.dilation.iter().collect(),
                groups: $attrs.groups,
                data_layout: &$attrs.data_layout,
                kernel_layout: &$attrs.kernel_layout,
                out_layout: &$attrs.out_layout,
                out_dtype: $attrs.out_dtype,
                output_padding: $output_padding,
            };
            infer_conv(call, &attrs, $spatial)
        }
    };
}

conv! { infer_conv1d, Conv1DAttrs, "W", |attrs| None }
conv! { infer_conv2d, Conv2DAttrs, "HW", |attrs| None }
conv! { infer_conv3d, Conv3DAttrs, "DHW", |attrs| None }
conv! { infer_conv1d_transpose, Conv1DTransposeAttrs, "W", |attrs| Some(attrs.output_padding.iter().collect()) }
conv! { infer_conv2d_transpose, Conv2DTransposeAttrs, "HW", |attrs| Some(attrs.output_padding.iter().collect()) }
conv! { infer_conv3d_transpose, Conv3DTransposeAttrs, "DHW", |attrs| Some(attrs.output_padding.iter().collect()) }

/// The result of a convolution over the dimensions `spatial`.
fn infer_conv(call: &OpCall<'_>, attrs: &ConvAttrs<'_>, spatial: &str) -> Result<StructInfo, Error> {
    attrs.check(call, spatial.len())?;
    let (data_names, kernel_names) = (format!("NC{spatial}"), format!("OI{spatial}"));
    let data_layout = layout(call, "data_layout", attrs.data_layout, &data_names)?;
    let kernel_layout = layout(call, "kernel_layout", attrs.kernel_layout, &kernel_names)?;
    let out_layout = layout(call, "out_layout", attrs.out_layout, &data_names)?;
    let data = sizes_in(call, 0, &data_layout, &data_names)?;
    let kernel = sizes_in(call, 1, &kernel_layout, &kernel_names)?;
    let dtype = if attrs.out_dtype.is_void() { same_dtype(call, 0, 1)? } else { attrs.out_dtype };
    let vdevice = same_vdevice(call, 0, 1)?;
    let (Some(data), Some(kernel)) = (data, kernel) else {
        return Ok(tensor(Dims::Rank(out_layout.rank()), dtype, vdevice));
    };
    let mut result = vec![data[0].clone(), attrs.result_channels(call, &data[1], [&kernel[0], &kernel[1]])?];
    for (index, name) in spatial.chars().enumerate() {
        let (size, kernel_size) = (&data[index + 2], &kernel[index + 2]);
        let window = Window {
            size: kernel_size.clone(),
            stride: attrs.strides[index],
            padding: [attrs.padding[index], attrs.padding[index + spatial.len()]],
            dilation: attrs.dilation[index],
        };
        let size = match &attrs.output_padding {
            Some(output_padding) => window.covered(size, output_padding[index])?,
            None => window.positions(size)?,
        };
        result.push(result_size(call, name, &size)?);
    }
    Ok(tensor(Dims::Known(out_layout.shape(&result, &data_names, call.analyzer())?), dtype, vdevice))
}

impl ConvAttrs<'_> {
    fn check(&self, call: &OpCall<'_>, spatial: usize) -> Result<(), Error> {
        numbers(call, "strides", &self.strides, spatial, 1)?;
        numbers(call, "padding", &self.padding, 2 * spatial, i64::MIN)?;
        numbers(call, "dilation", &self.dilation, spatial, 1)?;
        if self.groups < 1 {
            return Err(call.attribute_error("groups", format!("expected at least 1, got {}", self.groups)));
        }
        let Some(output_padding) = &self.output_padding else { return Ok(()) };
        numbers(call, "output_padding", output_padding, spatial, 0)?;
        if output_padding.iter().zip(&self.strides).any(|(padding, stride)| padding >= stride) {
            let message = format!("expected numbers below the strides {:?}, got {output_padding:?}", self.strides);
            return Err(call.attribute_error("output_padding", message));
        }
        Ok(())
    }

    /// The number of channels of the result, for data with `channels` and a kernel from `inputs` to `outputs`.
    fn result_channels(
        &self,
        call: &OpCall<'_>,
        channels: &PrimExpr,
        [outputs, inputs]: [&PrimExpr; 2],
    ) -> Result<PrimExpr, Error> {
        let is_transposed = self.output_padding.is_some();
        let expected = if is_transposed { inputs.clone() } else { mul(inputs, self.groups)? };
        let dimension = |layout: &str, name| layout.find(name).unwrap_or_default();
        let place = dimension(self.data_layout, 'C');
        check_size(call, 0, place, [channels, &expected], "the input channels of `weight` for all groups")?;
        let (name, split) = if is_transposed { ('I', inputs) } else { ('O', outputs) };
        let place = dimension(self.kernel_layout, name);
        check_multiple(call, 1, place, [split, &dim(self.groups)], "`groups`")?;
        if is_transposed { mul(outputs, self.groups) } else { Ok(outputs.clone()) }
    }
}
