//! Features in regions of interest (TVM 0.25 `src/relax/op/vision/roi_align.cc` and `roi_pool.cc`).

use object_core::prelude::*;
use object_ir::attrs::{ROIAlignAttrs, ROIPoolAttrs};
use object_ir::ir::StructInfo;

use crate::op::checks::{check_rank, check_size, written_dims};
use crate::op::completion::Completion;
use crate::op::dims::{Dims, dim, tensor};
use crate::op::op_call::OpCall;
use crate::op::operator::operators;
use crate::op::parameter::{Attributes, Tensor};
use crate::op::window::{layout, numbers};

operators! {
    /// The features under the cells of a grid over each region, interpolated. A region is a row of `rois`: the number of
    /// the image, and two corners.
    fn roi_align = "relax.vision.roi_align"(data: Tensor, rois: Tensor, attrs: Attributes<ROIAlignAttrs>), Pure,
        infer_roi_align, completed &[POOLED_SIZE];
    /// The greatest features under the cells of a grid over each region. A region is a row of `rois`: the number of the
    /// image, and two corners.
    fn roi_pool = "relax.vision.roi_pool"(data: Tensor, rois: Tensor, attrs: Attributes<ROIPoolAttrs>), Pure,
        infer_roi_pool, completed &[POOLED_SIZE];
}

const POOLED_SIZE: Completion = Completion::Repeated { name: "pooled_size", count: 2 };

fn infer_roi_align(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let attrs = call.attrs::<ROIAlignAttrs>()?;
    if !matches!(&*attrs.mode, "avg" | "max") {
        return Err(call.attribute_error("mode", format!("expected `avg` or `max`, got `{}`", attrs.mode)));
    }
    pooled(call, &attrs.layout, &["NCHW", "NHWC"], &attrs.pooled_size.iter().collect::<Vec<_>>())
}

fn infer_roi_pool(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let attrs = call.attrs::<ROIPoolAttrs>()?;
    pooled(call, &attrs.layout, &["NCHW"], &attrs.pooled_size.iter().collect::<Vec<_>>())
}

/// The features of each region, of the size `pooled_size`.
fn pooled(call: &OpCall<'_>, layout_name: &str, layouts: &[&str], pooled_size: &[i64]) -> Result<StructInfo, Error> {
    check_rank(call, 0, 4)?;
    check_rank(call, 1, 2)?;
    if !layouts.contains(&layout_name) {
        let message = format!("expected `{}`, got `{layout_name}`", layouts.join("` or `"));
        return Err(call.attribute_error("layout", message));
    }
    let size = numbers(call, "pooled_size", pooled_size, 2, 0)?;
    let (data, rois) = (call.tensor(0)?, written_dims(call.tensor(1)?));
    if let Dims::Known(rois) = &rois {
        check_size(call, 1, 1, [&rois[1], &dim(5)], "the number of the image, and two corners")?;
    }
    let dims = match (written_dims(data), rois) {
        (Dims::Known(dims), Dims::Known(rois)) => {
            let (names, data_layout) = ("NCHW", layout(call, "layout", layout_name, "NCHW")?);
            let channels = data_layout.sizes(&dims, names)?.swap_remove(1);
            let sizes = [rois[0].clone(), channels, dim(size[0]), dim(size[1])];
            Dims::Known(data_layout.shape(&sizes, names, call.analyzer())?)
        }
        _ => Dims::Rank(4),
    };
    Ok(tensor(dims, data.dtype, data.vdevice.clone()))
}
