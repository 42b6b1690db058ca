//! [`erase_to_well_defined`]: structural information without the variables that are out of scope, and substitution.

use object_core::prelude::*;
use object_core::rewrite::substitute;
use object_ir::ir::{
    FuncStructInfo, FuncStructInfoNode, IntImm, ObjectStructInfo, PrimExpr, PrimStructInfo, RelaxExpr, ShapeExpr,
    ShapeStructInfo, StructInfo, TensorStructInfo, TensorStructInfoNode, TupleStructInfo, Var,
};
use object_ir::tir::{Var as ShapeVar, cast};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::mapping::binders;
use super::var_map::{Meaning, shape_vars};
use super::written::{MAX_PARTS, variables_of_sum};
use crate::addresses::ById;
use crate::arith::Analyzer;
use crate::recursion::Recursion;

/// The most structural information that one call computes. Only nested functions that share parts and bind variables
/// again and again reach it.
const MAX_STEPS: usize = 1 << 20;

/// Structural information in terms of visible variables: a variable is replaced by its value, and a shape or scalar with a
/// variable of unknown value becomes unknown. A changed dimension is simplified.
///
/// The parameters of a function bind the shape variables that are a whole dimension; these are visible in the function.
/// A bound variable gets a new name if the value of another variable contains it.
///
/// TVM 0.25 `EraseToWellDefined`, which does not enter functions; spec: `erase_to_well_defined`.
#[must_use]
pub fn erase_to_well_defined(info: &StructInfo, vars: &impl Meaning, analyzer: &Analyzer) -> StructInfo {
    if is_well_defined(info, vars) {
        return info.clone();
    }
    let eraser = Eraser { vars, analyzer, scopes: Vec::new() };
    if let Some(erased) = eraser.leaf(info, OUTSIDE) {
        return erased;
    }
    let root = Key { info: ById(info.clone()), scope: OUTSIDE };
    let erased = Recursion::run(MAX_STEPS, eraser, &root, Eraser::rule);
    erased.unwrap_or_else(|| ObjectStructInfo::any().into())
}

/// Whether all variables of structural information are their own values, for information without functions. `false` says
/// nothing.
fn is_well_defined(info: &StructInfo, vars: &impl Meaning) -> bool {
    let is_kept = |dim: &PrimExpr| match dim.downcast_ref::<ShapeVar>() {
        Some(var) => vars.keeps(var),
        None => dim.is::<IntImm>() || variables_of_sum(dim).is_some_and(|used| used.iter().all(|var| vars.keeps(var))),
    };
    let are_kept = |dims: &Array<PrimExpr>| dims.as_slice().iter().all(is_kept);
    let is_kept_shape =
        |shape: &RelaxExpr| shape.downcast_ref::<ShapeExpr>().is_some_and(|shape| are_kept(&shape.values));
    let mut open = Vec::new();
    let mut next = Some(info);
    for _ in 0..MAX_PARTS {
        let Some(info) = next else { return true };
        let is_kept = if let Some(tensor) = info.downcast_ref::<TensorStructInfo>() {
            tensor.shape.as_ref().is_none_or(is_kept_shape)
        } else if let Some(shape) = info.downcast_ref::<ShapeStructInfo>() {
            shape.values.as_ref().is_none_or(are_kept)
        } else if let Some(prim) = info.downcast_ref::<PrimStructInfo>() {
            prim.value.as_ref().is_none_or(is_kept)
        } else if let Some(tuple) = info.downcast_ref::<TupleStructInfo>() {
            open.extend(tuple.fields.as_slice());
            true
        } else {
            info.is::<ObjectStructInfo>()
        };
        if !is_kept {
            return false;
        }
        next = open.pop();
    }
    false
}

#[derive(PartialEq, Eq, Hash)]
struct Key {
    info: ById<StructInfo>,
    /// The innermost function around the structural information: its place in `scopes`, counted from 1, or [`OUTSIDE`].
    scope: usize,
}

/// The scope outside of all functions.
const OUTSIDE: usize = 0;

/// The variables that a function binds.
struct FunctionScope {
    outer: usize,
    /// The bound variables, with their new names.
    bound: FxHashMap<ById<ShapeVar>, ShapeVar>,
}

struct Eraser<'a, M> {
    vars: &'a M,
    analyzer: &'a Analyzer,
    scopes: Vec<FunctionScope>,
}

impl<M: Meaning> Eraser<'_, M> {
    /// The result for structural information that is not a tuple or a function.
    fn leaf(&self, info: &StructInfo, scope: usize) -> Option<StructInfo> {
        if let Some(tensor) = info.downcast_ref::<TensorStructInfo>() {
            let Some(shape) = &tensor.shape else { return Some(info.clone()) };
            return Some(match self.shape(shape, scope) {
                Some(kept) if kept.ptr_eq(shape) => info.clone(),
                Some(value) => with_shape(tensor, value),
                None => TensorStructInfo::ranked(tensor.ndim, tensor.dtype).on(tensor.vdevice.clone()).into(),
            });
        }
        if let Some(shape) = info.downcast_ref::<ShapeStructInfo>() {
            let Some(values) = &shape.values else { return Some(info.clone()) };
            return Some(match self.dims(values, scope) {
                Some(kept) if kept.ptr_eq(values) => info.clone(),
                Some(values) => ShapeStructInfo::of_values(values).into(),
                None => ShapeStructInfo::ranked(shape.ndim).into(),
            });
        }
        if let Some(prim) = info.downcast_ref::<PrimStructInfo>() {
            let Some(value) = &prim.value else { return Some(info.clone()) };
            return Some(match self.dim(value, scope) {
                Some(kept) if kept.ptr_eq(value) => info.clone(),
                value => PrimStructInfo::new(value, prim.dtype).into(),
            });
        }
        let has_parts = info.is::<TupleStructInfo>() || info.is::<FuncStructInfo>();
        (!has_parts).then(|| info.clone())
    }

    fn rule(known: &mut Recursion<Self, Key, StructInfo>, key: &Key) -> Option<StructInfo> {
        let Key { info: ById(info), scope } = key;
        let scope = *scope;
        if let Some(erased) = known.state.leaf(info, scope) {
            return Some(erased);
        }
        if let Some(tuple) = info.downcast_ref::<TupleStructInfo>() {
            let fields = known.all(tuple.fields.iter().map(|field| Key { info: ById(field), scope }))?;
            let is_same = fields.iter().zip(tuple.fields.as_slice()).all(|(new, old)| new.ptr_eq(old));
            return Some(if is_same { info.clone() } else { TupleStructInfo::of(fields).into() });
        }
        let Some(function) = info.downcast_ref::<FuncStructInfo>() else { return Some(info.clone()) };
        let scope = known.state.enter(scope, function);
        let params = function.params.as_ref().map_or(&[][..], Array::as_slice);
        let infos = params.iter().chain([&function.ret]);
        let mut erased = known.all(infos.clone().map(|info| Key { info: ById(info.clone()), scope }))?;
        if erased.iter().zip(infos).all(|(new, old)| new.ptr_eq(old)) {
            return Some(info.clone());
        }
        let mut function = function.clone();
        let node = function.make_mut();
        node.ret = erased.pop()?;
        node.params = node.params.as_ref().map(|_| erased.into());
        Some(function.into())
    }

    /// The scope of a function. Its parameters bind variables, all of them before any of them is used.
    fn enter(&mut self, outer: usize, function: &FuncStructInfoNode) -> usize {
        let bound = function.params.as_ref().map(binders).unwrap_or_default();
        if bound.is_empty() {
            return outer;
        }
        let bound = bound.into_iter().map(|var| {
            let name = if self.vars.is_in_values(var) { var.fresh() } else { var.clone() };
            (ById(var.clone()), name)
        });
        self.scopes.push(FunctionScope { outer, bound: bound.collect() });
        self.scopes.len()
    }

    fn shape(&self, shape: &RelaxExpr, scope: usize) -> Option<RelaxExpr> {
        if let Some(expr) = shape.downcast_ref::<ShapeExpr>() {
            let dims = self.dims(&expr.values, scope)?;
            return Some(if dims.ptr_eq(&expr.values) { shape.clone() } else { ShapeExpr::of_values(dims).into() });
        }
        let value = self.vars.var(shape.downcast_ref::<Var>()?)?;
        match value.downcast_ref::<Var>() {
            Some(var) if shape.downcast_ref::<Var>().is_some_and(|old| old.vid.ptr_eq(&var.vid)) => Some(shape.clone()),
            _ => Some(value),
        }
    }

    /// The same array if no dimension changes.
    fn dims(&self, dims: &Array<PrimExpr>, scope: usize) -> Option<Array<PrimExpr>> {
        let new = dims.as_slice().iter().map(|dim| self.dim(dim, scope)).collect::<Option<SmallVec<[_; 8]>>>()?;
        let is_same = new.iter().zip(dims.as_slice()).all(|(new, old)| new.ptr_eq(old));
        Some(if is_same { dims.clone() } else { Array::of_exact(new.into_iter()) })
    }

    fn dim(&self, dim: &PrimExpr, scope: usize) -> Option<PrimExpr> {
        if dim.is::<IntImm>() {
            return Some(dim.clone());
        }
        if let Some(var) = dim.downcast_ref::<ShapeVar>() {
            let value = self.value(var, scope)?;
            return Some(if value.is::<ShapeVar>() { value } else { self.analyzer.simplify(&value) });
        }
        let vars = shape_vars(dim).into_iter().map(|var| Some((self.value(&var, scope)?, var)));
        let mut values = vars.collect::<Option<Vec<_>>>()?;
        values.retain(|(value, var)| !value.ptr_eq(var));
        if values.is_empty() {
            return Some(dim.clone());
        }
        let changed = substitute(dim.clone(), values.into_iter().map(|(value, var)| (var, value))).ok()?;
        Some(self.analyzer.simplify(&changed))
    }

    /// The value of a variable, with the type of the variable.
    fn value(&self, var: &ShapeVar, scope: usize) -> Option<PrimExpr> {
        let mut inner = scope;
        while inner != OUTSIDE {
            let scope = &self.scopes[inner - 1];
            if let Some(name) = scope.bound.get(var.as_object()) {
                return Some(name.into());
            }
            inner = scope.outer;
        }
        cast(var.dtype, self.vars.shape_var(var)?).ok()
    }
}

/// The tensor with another shape: a shape expression, or a variable of a shape.
fn with_shape(tensor: &TensorStructInfoNode, shape: RelaxExpr) -> StructInfo {
    match TensorStructInfo::of_shape(shape, tensor.dtype) {
        Ok(info) => info.on(tensor.vdevice.clone()).into(),
        // A value of another kind says nothing about the dimensions.
        Err(_) => TensorStructInfo::ranked(tensor.ndim, tensor.dtype).on(tensor.vdevice.clone()).into(),
    }
}
