//! [`SharedResults`]: one object for equal results of many calls, because a program has few different shapes.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};

use object_core::prelude::*;
use rustc_hash::FxHasher;

use super::dims::{Dims, constant, tensor, written_values};
use crate::ir::expr::{PrimExpr, StructInfo};
use crate::ir::struct_info::TensorStructInfo;
use crate::struct_info::written::is_same_dim;
use crate::tir::expr::Var as ShapeVar;

/// The number of results that are kept.
const KEPT: usize = 128;

/// The last results that are tensors of variable and constant dimensions without a device. Each has one place, which a
/// later result may take.
#[derive(Debug)]
pub(crate) struct SharedResults {
    kept: RefCell<Vec<Option<StructInfo>>>,
}

impl Default for SharedResults {
    fn default() -> Self {
        SharedResults { kept: RefCell::new(vec![None; KEPT]) }
    }
}

impl SharedResults {
    /// Structural information of a tensor: a kept one that is the same, or a new one.
    pub(crate) fn tensor(&self, dims: Vec<PrimExpr>, dtype: DataType) -> StructInfo {
        let Some(place) = place(&dims, dtype) else { return tensor(Dims::Known(dims), dtype, None) };
        let mut kept = self.kept.borrow_mut();
        let kept = &mut kept[place];
        match kept {
            Some(info) if is_tensor_of(info, &dims, dtype) => info.clone(),
            _ => kept.insert(tensor(Dims::Known(dims), dtype, None)).clone(),
        }
    }
}

/// The place of a tensor; `None` if a dimension is neither a variable nor a constant.
fn place(dims: &[PrimExpr], dtype: DataType) -> Option<usize> {
    let mut hasher = FxHasher::default();
    dtype.hash(&mut hasher);
    for dim in dims {
        match constant(dim) {
            Some(value) if dim.dtype == DataType::int(64) => value.hash(&mut hasher),
            None if dim.is::<ShapeVar>() => dim.as_object().view().address().hash(&mut hasher),
            _ => return None,
        }
    }
    // The upper bits depend on all inputs.
    usize::try_from(hasher.finish() >> (u64::BITS - KEPT.ilog2())).ok()
}

fn is_tensor_of(info: &StructInfo, dims: &[PrimExpr], dtype: DataType) -> bool {
    let kept = info.downcast_ref::<TensorStructInfo>().filter(|kept| kept.dtype == dtype);
    kept.and_then(|kept| written_values(kept))
        .is_some_and(|kept| kept.len() == dims.len() && kept.iter().zip(dims).all(|(kept, dim)| is_same_dim(kept, dim)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::dims::dim;

    #[test]
    fn equal_results_are_one_object() {
        let (results, float) = (SharedResults::default(), DataType::float(32));
        let [n, m] = ["n", "m"].map(ShapeVar::dim);
        let shapes: [Vec<PrimExpr>; 6] = [
            vec![],
            vec![dim(2)],
            vec![n.clone().into()],
            vec![m.clone().into()],
            vec![dim(2), n.clone().into()],
            vec![&n + 1],
        ];
        for (index, dims) in shapes.iter().enumerate() {
            let [a, b] = [0, 1].map(|_| results.tensor(dims.clone(), float));
            assert_eq!(a.ptr_eq(&b), index < 5, "{dims:?}");
            assert!(structural_equal(&a, &tensor(Dims::Known(dims.clone()), float, None)), "{dims:?}");
            assert!(!results.tensor(dims.clone(), DataType::int(8)).ptr_eq(&a));
        }
        // Many other results take the places of the first ones.
        for size in 0..10 * i64::try_from(KEPT).unwrap() {
            assert!(is_tensor_of(&results.tensor(vec![dim(size)], float), &[dim(size)], float));
        }
    }
}
