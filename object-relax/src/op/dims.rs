//! `Dims`: the facts about the shape of a tensor, and structural information made of them.

use object_core::prelude::*;
use object_ir::ir::{
    IntImm, ObjectStructInfo, PrimExpr, PrimStructInfo, RelaxExpr, ShapeExpr, ShapeStructInfo, StructInfo,
    TensorStructInfo, TensorStructInfoNode, TupleStructInfo, VDevice,
};
use object_ir::tir::mul;
use smallvec::SmallVec;

/// Dimensions that a result takes from its operands.
pub(crate) type DimRefs<'d> = SmallVec<[&'d PrimExpr; 8]>;

/// The facts about the shape of a tensor.
#[derive(Clone, Debug)]
pub(crate) enum Dims {
    /// Each dimension, as an expression.
    Known(Vec<PrimExpr>),
    /// The number of dimensions.
    Rank(usize),
    /// Nothing.
    Unknown,
}

impl Dims {
    /// The facts about the shape of `tensor`. A shape that is a variable is as known as the structural information of
    /// the variable says.
    pub(crate) fn of(tensor: &TensorStructInfoNode) -> Dims {
        match shape_values(tensor) {
            Some(values) => Dims::Known(values.to_vec()),
            None => Dims::of_rank(tensor.ndim),
        }
    }

    /// The facts in a number of dimensions, which is -1 if it is unknown.
    pub(crate) fn of_rank(ndim: i64) -> Dims {
        usize::try_from(ndim).map_or(Dims::Unknown, Dims::Rank)
    }

    /// The number of dimensions, if it is known.
    pub(crate) fn rank(&self) -> Option<usize> {
        match self {
            Dims::Known(dims) => Some(dims.len()),
            Dims::Rank(rank) => Some(*rank),
            Dims::Unknown => None,
        }
    }

    /// The dimensions, if they are known.
    pub(crate) fn known(&self) -> Option<&[PrimExpr]> {
        match self {
            Dims::Known(dims) => Some(dims),
            _ => None,
        }
    }

    /// The rank as structural information stores it: -1 if it is unknown.
    pub(crate) fn ndim(&self) -> i64 {
        self.rank().and_then(|rank| i64::try_from(rank).ok()).unwrap_or(-1)
    }
}

impl From<Option<usize>> for Dims {
    fn from(rank: Option<usize>) -> Dims {
        rank.map_or(Dims::Unknown, Dims::Rank)
    }
}

/// The dimensions of `tensor`, if they are known.
#[must_use]
pub fn shape_values(tensor: &TensorStructInfoNode) -> Option<&[PrimExpr]> {
    let shape = tensor.shape.as_ref()?;
    match shape.downcast_ref::<ShapeExpr>() {
        Some(shape) => Some(&shape.values),
        None => shape.struct_info.as_ref()?.downcast_ref::<ShapeStructInfo>()?.values.as_deref(),
    }
}

/// The dimensions of an expression that is a shape, if they are written out.
pub(crate) fn written_shape(shape: &RelaxExpr) -> Option<&[PrimExpr]> {
    shape.downcast_ref::<ShapeExpr>().map(|shape| shape.values.as_slice())
}

/// The dimensions of `tensor`, if they are written out: not those that the structural information of a variable has.
pub(crate) fn written_values(tensor: &TensorStructInfoNode) -> Option<&[PrimExpr]> {
    tensor.shape.as_ref().and_then(written_shape)
}

/// The number of dimensions of `tensor`, if it is known.
pub(crate) fn rank_of(tensor: &TensorStructInfoNode) -> Option<usize> {
    shape_values(tensor).map(<[_]>::len).or_else(|| Dims::of_rank(tensor.ndim).rank())
}

/// Like [`rank_of`], without the structural information of a variable.
pub(crate) fn written_rank(tensor: &TensorStructInfoNode) -> Option<usize> {
    written_values(tensor).map(<[_]>::len).or_else(|| Dims::of_rank(tensor.ndim).rank())
}

/// The constant `value` as a dimension.
pub(crate) fn dim(value: i64) -> PrimExpr {
    IntImm::new(DataType::int(64), value).into()
}

/// The number of elements of a shape.
///
/// # Errors
/// [`TypeMismatch`](ErrorKind::TypeMismatch) if a dimension is not an integer.
pub(crate) fn product(dims: &[PrimExpr]) -> Result<PrimExpr, Error> {
    dims.iter().try_fold(dim(1), mul)
}

/// The value of a constant dimension.
#[must_use]
pub fn constant(dim: &PrimExpr) -> Option<i64> {
    dim.downcast_ref::<IntImm>().map(|int| int.value)
}

/// A dimension as shapes have it: a constant becomes an `int64`.
fn extent(given: &PrimExpr) -> PrimExpr {
    match constant(given) {
        Some(value) if given.dtype != DataType::int(64) => dim(value),
        _ => given.clone(),
    }
}

/// A shape with its structural information. A constant becomes an `int64`.
pub(crate) fn shape_expr<'d>(dims: impl ExactSizeIterator<Item = &'d PrimExpr>) -> ShapeExpr {
    ShapeExpr::of_values(Array::of_exact(dims.map(extent)))
}

/// Structural information of a tensor.
pub(crate) fn tensor(dims: Dims, dtype: DataType, vdevice: Option<VDevice>) -> StructInfo {
    let ndim = dims.ndim();
    let shape = match dims {
        Dims::Known(dims) => Some(shape_expr(dims.iter()).into()),
        _ => None,
    };
    tensor_of(shape, dtype, vdevice, ndim)
}

/// Structural information of a tensor of known dimensions.
pub(crate) fn tensor_of_dims(dims: &[&PrimExpr], dtype: DataType, vdevice: Option<VDevice>) -> StructInfo {
    tensor_of(Some(shape_expr(dims.iter().copied()).into()), dtype, vdevice, -1)
}

/// Structural information of `tensor` with another element type.
pub(crate) fn with_dtype(tensor: &TensorStructInfoNode, dtype: DataType) -> StructInfo {
    tensor_of(tensor.shape.clone(), dtype, tensor.vdevice.clone(), tensor.ndim)
}

/// Structural information of a tensor of the shape of `tensor`, which is `info`. The result is `info` itself if the other
/// facts are the same too.
pub(crate) fn with_facts(
    info: &StructInfo,
    tensor: &TensorStructInfoNode,
    dtype: DataType,
    vdevice: Option<VDevice>,
) -> StructInfo {
    let is_same_device = match (&tensor.vdevice, &vdevice) {
        (None, None) => true,
        (Some(a), Some(b)) => a.ptr_eq(b),
        _ => false,
    };
    if tensor.dtype == dtype && is_same_device {
        return info.clone();
    }
    tensor_of(tensor.shape.clone(), dtype, vdevice, tensor.ndim)
}

/// Structural information of a tensor whose shape is an expression, such as a variable. `ndim` is the rank of a shape
/// that is not a [`ShapeExpr`].
pub(crate) fn tensor_of(shape: Option<RelaxExpr>, dtype: DataType, vdevice: Option<VDevice>, ndim: i64) -> StructInfo {
    let known = shape.as_ref().and_then(|shape| shape.downcast_ref::<ShapeExpr>());
    let ndim = known.map_or(ndim, |shape| i64::try_from(shape.values.len()).unwrap_or(i64::MAX));
    TensorStructInfo::new(shape, dtype, vdevice, ndim).into()
}

/// Structural information of a shape.
pub(crate) fn shape_info(dims: &Dims) -> StructInfo {
    let values = dims.known().map(|dims| Array::new(dims.iter().cloned()));
    ShapeStructInfo::new(values, dims.ndim()).into()
}

/// Structural information of a scalar.
pub(crate) fn prim(dtype: DataType) -> StructInfo {
    PrimStructInfo::new(None, dtype).into()
}

/// Structural information of a tuple.
pub(crate) fn tuple(fields: impl IntoIterator<Item = StructInfo>) -> StructInfo {
    TupleStructInfo::new(Array::new(fields)).into()
}

/// Structural information of a call without a result: an empty tuple.
pub(crate) fn void() -> StructInfo {
    tuple([])
}

/// Structural information of any value.
pub(crate) fn object() -> StructInfo {
    ObjectStructInfo::new().into()
}
