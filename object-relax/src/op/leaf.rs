//! The structural information of arguments: the stored one, and the one that the form of a leaf determines.

use object_core::prelude::*;
use object_ir::ir::{
    Constant, DataTypeImm, PrimStructInfo, PrimValue, RelaxExpr, ShapeExpr, StringImm, StructInfo, Tuple,
};

use super::dims::{Dims, dim, object, shape_info, tensor, tuple};

/// The levels of nested tuples without structural information that inference enters.
const DEPTH: usize = 64;

/// The structural information of `expr`: the stored one, or the one of a constant, a shape or a tuple of such values.
#[must_use]
pub fn struct_info_of(expr: &RelaxExpr) -> Option<StructInfo> {
    of(expr, DEPTH)
}

fn of(expr: &RelaxExpr, depth: usize) -> Option<StructInfo> {
    if let Some(info) = &expr.struct_info {
        return Some(info.clone());
    }
    if let Some(shape) = expr.downcast_ref::<ShapeExpr>() {
        return Some(shape_info(&Dims::Known(shape.values.to_vec())));
    }
    if let Some(prim) = expr.downcast_ref::<PrimValue>() {
        return Some(PrimStructInfo::new(Some(prim.value.clone()), prim.value.dtype).into());
    }
    if expr.is::<StringImm>() || expr.is::<DataTypeImm>() {
        return Some(object());
    }
    if let Some(constant) = expr.downcast_ref::<Constant>() {
        let dims = constant.data.shape.iter().map(|extent| dim(*extent)).collect();
        return Some(tensor(Dims::Known(dims), constant.data.dtype, None));
    }
    let fields = &expr.downcast_ref::<Tuple>()?.fields;
    let depth = depth.checked_sub(1)?;
    let infos = fields.iter().map(|field| of(&field, depth));
    Some(tuple(infos.collect::<Option<Vec<_>>>()?))
}
