//! [`get_shape_var_mapping`]: the values of shape variables, from structural information of parameters and arguments.

use object_core::prelude::*;
use object_ir::ir::{
    FuncStructInfo, PrimExpr, PrimStructInfo, RelaxExpr, ShapeExpr, ShapeStructInfo, StructInfo, TensorStructInfo,
    TensorStructInfoNode, TupleStructInfo, Var,
};
use object_ir::tir::Var as ShapeVar;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::addresses::{NumberedAddresses, address};

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
    shape_var_values([(param, arg)], true).into_iter().map(|(var, value)| (var.clone(), value.clone())).collect()
}

/// The values of the shape variables of parameters, from pairs of a parameter and its argument, in the order in which they
/// are bound. The first value of a variable counts.
pub(crate) fn shape_var_values<'i>(
    pairs: impl IntoIterator<Item = (&'i StructInfo, &'i StructInfo), IntoIter: DoubleEndedIterator>,
    enters_functions: bool,
) -> Vec<(&'i ShapeVar, &'i PrimExpr)> {
    let mut bound = NumberedAddresses::default();
    let mut values = Vec::new();
    for_each_value(pairs, enters_functions, |given| {
        if let GivenValue::OfShapeVar(var, value) = given
            && bound.insert(address(var))
        {
            values.push((var, value));
        }
    });
    values
}

/// A value that an argument gives to a variable of a parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GivenValue<'i> {
    OfShapeVar(&'i ShapeVar, &'i PrimExpr),
    /// The shape of a tensor, for a variable of Relax.
    OfVar(&'i Var, &'i RelaxExpr),
}

/// Calls `visit` for each value that the argument of a pair gives to a variable of its parameter, also for further values
/// of the same variable.
pub(crate) fn for_each_value<'i>(
    pairs: impl IntoIterator<Item = (&'i StructInfo, &'i StructInfo), IntoIter: DoubleEndedIterator>,
    enters_functions: bool,
    mut visit: impl FnMut(GivenValue<'i>),
) {
    let mut seen = FxHashSet::default();
    let mut pending: SmallVec<[_; 8]> = pairs.into_iter().rev().collect();
    let bind_all = |params: &'i [PrimExpr], args: &'i [PrimExpr], visit: &mut dyn FnMut(GivenValue<'i>)| {
        if params.len() == args.len() {
            for (param, arg) in params.iter().zip(args) {
                if let Some(var) = param.downcast_ref::<ShapeVar>() {
                    visit(GivenValue::OfShapeVar(var, arg));
                }
            }
        }
    };
    while let Some((param, arg)) = pending.pop() {
        if let (Some(param), Some(arg)) =
            (param.downcast_ref::<TensorStructInfo>(), arg.downcast_ref::<TensorStructInfo>())
        {
            if let (Some(params), Some(args)) = (dims(param), dims(arg)) {
                bind_all(params, args, &mut visit);
            } else if let (Some(shape), Some(value)) = (&param.shape, &arg.shape)
                && let Some(var) = shape.downcast_ref::<Var>()
            {
                visit(GivenValue::OfVar(var, value));
            }
        } else if let (Some(param), Some(arg)) =
            (param.downcast_ref::<ShapeStructInfo>(), arg.downcast_ref::<ShapeStructInfo>())
        {
            if let (Some(params), Some(args)) = (&param.values, &arg.values) {
                bind_all(params, args, &mut visit);
            }
        } else if let (Some(param), Some(arg)) =
            (param.downcast_ref::<PrimStructInfo>(), arg.downcast_ref::<PrimStructInfo>())
        {
            if let (Some(param), Some(arg)) = (&param.value, &arg.value) {
                bind_all(std::slice::from_ref(param), std::slice::from_ref(arg), &mut visit);
            }
        } else if let Some((params, args)) = parts(param, arg, enters_functions)
            && params.len() == args.len()
            && seen.insert((address(param), address(arg)))
        {
            pending.extend(params.as_slice().iter().zip(args.as_slice()).rev());
        }
    }
}

/// The parts of a parameter and of its argument that are pairs of a parameter and an argument too.
fn parts<'i>(
    param: &'i StructInfo,
    arg: &'i StructInfo,
    enters_functions: bool,
) -> Option<(&'i Array<StructInfo>, &'i Array<StructInfo>)> {
    if let Some(param) = param.downcast_ref::<TupleStructInfo>() {
        return Some((&param.fields, &arg.downcast_ref::<TupleStructInfo>()?.fields));
    }
    let (param, arg) = (param.downcast_ref::<FuncStructInfo>()?, arg.downcast_ref::<FuncStructInfo>()?);
    Some((param.params.as_ref()?, arg.params.as_ref()?)).filter(|_| enters_functions)
}

/// The dimensions in the shape of a tensor, if it is a shape expression.
pub(crate) fn dims(tensor: &TensorStructInfoNode) -> Option<&Array<PrimExpr>> {
    Some(&tensor.shape.as_ref()?.downcast_ref::<ShapeExpr>()?.values)
}

/// The shape variables that parameters bind, in order: the variables that are a whole dimension or scalar. The parameters
/// of a parameter bind variables for that parameter only.
pub fn binders<'i>(params: impl IntoIterator<Item = &'i StructInfo>) -> Vec<&'i ShapeVar> {
    let mut bound = NumberedAddresses::default();
    let mut order = Vec::new();
    for_each_binder(params, |var| {
        if bound.insert(address(var)) {
            order.push(var);
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
                && seen.insert(address(info))
            {
                pending.extend(tuple.fields.as_slice().iter().rev());
            }
            next = pending.pop();
        }
    }
}
