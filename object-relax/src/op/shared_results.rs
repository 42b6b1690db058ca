//! [`SharedResults`]: one object for equal results of many calls, because a program has few different shapes.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};

use object_core::prelude::*;
use object_ir::ir::{PrimExpr, StructInfo, TensorStructInfo};
use object_ir::tir::Var as ShapeVar;
use rustc_hash::FxHasher;

use super::dims::{constant, tensor_of_dims, written_values};
use super::direct_mapped::{DirectMapped, Place};
use super::kept_calls::KeptCalls;
use crate::arith::form::operands;
use crate::struct_info::written::is_same_dim;

/// The levels of nested operations in a dimension of a result that is kept.
const DEPTH: usize = 2;

/// The last results that are tensors of short dimensions without a device.
#[derive(Debug, Default)]
pub(crate) struct SharedResults {
    kept: RefCell<DirectMapped<StructInfo>>,
    /// The results of whole calls.
    pub(super) calls: KeptCalls,
}

impl SharedResults {
    /// Structural information of a tensor: a kept one that is the same, or a new one.
    pub(crate) fn tensor(&self, dims: &[&PrimExpr], dtype: DataType) -> StructInfo {
        self.tensor_or(dims, dtype, || tensor_of_dims(dims, dtype, None))
    }

    /// As [`tensor`](Self::tensor); `new` makes the new one.
    pub(crate) fn tensor_or(
        &self,
        dims: &[&PrimExpr],
        dtype: DataType,
        new: impl FnOnce() -> StructInfo,
    ) -> StructInfo {
        let Some(place) = place(dims, dtype) else { return new() };
        let mut kept = self.kept.borrow_mut();
        if let Some(info) = kept.get(place).filter(|info| is_tensor_of(info, dims, dtype)) {
            return info.clone();
        }
        let info = new();
        kept.set(place, info.clone());
        info
    }
}

/// The place of a tensor; `None` if a dimension has another form than a variable, a constant or a short sum or product of
/// them.
fn place(dims: &[&PrimExpr], dtype: DataType) -> Option<Place> {
    let mut hasher = FxHasher::default();
    dtype.hash(&mut hasher);
    dims.iter().try_for_each(|dim| hash_dim(dim, DEPTH, &mut hasher))?;
    Some(Place::of(hasher.finish()))
}

fn hash_dim(dim: &PrimExpr, depth: usize, hasher: &mut FxHasher) -> Option<()> {
    if let Some(value) = constant(dim) {
        value.hash(hasher);
        return (dim.dtype == DataType::int(64)).then_some(());
    }
    if dim.is::<ShapeVar>() {
        dim.as_object().view().address().hash(hasher);
        return Some(());
    }
    let depth = depth.checked_sub(1)?;
    operands(dim)?.into_iter().try_for_each(|operand| hash_dim(operand, depth, hasher))
}

fn is_tensor_of(info: &StructInfo, dims: &[&PrimExpr], dtype: DataType) -> bool {
    let kept = info.downcast_ref::<TensorStructInfo>().filter(|kept| kept.dtype == dtype);
    kept.and_then(|kept| written_values(kept))
        .is_some_and(|kept| kept.len() == dims.len() && kept.iter().zip(dims).all(|(kept, dim)| is_same_dim(kept, dim)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::dims::{Dims, dim, tensor};

    #[test]
    fn equal_results_are_one_object() {
        let (results, float) = (SharedResults::default(), DataType::float(32));
        let [n, m] = ["n", "m"].map(ShapeVar::dim);
        // Two times the same dimensions, as different objects.
        let shapes = [0, 1].map(|_| -> [Vec<PrimExpr>; 8] {
            [
                vec![],
                vec![dim(2)],
                vec![n.clone().into()],
                vec![m.clone().into()],
                vec![dim(2), n.clone().into()],
                vec![&n + 1],
                vec![dim(3), &n * &m + 1],
                vec![(&n * &m + 1) * 2],
            ]
        });
        let of = |dims: &[PrimExpr], dtype| results.tensor(&dims.iter().collect::<Vec<_>>(), dtype);
        for (index, (dims, others)) in shapes[0].iter().zip(&shapes[1]).enumerate() {
            let (a, b) = (of(dims, float), of(others, float));
            assert_eq!(a.ptr_eq(&b), index < 7, "{dims:?}");
            assert!(structural_equal(&a, &tensor(Dims::Known(dims.clone()), float, None)), "{dims:?}");
            assert!(!of(dims, DataType::int(8)).ptr_eq(&a));
        }
        // Operations on the same operands may share a place, but not a result.
        let [sum, difference] = [&n + &m, &n - &m].map(|dim| of(&[dim], float));
        assert!(!structural_equal(&sum, &difference));
        // Many other results take the places of the first ones.
        for size in 0..1280 {
            assert!(is_tensor_of(&of(&[dim(size)], float), &[&dim(size)], float));
        }
    }
}
