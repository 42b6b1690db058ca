//! Facts about expressions and structural information that follow from how they are written, without the general walks.

use object_core::prelude::*;

use crate::ir::expr::{IntImm, PrimExpr, StructInfo};
use crate::ir::shape::ShapeExpr;
use crate::ir::struct_info::{FuncStructInfo, TensorStructInfo, TupleStructInfo};
use crate::tir::arith::{Add, FloorDiv, Mul, Sub};
use crate::tir::expr::Var as ShapeVar;

/// The most parts that [`is_same_text`] looks at.
const MAX_PARTS: usize = 1 << 14;

/// Whether two structural informations are written in the same way with the same variables, so that they are equal. The
/// answer `false` says nothing.
pub(crate) fn is_same_text(a: &StructInfo, b: &StructInfo) -> bool {
    if a.ptr_eq(b) {
        return true;
    }
    let mut open = vec![(a, b)];
    for _ in 0..MAX_PARTS {
        let Some((a, b)) = open.pop() else { return true };
        if a.ptr_eq(b) {
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
    }
    false
}

fn are_same_dims(a: Option<&ShapeExpr>, b: Option<&ShapeExpr>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    let (a, b) = (a.values.as_slice(), b.values.as_slice());
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_dim(a, b))
}

/// Whether two dimensions are the same object or the same constant.
pub(crate) fn is_same_dim(a: &PrimExpr, b: &PrimExpr) -> bool {
    let constant = |dim: &PrimExpr| dim.downcast_ref::<IntImm>().map(|int| (int.value, int.dtype));
    a.ptr_eq(b) || constant(a).is_some_and(|a| constant(b) == Some(a))
}

/// The variables of a sum, product or quotient, in order; `None` if it contains other operations, or many of them.
pub(super) fn variables_of_sum(expr: &PrimExpr) -> Option<Vec<ShapeVar>> {
    let (mut vars, mut open) = (Vec::new(), vec![expr]);
    for _ in 0..32 {
        let Some(expr) = open.pop() else { return Some(vars) };
        let [a, b] = if let Some(var) = expr.downcast_ref::<ShapeVar>() {
            if !vars.iter().any(|known: &ShapeVar| known.ptr_eq(var)) {
                vars.push(var.clone());
            }
            continue;
        } else if expr.is::<IntImm>() {
            continue;
        } else if let Some(it) = expr.downcast_ref::<Add>() {
            [&it.a, &it.b]
        } else if let Some(it) = expr.downcast_ref::<Mul>() {
            [&it.a, &it.b]
        } else if let Some(it) = expr.downcast_ref::<Sub>() {
            [&it.a, &it.b]
        } else if let Some(it) = expr.downcast_ref::<FloorDiv>() {
            [&it.a, &it.b]
        } else {
            return None;
        };
        open.extend([b, a]);
    }
    None
}
