//! [`fits_obviously`] and [`is_obviously_equal`]: structural information that agrees without a proof, as almost all does.

use object_core::ObjectHandle;

use crate::analysis::walk::view;
use crate::arith::form::are_same_up_to;
use crate::ir::{
    CallNode, FuncStructInfoNode, PrimExpr, PrimStructInfoNode, ShapeExprNode, ShapeStructInfoNode, StructInfo,
    TensorStructInfoNode, TupleNode, TupleStructInfoNode,
};
use crate::struct_info::written::is_same_dim;
use crate::tir;

/// The dimensions that the arguments give to the shape variables of a loop program. There are few of them.
#[derive(Default)]
struct Values<'a> {
    bound: Vec<(&'a tir::Var, &'a PrimExpr)>,
}

/// Whether two tensors have the same data type, no device, and dimensions that are the same one by one. `false` says
/// nothing.
pub(super) fn is_obviously_equal(a: &StructInfo, b: &StructInfo) -> bool {
    if a.ptr_eq(b) {
        return true;
    }
    let (Some(a), Some(b)) = (view(a).node::<TensorStructInfoNode>(), view(b).node::<TensorStructInfoNode>()) else {
        return false;
    };
    let (Some(dims), Some(others)) = (dims_of(a), dims_of(b)) else { return false };
    let is_plain = a.vdevice.is_none() && b.vdevice.is_none() && a.ndim == b.ndim;
    is_plain
        && a.dtype == b.dtype
        && dims.len() == others.len()
        && dims.iter().zip(others).all(|(dim, other)| is_same_dim(dim, other))
}

impl<'a> Values<'a> {
    /// Whether the dimension of a parameter is `given` for some values of its variables. A variable without a value gets the
    /// expression in its place if it `binds`, and has any value otherwise.
    fn fits(&mut self, dim: &'a PrimExpr, given: &'a PrimExpr, binds: bool) -> bool {
        are_same_up_to(dim, given, |var, given| {
            let known = self.bound.iter().find(|(bound, _)| bound.ptr_eq(var));
            if let Some((_, value)) = known {
                return is_same_dim(value, given);
            }
            if binds {
                self.bound.push((var, given));
            }
            true
        })
    }

    /// Whether an argument or a result fits its parameter.
    fn accepts(&mut self, param: &'a StructInfo, given: &'a StructInfo, binds: bool) -> bool {
        if let (Some(param), Some(given)) =
            (view(param).node::<TensorStructInfoNode>(), view(given).node::<TensorStructInfoNode>())
        {
            let (Some(dims), Some(values)) = (dims_of(param), dims_of(given)) else { return false };
            return param.vdevice.is_none()
                && param.dtype == given.dtype
                && dims.len() == values.len()
                && dims.iter().zip(values).all(|(dim, value)| self.fits(dim, value, binds));
        }
        false
    }
}

fn dims_of(info: &TensorStructInfoNode) -> Option<&[PrimExpr]> {
    Some(view(info.shape.as_ref()?).node::<ShapeExprNode>()?.values.as_slice())
}

/// Whether the arguments and the explicit result of a call fit the signature of the callee by comparison of the
/// dimensions one by one. `false` says nothing.
pub(super) fn fits_obviously(call: &CallNode) -> bool {
    fits(call).unwrap_or(false)
}

fn fits(call: &CallNode) -> Option<bool> {
    let args = call.args.as_slice();
    let callee = args.first()?.struct_info.as_ref()?;
    let params = view(callee).node::<FuncStructInfoNode>()?.params.as_ref()?.as_slice();
    let inputs = view(args.get(1)?).node::<TupleNode>()?.fields.as_slice();
    let scalars = match args.get(2) {
        Some(dims) => view(dims.struct_info.as_ref()?).node::<ShapeStructInfoNode>()?.values.as_ref()?.as_slice(),
        None => &[],
    };
    let outputs = params.len().checked_sub(inputs.len() + scalars.len())?;
    if call.attrs.is_some() {
        return None;
    }
    let mut values = Values::default();
    for (param, input) in params.iter().zip(inputs) {
        if !values.accepts(param, input.struct_info.as_ref()?, true) {
            return None;
        }
    }
    for (param, scalar) in params[inputs.len() + outputs..].iter().zip(scalars) {
        let param = view(param).node::<PrimStructInfoNode>()?;
        let is_bound = param.value.as_ref().is_none_or(|value| values.fits(value, scalar, true));
        if param.dtype != scalar.dtype || !is_bound {
            return None;
        }
    }
    let result = call.sinfo_args.as_slice().first()?;
    let results = match view(result).node::<TupleStructInfoNode>() {
        Some(tuple) if outputs != 1 => tuple.fields.as_slice(),
        _ => std::slice::from_ref(result),
    };
    let params = &params[inputs.len()..inputs.len() + outputs];
    Some(params.len() == results.len() && params.iter().zip(results).all(|(a, b)| values.accepts(a, b, false)))
}
