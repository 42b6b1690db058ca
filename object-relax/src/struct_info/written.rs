//! Facts about expressions and structural information that follow from how they are written, without the general walks.

use object_core::prelude::*;
use object_ir::ir::{FuncStructInfo, IntImm, PrimExpr, ShapeExpr, StructInfo, TensorStructInfo, TupleStructInfo};
use object_ir::tir::Var as ShapeVar;

use crate::arith::form::{are_same, operands};

/// The most parts of structural information that a short cut looks at.
pub(super) const MAX_PARTS: usize = 1 << 14;

/// Whether two structural informations are written in the same way with the same variables, so that they are equal. The
/// answer `false` says nothing.
pub(crate) fn is_same_text(a: &StructInfo, b: &StructInfo) -> bool {
    let (mut open, mut next) = (Vec::new(), Some((a, b)));
    for _ in 0..MAX_PARTS {
        let Some((a, b)) = next else { return true };
        if a.ptr_eq(b) {
            next = open.pop();
            continue;
        }
        if let (Some(a), Some(b)) = (a.downcast_ref::<TensorStructInfo>(), b.downcast_ref::<TensorStructInfo>()) {
            if a.dtype != b.dtype || a.ndim != b.ndim || a.vdevice.is_some() || b.vdevice.is_some() {
                return false;
            }
            let shapes = (a.shape.as_ref(), b.shape.as_ref());
            let is_same = match shapes {
                (None, None) => true,
                (Some(a), Some(b)) => a.ptr_eq(b) || are_same_dims(a.downcast_ref(), b.downcast_ref()),
                _ => false,
            };
            if !is_same {
                return false;
            }
        } else if let (Some(a), Some(b)) = (a.downcast_ref::<TupleStructInfo>(), b.downcast_ref::<TupleStructInfo>()) {
            if a.fields.len() != b.fields.len() {
                return false;
            }
            open.extend(a.fields.as_slice().iter().zip(b.fields.as_slice()));
        } else if let (Some(a), Some(b)) = (a.downcast_ref::<FuncStructInfo>(), b.downcast_ref::<FuncStructInfo>()) {
            let (Some(params), Some(others)) = (&a.params, &b.params) else { return false };
            if params.len() != others.len()
                || a.purity != b.purity
                || a.derive_func.is_some()
                || b.derive_func.is_some()
            {
                return false;
            }
            open.push((&a.ret, &b.ret));
            open.extend(params.as_slice().iter().zip(others.as_slice()));
        } else {
            return false;
        }
        next = open.pop();
    }
    false
}

fn are_same_dims(a: Option<&ShapeExpr>, b: Option<&ShapeExpr>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    let (a, b) = (a.values.as_slice(), b.values.as_slice());
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_dim(a, b))
}

/// Whether two dimensions are the same object, or written in the same way.
pub(crate) fn is_same_dim(a: &PrimExpr, b: &PrimExpr) -> bool {
    if a.ptr_eq(b) {
        return true;
    }
    // Most dimensions are constants.
    match a.downcast_ref::<IntImm>() {
        Some(a) => b.downcast_ref::<IntImm>().is_some_and(|b| a.value == b.value && a.dtype == b.dtype),
        None => !a.is::<ShapeVar>() && are_same(a, b),
    }
}

/// Whether two dimensions are structurally equal.
pub(crate) fn is_equal_dim(a: &PrimExpr, b: &PrimExpr) -> bool {
    let is_leaf = |dim: &PrimExpr| dim.is::<IntImm>() || dim.is::<ShapeVar>();
    is_same_dim(a, b) || !(is_leaf(a) && is_leaf(b)) && structural_equal(a, b)
}

/// The variables of a sum, product or similar operation, in order; `None` if it contains other operations, or many of them.
pub(super) fn variables_of_sum(expr: &PrimExpr) -> Option<Vec<ShapeVar>> {
    let (mut vars, mut open) = (Vec::new(), vec![expr]);
    for _ in 0..32 {
        let Some(expr) = open.pop() else { return Some(vars) };
        if let Some(var) = expr.downcast_ref::<ShapeVar>() {
            if !vars.iter().any(|known: &ShapeVar| known.ptr_eq(var)) {
                vars.push(var.clone());
            }
        } else if !expr.is::<IntImm>() {
            let [a, b] = operands(expr)?;
            open.extend([b, a]);
        }
    }
    None
}
