//! Operators on images: `relax.image.*` (TVM 0.25 `src/relax/op/image/resize.cc`).

use object_core::prelude::*;
use object_ir::attrs::{GridSampleAttrs, Resize2DAttrs, Resize3DAttrs};
use object_ir::ir::{PrimExpr, StructInfo};

use super::checks::{check_rank, check_size, written_dims};
use super::completion::Completion;
use super::dims::{Dims, constant, dim, tensor, written_shape};
use super::op_call::OpCall;
use super::operator::operators;
use super::parameter::{Defaults, Shape, Tensor};
use super::window::{layout, sizes_in};

operators! {
    /// Images with the height and the width `size`.
    fn resize2d = "relax.image.resize2d"(data: Tensor, size: Shape, attrs: Defaults<Resize2DAttrs>), Pure, infer_resize2d,
        completed &[Completion::Repeated { name: "size", count: 2 }];
    /// Volumes with the depth, the height and the width `size`.
    fn resize3d = "relax.image.resize3d"(data: Tensor, size: Shape, attrs: Defaults<Resize3DAttrs>), Pure, infer_resize3d,
        completed &[Completion::Repeated { name: "size", count: 3 }];
    /// The values of images at the points of `grid`, whose dimensions are batch, coordinates, height and width. The
    /// coordinates may also be in the last dimension, if dimension 1 has not the size 2.
    fn grid_sample = "relax.image.grid_sample"(data: Tensor, grid: Tensor, attrs: Defaults<GridSampleAttrs>), Pure,
        infer_grid_sample;
    /// The points to which affine maps `(batch, 2, 3)` move the pixels of an image with the height and the width `size`.
    fn affine_grid = "relax.image.affine_grid"(data: Tensor, size: Shape), Pure, infer_affine_grid,
        completed &[Completion::Repeated { name: "size", count: 2 }];
}

fn infer_resize2d(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let attrs = call.attrs::<Resize2DAttrs>()?;
    let size = spatial_size(call, 2)?;
    with_spatial_size(call, size, &attrs.layout, attrs.out_dtype, "HW")
}

fn infer_resize3d(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let attrs = call.attrs::<Resize3DAttrs>()?;
    let size = spatial_size(call, 3)?;
    with_spatial_size(call, size, &attrs.layout, attrs.out_dtype, "DHW")
}

fn infer_grid_sample(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let layout_name = &call.attrs::<GridSampleAttrs>()?.layout;
    let is_volume = call.by_tvm_0_27() == Some(true) && *layout_name == "NCDHW";
    let (spatial, rank) = if is_volume { ("DHW", 5) } else { ("HW", 4) };
    check_rank(call, 1, rank)?;
    let size = match written_dims(call.tensor(1)?) {
        Dims::Known(dims) => size_of_grid(call, &dims)?,
        _ => None,
    };
    with_spatial_size(call, size, layout_name, DataType::void(), spatial)
}

/// The height and the width of a grid with four dimensions; `None` if the dimension of the coordinates is unknown. TVM 0.25
/// takes the dimensions 1 and 2, but its programs and its importers have the coordinates in dimension 1. TVM 0.27 takes the
/// dimensions after the coordinates.
fn size_of_grid(call: &OpCall<'_>, dims: &[PrimExpr]) -> Result<Option<Vec<PrimExpr>>, Error> {
    match call.by_tvm_0_27() {
        Some(true) => return Ok(Some(dims[2..].to_vec())),
        Some(false) => return Ok(Some(dims[1..3].to_vec())),
        None => {}
    }
    match (constant(&dims[1]), constant(&dims[3])) {
        (Some(2), _) => Ok(Some(dims[2..].to_vec())),
        (Some(first), Some(last)) if last != 2 => {
            let message = format!("expected the size 2 (the coordinates of a point) in dimension 1, got {first}");
            Err(call.argument_error(ErrorKind::TypeMismatch, 1, message))
        }
        (Some(_), _) => Ok(Some(dims[1..3].to_vec())),
        (None, _) => Ok(None),
    }
}

/// The shape in the argument `size`, which has `count` dimensions; `None` if it is not written out.
fn spatial_size(call: &OpCall<'_>, count: i64) -> Result<Option<Vec<PrimExpr>>, Error> {
    let given = call.shape(1)?.ndim;
    if given != count {
        let given = if given < 0 { "an unknown number".into() } else { given.to_string() };
        let message = format!("expected a shape of {count} dimensions, got {given}");
        return Err(call.argument_error(ErrorKind::TypeMismatch, 1, message));
    }
    Ok(written_shape(call.arg(1)).map(<[_]>::to_vec))
}

/// The tensor with other sizes of the dimensions `spatial`, and with elements of the type `dtype` unless it is void.
fn with_spatial_size(
    call: &OpCall<'_>,
    size: Option<Vec<PrimExpr>>,
    layout_name: &str,
    dtype: DataType,
    spatial: &str,
) -> Result<StructInfo, Error> {
    let (data, names) = (call.tensor(0)?, format!("NC{spatial}"));
    let data_layout = layout(call, "layout", layout_name, &names)?;
    let dims = match (sizes_in(call, 0, &data_layout, &names)?, size) {
        (Some(mut sizes), Some(size)) => {
            sizes.truncate(2);
            sizes.extend(size);
            Dims::Known(data_layout.shape(&sizes, &names, call.analyzer())?)
        }
        _ => Dims::Rank(data_layout.rank()),
    };
    let dtype = if dtype.is_void() { data.dtype } else { dtype };
    Ok(tensor(dims, dtype, data.vdevice.clone()))
}

fn infer_affine_grid(call: &OpCall<'_>) -> Result<StructInfo, Error> {
    let data = call.tensor(0)?;
    // TVM 0.27 also has grids in volumes.
    let is_volume = call.by_tvm_0_27() == Some(true) && call.shape(1)?.ndim == 3;
    let spatial: u8 = if is_volume { 3 } else { 2 };
    let (rank, spatial) = (usize::from(spatial) + 2, i64::from(spatial));
    let size = spatial_size(call, spatial)?;
    check_rank(call, 0, 3)?;
    let Dims::Known(given) = written_dims(data) else {
        return Ok(tensor(Dims::Rank(rank), data.dtype, data.vdevice.clone()));
    };
    check_size(call, 0, 1, [&given[1], &dim(spatial)], "the rows of an affine map")?;
    check_size(call, 0, 2, [&given[2], &dim(spatial + 1)], "the columns of an affine map")?;
    let dims = match size {
        Some(size) => Dims::Known([vec![given[0].clone(), dim(spatial)], size].concat()),
        None => Dims::Rank(rank),
    };
    Ok(tensor(dims, data.dtype, data.vdevice.clone()))
}
