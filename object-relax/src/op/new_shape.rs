//! New shapes of tensors in which -1 and 0 stand for dimensions that follow from the given shape (TVM 0.25
//! `ConvertNewShapeToExpr` in `src/relax/op/tensor/manipulate.cc`).

use object_core::prelude::*;
use object_ir::ir::PrimExpr;
use object_ir::tir::floor_div;

use super::dims::{constant, product};
use crate::arith::Analyzer;

/// The new shape of a tensor of the given shape. In place of 0, it has the dimension of the given shape at the same place,
/// and in place of -1 the size that is missing.
///
/// # Errors
/// [`OutOfRange`](ErrorKind::OutOfRange) if several dimensions are -1, or if one is -1 and another is 0.
pub fn new_shape(given: &[PrimExpr], shape: &[PrimExpr]) -> Result<Vec<PrimExpr>, Error> {
    let shape = with_copied(given, shape);
    let (shape, message) = match open_dimensions(&shape) {
        0 => (Some(shape), ""),
        1 => (completed(given, &shape, &Analyzer::for_shapes()), "division by 0"),
        _ => (None, "expected a shape with -1 at most once"),
    };
    shape.ok_or_else(|| Error::new(ErrorKind::OutOfRange, message))
}

/// The number of dimensions that are -1.
pub(crate) fn open_dimensions(shape: &[PrimExpr]) -> usize {
    shape.iter().filter(|dim| constant(dim) == Some(-1)).count()
}

/// The new shape with dimensions of the given shape in place of 0.
pub(crate) fn with_copied(given: &[PrimExpr], shape: &[PrimExpr]) -> Vec<PrimExpr> {
    let copied = |(place, dim): (usize, &PrimExpr)| match given.get(place) {
        Some(same) if constant(dim) == Some(0) => same.clone(),
        _ => dim.clone(),
    };
    shape.iter().enumerate().map(copied).collect()
}

/// The new shape with the number of elements of the given one: the size that is missing in place of -1. `None` if not
/// exactly one dimension is -1, or if another one is 0.
pub(crate) fn completed(given: &[PrimExpr], shape: &[PrimExpr], analyzer: &Analyzer) -> Option<Vec<PrimExpr>> {
    let place = shape.iter().position(|dim| constant(dim) == Some(-1))?;
    let mut completed = shape.to_vec();
    let open = completed.remove(place);
    if open_dimensions(&completed) > 0 || completed.iter().any(|dim| constant(dim) == Some(0)) {
        return None;
    }
    let missing = floor_div(product(given).ok()?, product(&completed).ok()?).ok()?;
    let missing = analyzer.simplify(&missing);
    completed.insert(place, if missing.dtype == open.dtype { missing } else { return None });
    Some(completed)
}
