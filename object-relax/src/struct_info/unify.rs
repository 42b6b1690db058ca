//! [`unify`]: the least structural information that covers two others (spec: Unification).

use object_core::prelude::*;
use object_ir::ir::{
    FuncStructInfo, ObjectStructInfo, PrimStructInfo, ShapeStructInfo, StructInfo, TensorStructInfo, TupleStructInfo,
};
use object_ir::tir::Var as ShapeVar;
use rustc_hash::FxHashSet;

use super::compatibility::{hidden_vars, is_at_least_as_specific, shapes_equal};
use super::mapping::{binders, shape_var_values};
use super::var_map::VarMap;
use super::well_defined::erase_to_well_defined;
use crate::addresses::{ById, address};
use crate::arith::Analyzer;
use crate::recursion::Recursion;

/// The most pairs that one call unites.
const MAX_STEPS: usize = 1 << 20;

/// Structural information that both `a` and `b` are [at least as specific as](is_at_least_as_specific). It is the most
/// specific one, except for functions: functions of different parameters have only any object in common.
///
/// TVM 0.25 `struct_info_lca`; spec: `unify_struct_info`.
///
/// ```
/// use object_core::structural_equal;
/// use object_relax::arith::Analyzer;
/// use object_ir::ir::TensorStructInfo;
/// use object_relax::struct_info::unify;
///
/// let (a, b) = (TensorStructInfo::of([2, 3], "float32")?, TensorStructInfo::of([2, 4], "float32")?);
/// let both = unify(&a.into(), &b.into(), &Analyzer::for_shapes());
/// assert!(structural_equal(&both, &TensorStructInfo::of_rank(2, "float32")?));
/// # Ok::<(), object_core::Error>(())
/// ```
#[must_use]
pub fn unify(a: &StructInfo, b: &StructInfo, analyzer: &Analyzer) -> StructInfo {
    let root = (ById(a.clone()), ById(b.clone()));
    let united = Recursion::run(MAX_STEPS, Unifier { analyzer }, &root, Unifier::rule);
    united.unwrap_or_else(|| ObjectStructInfo::any().into())
}

type Key = (ById<StructInfo>, ById<StructInfo>);

struct Unifier<'a> {
    analyzer: &'a Analyzer,
}

impl Unifier<'_> {
    fn rule(known: &mut Recursion<Self, Key, StructInfo>, (ById(a), ById(b)): &Key) -> Option<StructInfo> {
        let analyzer = known.state.analyzer;
        if a.ptr_eq(b) {
            return Some(a.clone());
        }
        if let (Some(x), Some(y)) = (a.downcast_ref::<TensorStructInfo>(), b.downcast_ref::<TensorStructInfo>()) {
            return Some(known.state.tensors(x, y).into());
        }
        if let (Some(x), Some(y)) = (a.downcast_ref::<ShapeStructInfo>(), b.downcast_ref::<ShapeStructInfo>()) {
            return Some(match (&x.values, &y.values) {
                (Some(values), Some(others)) if analyzer.prove_shape_equal(values, others).is_true() => a.clone(),
                _ => ShapeStructInfo::ranked(same(x.ndim, y.ndim, -1)).into(),
            });
        }
        if let (Some(x), Some(y)) = (a.downcast_ref::<PrimStructInfo>(), b.downcast_ref::<PrimStructInfo>())
            && x.dtype == y.dtype
        {
            return Some(match (&x.value, &y.value) {
                (Some(value), Some(other)) if analyzer.prove_equal(value, other).is_true() => a.clone(),
                _ => PrimStructInfo::new(None, x.dtype).into(),
            });
        }
        if let (Some(x), Some(y)) = (a.downcast_ref::<TupleStructInfo>(), b.downcast_ref::<TupleStructInfo>())
            && x.fields.len() == y.fields.len()
        {
            let fields = known.all(x.fields.iter().zip(y.fields.iter()).map(|(x, y)| (ById(x), ById(y))))?;
            let is_same = fields.iter().zip(x.fields.as_slice()).all(|(new, old)| new.ptr_eq(old));
            return Some(if is_same { a.clone() } else { TupleStructInfo::of(fields).into() });
        }
        if let (Some(x), Some(y)) = (a.downcast_ref::<FuncStructInfo>(), b.downcast_ref::<FuncStructInfo>()) {
            return Self::function_rule(known, x, y);
        }
        // Structural information of types that do not say how they unify.
        let is_other = !a.is::<ObjectStructInfo>() && !a.is::<PrimStructInfo>() && structural_equal(a, b);
        Some(if is_other { a.clone() } else { ObjectStructInfo::any().into() })
    }

    fn tensors(&self, a: &TensorStructInfo, b: &TensorStructInfo) -> TensorStructInfo {
        let dtype = same(a.dtype, b.dtype, DataType::void());
        let ndim = same(a.ndim, b.ndim, -1);
        let vdevice = a.vdevice.as_ref().zip(b.vdevice.as_ref());
        let vdevice = vdevice.filter(|(a, b)| structural_equal(*a, *b)).map(|(a, _)| a.clone());
        let shape = a.shape.as_ref().zip(b.shape.as_ref());
        let shape = shape.filter(|(x, y)| {
            ndim != -1 && shapes_equal(x, y, self.analyzer, |x, y, analyzer| analyzer.prove_shape_equal(x, y)).is_true()
        });
        match shape {
            Some(_) if a.dtype == dtype && a.vdevice.is_some() == vdevice.is_some() => a.clone(),
            Some((shape, _)) => TensorStructInfo::new(Some(shape.clone()), dtype, vdevice, ndim),
            None => TensorStructInfo::ranked(ndim, dtype).on(vdevice),
        }
    }

    fn function_rule(
        known: &mut Recursion<Self, Key, StructInfo>,
        a: &FuncStructInfo,
        b: &FuncStructInfo,
    ) -> Option<StructInfo> {
        let purity = a.purity && b.purity;
        match (&a.params, &b.params) {
            (None, None) => {
                let is_same = a.derive_func.as_ref().map(|it| &it.name) == b.derive_func.as_ref().map(|it| &it.name);
                if is_same && a.derive_func.is_some() {
                    let of_this_purity = if a.purity == purity { a } else { b };
                    return Some(of_this_purity.into());
                }
                let ret = known.get((ById(a.ret.clone()), ById(b.ret.clone())))?;
                Some(FuncStructInfo::opaque(ret, purity).into())
            }
            (Some(params), Some(others)) => {
                let Some(other_ret) = known.state.common_terms(params.as_slice(), b, others.as_slice()) else {
                    return Some(ObjectStructInfo::any().into());
                };
                let ret = known.get((ById(a.ret.clone()), ById(other_ret)))?;
                if ret.ptr_eq(&a.ret) && a.purity == purity {
                    return Some(a.into());
                }
                let united = FuncStructInfo::of(params.iter(), ret);
                Some(if purity { united } else { united.impure() }.into())
            }
            _ => Some(ObjectStructInfo::any().into()),
        }
    }

    /// The result of the function `b` in terms of the variables that the parameters `params` of another function bind.
    /// `None` if the parameters are different, up to the names of variables.
    fn common_terms(&self, params: &[StructInfo], b: &FuncStructInfo, others: &[StructInfo]) -> Option<StructInfo> {
        if params.len() != others.len() {
            return None;
        }
        let mut vars = VarMap::keeping_others();
        for var in hidden_vars(b, params) {
            // The free variable is another one than the variable that `params` bind.
            vars = vars.bind(var, var.fresh());
        }
        let mut names = FxHashSet::default();
        let bound: FxHashSet<_> = binders(params).into_iter().map(address).collect();
        for (var, value) in shape_var_values(others.iter().zip(params), false) {
            // Each variable has another name, and nothing else.
            let name = address(value.downcast_ref::<ShapeVar>()?);
            if !bound.contains(&name) || !names.insert(name) {
                return None;
            }
            vars = vars.bind(var, value.clone());
        }
        let is_same = others.iter().zip(params).all(|(other, param)| {
            let other = erase_to_well_defined(other, &vars, self.analyzer);
            is_at_least_as_specific(&other, param, self.analyzer)
                && is_at_least_as_specific(param, &other, self.analyzer)
        });
        is_same.then(|| erase_to_well_defined(&b.ret, &vars, self.analyzer))
    }
}

/// The common fact, or `unknown`.
fn same<T: PartialEq + Copy>(a: T, b: T, unknown: T) -> T {
    if a == b { a } else { unknown }
}
