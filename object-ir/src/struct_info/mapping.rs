//! [`get_shape_var_mapping`]: the values of shape variables, from structural information of parameters and arguments.

use object_core::prelude::*;
use rustc_hash::FxHashSet;

use crate::ir::expr::{PrimExpr, RelaxExpr, StructInfo};
use crate::ir::shape::ShapeExpr;
use crate::ir::struct_info::{
    FuncStructInfo, PrimStructInfo, ShapeStructInfo, TensorStructInfo, TensorStructInfoNode, TupleStructInfo,
};
use crate::ir::var::Var;
use crate::recursive_rule::ById;
use crate::tir::expr::Var as ShapeVar;

/// The values of shape variables, in the order in which they are bound.
pub type ShapeVarMapping = Vec<(ShapeVar, PrimExpr)>;

/// The values that an argument gives to the shape variables of a parameter: a variable that is a whole dimension gets the
/// dimension of the argument. The first value of a variable counts. Parts that do not fit give no values.
///
/// Parameters of a parameter that is a function get values from the parameters of the argument.
///
/// Spec: `get_shape_var_mapping`, with the values of scalars as in TVM.
#[must_use]
pub fn get_shape_var_mapping(param: &StructInfo, arg: &StructInfo) -> ShapeVarMapping {
    mapping_of([(param.clone(), arg.clone())], true).shape_vars
}

/// The values of the variables of parameters.
#[derive(Default)]
pub(crate) struct Mapping {
    pub(crate) shape_vars: ShapeVarMapping,
    pub(crate) vars: Vec<(Var, RelaxExpr)>,
}

/// The values from pairs of a parameter and its argument.
pub(crate) fn mapping_of(
    pairs: impl IntoIterator<Item = (StructInfo, StructInfo), IntoIter: DoubleEndedIterator>,
    enters_functions: bool,
) -> Mapping {
    let mut mapping = Mapping::default();
    let mut bound: FxHashSet<ById<ShapeVar>> = FxHashSet::default();
    let mut bound_vars = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut pending: Vec<_> = pairs.into_iter().rev().collect();
    let push_all = |pending: &mut Vec<(StructInfo, StructInfo)>, a: &Array<StructInfo>, b: &Array<StructInfo>| {
        if a.len() == b.len() {
            pending.extend(a.iter().zip(b.iter()).rev());
        }
    };
    while let Some((param, arg)) = pending.pop() {
        let mut bind_all = |params: &[PrimExpr], args: &[PrimExpr]| {
            if params.len() != args.len() {
                return;
            }
            for (param, arg) in params.iter().zip(args) {
                if let Some(var) = param.downcast_ref::<ShapeVar>()
                    && bound.insert(ById(var.clone()))
                {
                    mapping.shape_vars.push((var.clone(), arg.clone()));
                }
            }
        };
        if let (Some(param), Some(arg)) =
            (param.downcast_ref::<TensorStructInfo>(), arg.downcast_ref::<TensorStructInfo>())
        {
            if let (Some(params), Some(args)) = (dims(param), dims(arg)) {
                bind_all(params, args);
            } else if let (Some(shape), Some(value)) = (&param.shape, &arg.shape)
                && let Some(var) = shape.downcast_ref::<Var>()
                && bound_vars.insert(ById(var.vid.clone()))
            {
                mapping.vars.push((var.clone(), value.clone()));
            }
        } else if let (Some(param), Some(arg)) =
            (param.downcast_ref::<ShapeStructInfo>(), arg.downcast_ref::<ShapeStructInfo>())
        {
            if let (Some(params), Some(args)) = (&param.values, &arg.values) {
                bind_all(params, args);
            }
        } else if let (Some(param), Some(arg)) =
            (param.downcast_ref::<PrimStructInfo>(), arg.downcast_ref::<PrimStructInfo>())
        {
            if let (Some(param), Some(arg)) = (&param.value, &arg.value) {
                bind_all(std::slice::from_ref(param), std::slice::from_ref(arg));
            }
        } else if !seen.insert((ById(param.clone()), ById(arg.clone()))) {
            // The pair has given its values.
        } else if let (Some(param), Some(arg)) =
            (param.downcast_ref::<TupleStructInfo>(), arg.downcast_ref::<TupleStructInfo>())
        {
            push_all(&mut pending, &param.fields, &arg.fields);
        } else if let (Some(param), Some(arg)) =
            (param.downcast_ref::<FuncStructInfo>(), arg.downcast_ref::<FuncStructInfo>())
            && enters_functions
            && let (Some(params), Some(args)) = (&param.params, &arg.params)
        {
            push_all(&mut pending, params, args);
        }
    }
    mapping
}

/// The dimensions in the shape of a tensor, if it is a shape expression.
pub(crate) fn dims(tensor: &TensorStructInfoNode) -> Option<&Array<PrimExpr>> {
    Some(&tensor.shape.as_ref()?.downcast_ref::<ShapeExpr>()?.values)
}

/// The shape variables that parameters bind, in order: the variables that are a whole dimension or scalar. The parameters
/// of a parameter bind variables for that parameter only.
pub(crate) fn binders<'i>(params: impl IntoIterator<Item = &'i StructInfo>) -> Vec<ShapeVar> {
    let mut bound: FxHashSet<ById<ShapeVar>> = FxHashSet::default();
    let mut order = Vec::new();
    for_each_binder(params, |var| {
        if !bound.contains(var.as_object()) {
            bound.insert(ById(var.clone()));
            order.push(var.clone());
        }
    });
    order
}

/// Calls `visit` for each shape variable that parameters bind, in the order of [`binders`], at each place that binds it.
pub(crate) fn for_each_binder<'i>(
    params: impl IntoIterator<Item = &'i StructInfo>,
    mut visit: impl FnMut(&'i ShapeVar),
) {
    for_each_dim(params, |dim| {
        if let Some(var) = dim.downcast_ref::<ShapeVar>() {
            visit(var);
        }
    });
}

/// Calls `visit` for each dimension and scalar in structural information, but not for the ones in functions.
pub(crate) fn for_each_dim<'i>(infos: impl IntoIterator<Item = &'i StructInfo>, mut visit: impl FnMut(&'i PrimExpr)) {
    let mut seen = FxHashSet::default();
    let mut pending: Vec<&StructInfo> = Vec::new();
    for info in infos {
        let mut next = Some(info);
        while let Some(info) = next {
            if let Some(tensor) = info.downcast_ref::<TensorStructInfo>() {
                dims(tensor).into_iter().flat_map(|dims| dims.as_slice()).for_each(&mut visit);
            } else if let Some(shape) = info.downcast_ref::<ShapeStructInfo>() {
                shape.values.iter().flat_map(|dims| dims.as_slice()).for_each(&mut visit);
            } else if let Some(prim) = info.downcast_ref::<PrimStructInfo>() {
                prim.value.iter().for_each(&mut visit);
            } else if let Some(tuple) = info.downcast_ref::<TupleStructInfo>()
                && seen.insert(ById(info.clone()))
            {
                pending.extend(tuple.fields.as_slice().iter().rev());
            }
            next = pending.pop();
        }
    }
}
