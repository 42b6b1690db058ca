//! Structural information that agrees without a proof, as almost all does: [`fits_obviously`], [`is_obviously_equal`] and
//! [`is_equal_somewhere`].

use object_core::ObjectHandle;
use object_ir::ir::{
    CallNode, FuncStructInfoNode, PrimExpr, PrimStructInfoNode, ShapeExprNode, ShapeStructInfoNode, StructInfo,
    TensorStructInfoNode, TupleNode, TupleStructInfoNode,
};
use object_ir::tir;

use crate::analysis::walk::view;
use crate::arith::form::are_same_up_to;
use crate::struct_info::written::is_same_dim;
use crate::well_formed::rules::sample::sample;

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

/// The most parts of structural information and operations that [`is_equal_somewhere`] looks at.
const MOST_PARTS: usize = 4096;

/// Whether two structural informations differ in dimensions only, which are equal for one value of their shape variables,
/// so that a proof cannot find them unequal. `false` says nothing.
pub(super) fn is_equal_somewhere(a: &StructInfo, b: &StructInfo) -> bool {
    let (mut left, mut open) = (MOST_PARTS, vec![(a, b)]);
    while let Some((a, b)) = open.pop() {
        if a.ptr_eq(b) {
            continue;
        }
        if let (Some(a), Some(b)) = (view(a).node::<TupleStructInfoNode>(), view(b).node::<TupleStructInfoNode>()) {
            let (a, b) = (a.fields.as_slice(), b.fields.as_slice());
            if a.len() != b.len() || a.len() > left {
                return false;
            }
            left -= a.len();
            open.extend(a.iter().zip(b));
            continue;
        }
        let (Some(a), Some(b)) = (view(a).node::<TensorStructInfoNode>(), view(b).node::<TensorStructInfoNode>())
        else {
            return false;
        };
        let mut is_same =
            |a, b| is_same_dim(a, b) || sample(a, &mut left).is_some_and(|it| sample(b, &mut left) == Some(it));
        let are_same = match (dims_of(a), dims_of(b)) {
            (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b)),
            _ => false,
        };
        if !are_same || a.dtype != b.dtype || a.ndim != b.ndim || a.vdevice.is_some() || b.vdevice.is_some() {
            return false;
        }
    }
    true
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

#[cfg(test)]
mod tests {
    use object_ir::tir::{Var, floor_div, floor_mod, less, max, min, select};

    use super::*;
    use crate::arith::Analyzer;
    use crate::struct_info::{BaseCheck, base_check};

    /// Where the sample finds equal dimensions, the proof does not find them unequal.
    #[test]
    fn dimensions_that_are_equal_somewhere_are_not_unequal() {
        let (n, m) = (Var::dim("n"), Var::dim("m"));
        let cases: [(PrimExpr, PrimExpr, bool); 10] = [
            (&n + 1, &n + 1, true),
            (&n + 1, &m + 1, true),
            (&n * 2, &n + &m, true),
            (&n + 1, &n + 2, false),
            (&n + 0, &m - 1, false),
            (floor_div(&n * 6, 4).unwrap(), floor_div(&n * 3, 2).unwrap(), true),
            (floor_mod(&n, 11).unwrap(), &n - &m + 2, true),
            (max(&n, 3).unwrap(), min(&n, &m).unwrap(), true),
            (select(&less(&n, 1).unwrap(), 0, &n).unwrap(), &n + 0, true),
            (select(&less(&n, 1).unwrap(), &n + 0, 7).unwrap(), &n + 0, false),
        ];
        let tensor = |dim: &PrimExpr| -> StructInfo {
            object_ir::ir::TensorStructInfo::of([dim], "float32").expect("a tensor").into()
        };
        for (a, b, expected) in &cases {
            let (a, b) = (tensor(a), tensor(b));
            assert_eq!(is_equal_somewhere(&a, &b), *expected, "{a}, {b}");
            let level = base_check(&a, &b, &Analyzer::for_shapes());
            assert!(!expected || level != BaseCheck::FailL0, "{a}, {b}");
        }
    }

    #[test]
    fn other_structural_information_is_left_to_the_proof() {
        let tensor = |dtype| StructInfo::from(object_ir::ir::TensorStructInfo::of([2], dtype).expect("a tensor"));
        let tuple = |fields: Vec<StructInfo>| StructInfo::from(object_ir::ir::TupleStructInfo::of(fields));
        let (float, int) = (tensor("float32"), tensor("int32"));
        assert!(!is_equal_somewhere(&float, &int));
        assert!(is_equal_somewhere(
            &tuple(vec![float.clone(), int.clone()]),
            &tuple(vec![tensor("float32"), int.clone()])
        ));
        assert!(!is_equal_somewhere(
            &tuple(vec![float.clone(), int.clone()]),
            &tuple(vec![int.clone(), float.clone()])
        ));
        assert!(!is_equal_somewhere(&tuple(vec![float.clone()]), &tuple(vec![float.clone(), int])));
        let deep = |leaf: &StructInfo| (0..100_000).fold(leaf.clone(), |inner, _| tuple(vec![inner]));
        assert!(!is_equal_somewhere(&deep(&float), &deep(&tensor("float32"))), "the work is bounded");
    }
}
